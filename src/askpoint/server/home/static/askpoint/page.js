// What the pages do beyond plain HTML; all of them work without it.
(() => {
  "use strict";
  const KEYS = "askpoint-keys";

  // A screen reader hears the new page, and the keyboard starts at its top.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!event.detail.boosted) return; // a part that is looked up anew takes no focus
    const place = document.querySelector("[data-focus]") || document.getElementById("main");
    if (place) place.focus({ preventScroll: !place.matches("[data-focus]") });
    if (keys()) keys().checked = wanted();
  });

  // A digit chooses, s skips, b takes a break: only on a judge's case, and only when switched on.
  const keys = () => document.getElementById("keys");
  const wanted = () => localStorage.getItem(KEYS) !== "off";
  document.addEventListener("DOMContentLoaded", () => {
    if (keys()) keys().checked = wanted();
  });
  document.addEventListener("change", (event) => {
    if (event.target === keys()) localStorage.setItem(KEYS, event.target.checked ? "on" : "off");
  });
  document.addEventListener("keydown", (event) => {
    // A key pressed while the next case is on its way must not vote on the last one.
    if (!keys() || !wanted() || document.querySelector(".htmx-request") || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("textarea, select, input:not([type=checkbox])")) return;
    const button = document.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
    if (button && !button.disabled) { event.preventDefault(); button.click(); }
  });
})();
