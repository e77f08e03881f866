// Meters are moved in a dialog: by the link that leads to the page of moving, which is shown in it, or
// by dragging a row onto another one, which fills a form that asks once more.

const asking = document.querySelector("#move-dialog");
const choosing = document.querySelector("#choose-dialog");

function ask(meter, name, parent, parentName) {
  const form = asking.querySelector("form");
  form.elements.device.value = meter;
  form.elements.parent.value = parent;
  asking.querySelector("[data-device-name]").textContent = name;
  asking.querySelector("[data-parent-name]").textContent = parentName;
  asking.showModal();
}

// What belongs to a page of its own is made to fit into another one: ids are there once, and so is the
// heading of the page.
function fit(content) {
  for (const element of content.querySelectorAll("[id]")) element.id = `dialog-${element.id}`;
  for (const name of ["for", "aria-describedby"]) {
    for (const element of content.querySelectorAll(`[${name}]`)) {
      element.setAttribute(name, `dialog-${element.getAttribute(name)}`);
    }
  }
  const heading = document.createElement("h2");
  const title = content.querySelector("h1");
  heading.append(...title.childNodes);
  title.replaceWith(heading);
  return content.childNodes;
}

// Shows a page in the dialog, and stays in it while one searches.
async function choose(url) {
  const response = await fetch(url, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const content = page.querySelector("#content");
  if (!response.ok || response.redirected || !content) return location.assign(url);
  choosing.replaceChildren(...fit(content));
  choosing.querySelector("form[role=search]")?.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    choose(`${form.action}?${new URLSearchParams(new FormData(form))}`);
  });
  choosing.querySelector("[data-close]")?.addEventListener("click", (event) => {
    event.preventDefault();
    choosing.close();
  });
  if (!choosing.open) choosing.showModal();
}

function takeDrags() {
  let dragged = null;
  for (const row of document.querySelectorAll("[data-meter]")) {
    row.draggable = true;
    row.addEventListener("dragstart", (event) => {
      dragged = row;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", row.dataset.name);
      row.classList.add("dragged");
    });
    row.addEventListener("dragend", () => {
      row.classList.remove("dragged");
      dragged = null;
    });
  }
  for (const target of document.querySelectorAll("[data-meter], [data-no-parent]")) {
    const takes = () => dragged && dragged !== target;
    target.addEventListener("dragover", (event) => {
      if (!takes()) return;
      event.preventDefault();
      target.classList.add("target");
    });
    target.addEventListener("dragleave", () => target.classList.remove("target"));
    target.addEventListener("drop", (event) => {
      target.classList.remove("target");
      if (!takes()) return;
      event.preventDefault();
      const { meter, name } = dragged.dataset;
      ask(meter, name, target.dataset.meter ?? "", target.dataset.name);
    });
  }
}

if (asking && choosing) {
  takeDrags();
  asking.querySelector("[data-close]").addEventListener("click", () => asking.close());
  for (const link of document.querySelectorAll("[data-move]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      choose(link.href).catch(() => location.assign(link.href));
    });
  }
}
