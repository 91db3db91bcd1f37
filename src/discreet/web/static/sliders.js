/* A slider says its value beside it while it is moved; values that no chosen method needs are not shown. */
(function () {
  "use strict";
  function needed() {
    const chosen = Array.from(document.querySelectorAll("input[name=method]:checked"), function (box) { return box.value; });
    document.querySelectorAll("fieldset[data-for]").forEach(function (each) {
      each.hidden = !each.dataset.for.split(" ").some(function (name) { return chosen.includes(name); });
    });
  }
  document.addEventListener("change", needed);
  needed();
}());
document.addEventListener("input", function (event) {
  "use strict";
  const said = event.target.type === "range" && event.target.closest("label, .field");
  if (said && said.querySelector("output")) { said.querySelector("output").value = event.target.value; }
});
