for (const box of document.querySelectorAll(".what-if")) {
  const stops = JSON.parse(box.dataset.stops);
  const places = JSON.parse(box.dataset.places);
  const slider = box.querySelector("input");
  const shown = box.querySelectorAll("output");
  const dot = box.parentElement.querySelector(".dot");
  const show = () => {
    stops[slider.value].forEach((text, i) => { shown[i].textContent = text; });
    slider.setAttribute("aria-valuetext", stops[slider.value][0]);
    if (dot) {
      dot.style.left = `${places[slider.value][0]}%`;
      dot.style.top = `${places[slider.value][1]}%`;
      dot.hidden = false;
    }
  };
  slider.addEventListener("input", show);
  show();
  box.hidden = false;
}
