"use strict";
// Narrows a long list, ticks a column, moves a slider and its number together, follows work. Without it all works, more slowly.
// on a phone the steps are wider than the page
document.querySelector("nav [aria-current=step]")?.scrollIntoView({ block: "nearest", inline: "center" });
document.addEventListener("input", (event) => {
  const narrows = event.target.dataset.narrows;
  if (narrows) {
    const wanted = event.target.value.toLowerCase();
    for (const row of document.querySelectorAll(`#${narrows} tbody tr`))
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
  }
  const twin = event.target.dataset.twin && document.getElementById(event.target.dataset.twin);
  if (twin) twin.value = event.target.value;
});
// a button that needs this script is not shown without it
document.documentElement.classList.add("scripted");
document.addEventListener("click", async (event) => {
  const copies = event.target.dataset.copies;
  if (!copies) return;
  await navigator.clipboard.writeText(document.getElementById(copies).textContent);
  event.target.textContent = "Copied";
});
document.addEventListener("click", (event) => {
  const ticks = event.target.dataset.ticks;
  if (!ticks) return;
  const boxes = [...document.querySelectorAll(`input[name="${ticks}"]`)].filter((box) => !box.closest("tr").hidden);
  const all = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !all;
});
// work is told by the server: what can be pressed changes when it ended, and silence is told too
for (const each of document.querySelectorAll("[data-plain]")) each.hidden = true;
const silent = (yes) => { for (const each of document.querySelectorAll("[data-silent]")) each.hidden = !yes; };
document.addEventListener("htmx:sse:error", () => silent(true));
document.addEventListener("htmx:sse:after:connection", () => silent(false));
document.addEventListener("htmx:sse:after:message", (event) => {
  if (event.detail.message.event !== "ended") return;
  // by itself a stream that ended is asked for again
  event.detail.connection.config.reconnect = false;
  for (const each of document.querySelectorAll(`[data-while="${event.target.id}"]`)) each.hidden = true;
  for (const each of document.querySelectorAll(`[data-after="${event.target.id}"]`)) each.hidden = false;
});
