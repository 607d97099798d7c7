// What the page does beyond plain HTML: load a diff or a place of the transcript when it is opened, and show what an
// edited boundary would allow. Answers need none of it.
"use strict";

async function fetched(address, options) {
  const answer = await fetch(address, { credentials: "same-origin", ...options });
  const text = await answer.text();
  const read = new DOMParser().parseFromString(text, "text/html");
  return answer.ok ? [...read.body.childNodes] : [...(read.querySelectorAll("main p") || [])];
}

for (const summary of document.querySelectorAll(".load-into")) {
  const details = summary.parentElement;
  details.addEventListener("toggle", async () => {
    const target = details.querySelector(".diff");
    if (!details.open || target.childNodes.length) return;
    target.textContent = "...";
    target.replaceChildren(...(await fetched(summary.dataset.href)));
  });
}

for (const link of document.querySelectorAll("a.load")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    link.parentElement.replaceChildren(...(await fetched(link.href)));
  });
}

for (const list of document.querySelectorAll("[data-more]")) {
  const most = Number(list.dataset.more);
  const rest = [...list.children].slice(most);
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

const form = document.querySelector("form[data-effect]");
if (form) {
  let waiting = 0;
  const changed = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const data = new FormData(form);
      data.set("answer", "approve");
      const shown = await fetched(form.dataset.effect, { method: "POST", body: new URLSearchParams(data) });
      document.getElementById("effect").replaceChildren(...shown);
    }, 200);
  };
  form.addEventListener("input", (event) => {
    if (event.target.matches("[name=keep], #add, #deny")) changed();
  });
  changed();
}
