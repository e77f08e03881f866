// Looks for what keeps people out of a page, and returns one sentence for each fault.
const faults = [];
const visible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);
const describe = (element) => element.outerHTML.slice(0, 120);

if (!document.documentElement.lang) faults.push("The page has no language.");
if (!document.title.trim()) faults.push("The page has no title.");
if (all("main").length !== 1) faults.push("The page has no main part, or several.");
const headings = all("h1").length;
if (headings !== 1) faults.push(`The page has ${headings} main headings.`);

for (const field of all("input:not([type=hidden]):not([type=submit]), select, textarea")) {
  const named = field.labels?.length || field.ariaLabel || field.getAttribute("aria-labelledby");
  if (!named) faults.push(`A field has no label: ${describe(field)}`);
}
for (const control of all("button, a[href], summary")) {
  const pictured = control.querySelector("img[alt], svg[aria-label], svg > title");
  if (!control.innerText.trim() && !control.ariaLabel && !pictured) {
    faults.push(`A control has no name: ${describe(control)}`);
  }
}
for (const image of document.querySelectorAll("img:not([alt])")) {
  faults.push(`A picture has no alternative text: ${describe(image)}`);
}
for (const cell of all("th:not([scope])")) faults.push(`A heading of a table has no scope: ${describe(cell)}`);
for (const element of document.querySelectorAll("[tabindex]")) {
  if (element.tabIndex > 0) faults.push(`The order of focus is not that of the page: ${describe(element)}`);
}

const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) {
  faults.push(`The id ${id} is there more than once.`);
}

// Any colour the browser knows, as red, green, blue and opacity.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const channels = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, opacity] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, opacity / 255];
};
const over = ([r, g, b, opacity], below) =>
  [r, g, b].map((channel, place) => channel * opacity + below[place] * (1 - opacity));
const behind = (element) => {
  if (!element) return channels("Canvas").slice(0, 3);
  const own = channels(getComputedStyle(element).backgroundColor);
  return own[3] === 1 ? own.slice(0, 3) : over(own, behind(element.parentElement));
};
const luminance = (colour) => {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Set();
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  const isShown = texts.currentNode.data.trim() && visible(element) && !element.closest("svg, [disabled]");
  if (!isShown || seen.has(element)) continue;
  seen.add(element);
  const style = getComputedStyle(element);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const below = behind(element);
  const found = contrast(over(channels(style.color), below), below);
  if (found < (large ? 3 : 4.5)) {
    faults.push(`The contrast is ${found.toFixed(2)}: ${describe(element)}`);
  }
}
return faults;
