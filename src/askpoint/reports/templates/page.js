for (const box of document.querySelectorAll(".what-if")) {
  const stops = JSON.parse(box.dataset.stops);
  const slider = box.querySelector("input");
  const shown = box.querySelectorAll("output");
  const show = () => {
    stops[slider.value].forEach((text, i) => { shown[i].textContent = text; });
    slider.setAttribute("aria-valuetext", stops[slider.value][0]);
  };
  slider.addEventListener("input", show);
  show();
  box.hidden = false;
}
