/* The tree of a hierarchy: arrow keys, dragging, and what was open stays open. Nothing here is needed to edit it. */
(function () {
  "use strict";
  const opened = new Map();

  function tree() { return document.getElementById("tree"); }

  function boxes() {
    return Array.from(tree().querySelectorAll("input[type=checkbox]")).filter(function (box) { return box.offsetParent !== null; });
  }

  document.addEventListener("keydown", function (event) {
    const box = event.target;
    if (!tree() || !tree().contains(box) || box.type !== "checkbox") { return; }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const inside = box.closest("li").querySelector(":scope > details");
    if (step) {
      const all = boxes();
      const next = all[all.indexOf(box) + step];
      if (next) { next.focus(); }
    } else if (event.key === "ArrowRight" && inside) {
      inside.open = true;
    } else if (event.key === "ArrowLeft") {
      if (inside && inside.open) { inside.open = false; } else {
        const up = box.closest("ul").closest("li");
        if (up) { up.querySelector("input[type=checkbox]").focus(); }
      }
    } else { return; }
    event.preventDefault();
  });

  document.addEventListener("dragstart", function (event) {
    const label = event.target.closest ? event.target.closest("#tree label") : null;
    if (!label) { return; }
    label.querySelector("input").checked = true;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", label.querySelector("input").value);
  });

  document.addEventListener("dragover", function (event) {
    if (event.target.closest && event.target.closest("#tree label")) { event.preventDefault(); }
  });

  document.addEventListener("drop", function (event) {
    const label = event.target.closest ? event.target.closest("#tree label") : null;
    if (!label) { return; }
    event.preventDefault();
    const form = label.closest("form");
    label.querySelector("input").checked = false;
    form.querySelector("[name=target]").value = label.querySelector("input").value;
    form.requestSubmit(form.querySelector("button[value=move]"));
  });

  document.addEventListener("htmx:before:swap", function () {
    if (!tree()) { return; }
    tree().querySelectorAll("details").forEach(function (each) { opened.set(each.dataset.name, each.open); });
  });

  document.addEventListener("htmx:after:swap", function () {
    if (!tree() || document.getElementById("t-find").value) { return; }
    tree().querySelectorAll("details").forEach(function (each) {
      if (opened.has(each.dataset.name)) { each.open = opened.get(each.dataset.name); }
    });
  });

  document.addEventListener("input", function (event) {
    if (event.target.id === "t-level") { event.target.closest(".field").querySelector("output").value = event.target.value; }
  });
}());
