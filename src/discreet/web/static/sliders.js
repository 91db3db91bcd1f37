/* A slider says its value beside it while it is moved. */
document.addEventListener("input", function (event) {
  "use strict";
  const said = event.target.type === "range" && event.target.closest("label, .field");
  if (said && said.querySelector("output")) { said.querySelector("output").value = event.target.value; }
});
