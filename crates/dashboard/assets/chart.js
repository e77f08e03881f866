// A chart tells the values of its days to whoever points at them or walks along them by keyboard.

for (const chart of document.querySelectorAll("[data-chart]")) {
  const drawing = chart.querySelector("svg");
  const readout = chart.querySelector("output");
  const days = [...drawing.querySelectorAll("[data-day]")];
  if (!readout || days.length === 0) continue;
  // What the page shows on hover by itself would lie over what is shown here.
  const labels = days.map((day) => {
    const title = day.querySelector("title");
    const text = title.textContent;
    title.remove();
    return text;
  });
  readout.append(` ${readout.dataset.how}`);
  let current = -1;

  const show = (number) => {
    if (number === current) return;
    days[current]?.classList.remove("current");
    current = number;
    days[current]?.classList.add("current");
    readout.textContent = labels[current];
    readout.classList.add("told");
  };

  const nearest = (event) => {
    const box = drawing.getBoundingClientRect();
    const view = drawing.viewBox.baseVal;
    const x = ((event.clientX - box.left) / box.width) * view.width;
    const left = Number(drawing.dataset.left);
    const place = (view.width - left) / days.length;
    return Math.min(days.length - 1, Math.max(0, Math.floor((x - left) / place)));
  };

  drawing.addEventListener("pointermove", (event) => show(nearest(event)));
  drawing.addEventListener("pointerdown", (event) => show(nearest(event)));
  drawing.addEventListener("focus", () => show(current < 0 ? days.length - 1 : current));
  drawing.addEventListener("keydown", (event) => {
    const moves = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      PageUp: current - 7,
      PageDown: current + 7,
      Home: 0,
      End: days.length - 1,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    show(Math.min(days.length - 1, Math.max(0, moves[event.key])));
  });
}
