// What the pages do beyond plain HTML; all of them work without it.
(() => {
  "use strict";
  const KEYS = "askpoint-keys";
  const say = (place, words) => { document.getElementById(place).textContent = words; };

  // The keyboard starts at what is new on a page, and a screen reader hears what happened.
  document.addEventListener("htmx:afterSettle", (event) => {
    say("trouble", "");
    if (!event.detail.boosted) return; // a part that is looked up anew takes no focus
    const wrong = document.querySelector("[data-focus], main [aria-invalid=true]");
    const place = wrong || document.querySelector("h1");
    if (place === document.querySelector("h1")) place.tabIndex = -1;
    if (place) place.focus({ preventScroll: !wrong });
    const news = [...document.querySelectorAll("main .message, main .answer")];
    say("news", news.map((it) => it.textContent.trim()).join(" "));
    if (keys()) keys().checked = wanted();
  });

  // A failed request changes nothing on the page: what was typed stays, and the reason stands below.
  const KEPT = "What you typed is still here";
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { status, responseText } = event.detail.xhr;
    const words = event.detail.xhr.getResponseHeader("Content-Type")?.startsWith("text/plain") && responseText;
    if (status === 413) say("trouble", words || `That is far too large to be sent. ${KEPT}: shorten it.`);
    else if (status === 403 && !responseText.includes("You may watch")) say("trouble", `The page was open for too long. ${KEPT}: copy it, and load the page again.`);
    else if (!responseText.includes('id="page"')) say("trouble", `The server has a problem (${status}). ${KEPT}: try again in a moment.`);
    else return;
    event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:beforeRequest", () => say("trouble", ""));
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, () => say("trouble", `The server does not answer. ${KEPT}: try again in a moment.`));
  }

  // Moments are told in the reader's own zone, as 5 Mar 2026 18:00; without this script, in UTC.
  const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  const two = (number) => String(number).padStart(2, "0");
  const written = (at) => `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()} ${two(at.getHours())}:${two(at.getMinutes())}`;
  const tell = () => document.querySelectorAll("time.here").forEach((it) => {
    it.title = it.textContent;
    it.textContent = written(new Date(it.dateTime));
    it.classList.remove("here");
  });
  document.addEventListener("DOMContentLoaded", tell);
  document.addEventListener("htmx:afterSettle", tell);

  // A file that is too large is said before it is sent.
  document.addEventListener("change", ({ target }) => {
    if (!target.dataset?.most) return;
    const [file, most] = [target.files[0], Number(target.dataset.most)];
    const large = file && file.size > most;
    target.setCustomValidity(large ? `This file has ${Math.ceil(file.size / 1e6)} MB, and at most ${most / 1e6} are taken: upload its newest rows, only the columns that are needed, or Parquet, which is smaller.` : "");
    if (large) target.reportValidity();
  });

  // A link to be sent is marked whole, to be copied.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("input[readonly]")) event.target.select();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); } // without https
    button.textContent = "Copied";
    say("news", "The link is copied.");
  });

  // A what-if is dragged: each stop of the slider says what follows from it.
  const slide = () => document.querySelectorAll(".what-if .drag").forEach((it) => { it.hidden = false; });
  document.addEventListener("DOMContentLoaded", slide);
  document.addEventListener("htmx:afterSettle", slide);
  document.addEventListener("input", (event) => {
    const box = event.target.type === "range" && event.target.closest(".what-if");
    if (!box) return;
    const stop = JSON.parse(box.dataset.stops)[event.target.value];
    box.querySelectorAll("output").forEach((it, i) => { it.textContent = stop[i]; });
    event.target.setAttribute("aria-valuetext", stop[0]);
  });

  // Where there are more labels than keys they are found by typing; Enter takes the first that fits.
  const fits = () => [...document.querySelectorAll("#choose button")].filter((it) => !it.hidden);
  const find = () => {
    if (!document.getElementById("finder")) return;
    document.getElementById("finder").hidden = false;
    document.getElementById("find").focus({ preventScroll: true });
  };
  document.addEventListener("DOMContentLoaded", find);
  document.addEventListener("htmx:afterSettle", find);
  document.addEventListener("input", ({ target }) => {
    if (target.id !== "find") return;
    const typed = target.value.trim().toLowerCase();
    document.querySelectorAll("#choose button").forEach((it) => { it.hidden = !it.textContent.toLowerCase().includes(typed); });
    document.querySelector("#finder output").textContent = typed ? `${fits().length} fit, first: ${fits()[0]?.textContent.trim() ?? "none"}` : "";
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "find" || event.key !== "Enter") return;
    event.preventDefault();
    if (event.target.value.trim() && !event.repeat && !document.querySelector(".htmx-request")) fits()[0]?.click();
  });

  // A digit chooses, u undoes, n opens "Not sure", s skips, b takes a break: only on a case, and only when switched on.
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
    const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (button && !button.disabled) { event.preventDefault(); button.click(); }
  });
})();
