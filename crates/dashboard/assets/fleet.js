// The fleet: results follow the filter as it is typed, and one box selects a whole page.

const form = document.querySelector("#fleet-filter");
const results = document.querySelector("#fleet-results");
const PAUSE = 250;

let timer;
let latest = 0;

function address() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value !== "") query.append(name, value);
  }
  return `${form.action}?${query}`;
}

// Only the last question counts: answers may come in another order.
async function refresh() {
  const asked = ++latest;
  const url = address();
  const response = await fetch(url, { headers: { accept: "text/html" } });
  if (!response.ok || response.redirected) return form.submit();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("#fleet-results");
  if (asked !== latest || !fresh) return;
  results.replaceChildren(...fresh.childNodes);
  history.replaceState(null, "", url);
  prepare();
}

function later(pause) {
  clearTimeout(timer);
  timer = setTimeout(() => refresh().catch(() => form.submit()), pause);
}

// The box that selects a page is there only where it works.
function prepare() {
  const all = results.querySelector("[data-select-all]");
  if (!all) return;
  const boxes = [...results.querySelectorAll("input[name=ids]")];
  const tell = () => {
    const count = boxes.filter((box) => box.checked).length;
    all.checked = count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
    const counter = results.querySelector("[data-selected]");
    if (counter) counter.textContent = String(count);
  };
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    tell();
  });
  for (const box of boxes) box.addEventListener("change", tell);
  tell();
}

if (form && results) {
  form.addEventListener("input", (event) => later(event.target.type === "search" ? PAUSE : 0));
  prepare();
}
