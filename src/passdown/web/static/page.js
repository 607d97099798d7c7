// What the page does beyond plain HTML: load a diff or a place of the transcript when it is opened, and show what an
// edited boundary would allow. Answers need none of it.
"use strict";

async function fetched(address, options) {
  const answer = await fetch(address, { credentials: "same-origin", ...options });
  const text = await answer.text();
  const read = new DOMParser().parseFromString(text, "text/html");
  return answer.ok ? [...read.body.childNodes] : [...(read.querySelectorAll("main p") || [])];
}

// Long lists show their beginning, and the rest when asked for.
function shorten(part) {
  for (const list of part.querySelectorAll("[data-more]")) {
    const rest = [...list.children].slice(Number(list.dataset.more));
    if (!rest.length) continue;
    for (const item of rest) item.hidden = true;
    const more = document.createElement("button");
    more.type = "button";
    more.textContent = `Show ${rest.length} more`;
    more.addEventListener("click", () => {
      for (const item of rest) item.hidden = false;
      more.remove();
    });
    list.after(more);
  }
}

// The timeline's window: closer, wider, earlier, later.
function zooms(part) {
  const svg = part.querySelector("svg.timeline");
  if (!svg) return;
  const whole = svg.viewBox.baseVal.width;
  const view = (x, width) => {
    const wide = Math.min(whole, Math.max(whole / 64, width));
    const left = Math.min(whole - wide, Math.max(0, x));
    svg.setAttribute("viewBox", `${left} 0 ${wide} ${svg.viewBox.baseVal.height}`);
  };
  const zoom = (by, at = 0.5) => {
    const { x, width } = svg.viewBox.baseVal;
    if (by === 0) view(0, whole);
    else view(x + (width - width * by) * at, width * by);
  };
  for (const button of part.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  }
  for (const button of part.querySelectorAll("[data-pan]")) {
    button.addEventListener("click", () => {
      const { x, width } = svg.viewBox.baseVal;
      view(x + width * Number(button.dataset.pan), width);
    });
  }
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - box.left) / box.width);
  }, { passive: false });
}

function opens(part) {
  for (const summary of part.querySelectorAll(".load-into")) {
    const details = summary.parentElement;
    details.addEventListener("toggle", async () => {
      const target = details.querySelector(".fill");
      if (!details.open || target.childNodes.length) return;
      target.textContent = "...";
      target.replaceChildren(...(await fetched(summary.dataset.href)));
      shorten(target);
      zooms(target);
    });
  }
}
opens(document);

// The rest of a long list of files, below those that stand there.
for (const link of document.querySelectorAll("a.load-rest")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const list = link.closest("details").querySelector("ul.files");
    const held = list.children.length;
    const answer = await fetch(link.href, { credentials: "same-origin" });
    const read = new DOMParser().parseFromString(await answer.text(), "text/html");
    const rows = [...read.querySelectorAll("ul.files > li")].slice(held);
    const part = document.createElement("ul");
    part.append(...rows);
    opens(part);
    list.append(...rows);
    link.remove();
    if (held && rows.length) rows[0].querySelector("summary").focus();
  });
  const group = link.closest("details");
  if (!group.querySelector("ul.files > li")) group.addEventListener("toggle", () => link.click(), { once: true });
}

for (const link of document.querySelectorAll("a.load")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    link.parentElement.replaceChildren(...(await fetched(link.href)));
  });
}

shorten(document);

const form = document.querySelector("form[data-effect]");
if (form) {
  let waiting = 0;
  let asked = 0;
  const changed = () => {
    clearTimeout(waiting);
    const mine = ++asked;
    waiting = setTimeout(async () => {
      const data = new FormData(form);
      data.set("answer", "approve");
      const shown = await fetched(form.dataset.effect, { method: "POST", body: new URLSearchParams(data) });
      if (mine === asked) document.getElementById("effect").replaceChildren(...shown);
    }, 200);
  };
  form.addEventListener("input", (event) => {
    if (event.target.matches("[name=keep], #add, #deny")) changed();
  });
  changed();
}
