// Walks over all pages as whoever is signed in, and tells what it found. Pages that differ in what they are
// about alone, such as those of two devices, count as one, of which the first is looked at.
return (async () => {
  const pages = new Set();
  const changes = new Set();
  const refused = [];
  const queue = [];
  const seen = new Set();

  const shape = (url) => {
    const path = url.pathname.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "*");
    const names = [...new Set(url.searchParams.keys())].sort();
    return names.length > 0 ? `${path}?${names.join("&")}` : path;
  };
  const take = (address) => {
    const url = new URL(address, location.href);
    if (url.origin !== location.origin || seen.has(shape(url))) return;
    seen.add(shape(url));
    queue.push(url);
  };
  // What Enter sends where there is no button, and what each button does.
  const takeForm = (form) => {
    const buttons = form.querySelectorAll("button:not([type=button]), input[type=submit]");
    const fields = form.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio])");
    if (buttons.length === 0 && fields.length === 0) return;
    const url = new URL(form.getAttribute("action"), location.href);
    if (form.method === "post") return changes.add(shape(url));
    url.search = new URLSearchParams(new FormData(form));
    take(url);
  };

  take("/");
  while (queue.length > 0) {
    const url = queue.shift();
    const response = await fetch(url, { headers: { accept: "text/html" } });
    if (!response.ok) refused.push(`${url.pathname}${url.search}: ${response.status}`);
    pages.add(shape(url));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Files are no pages.
    if (!page.querySelector("main#content")) continue;
    for (const link of page.querySelectorAll("a[href]")) take(link.getAttribute("href"));
    for (const form of page.querySelectorAll("form")) takeForm(form);
  }
  return { pages: [...pages], changes: [...changes], refused };
})();
