// Steps through the frames of a view: by the buttons, or by the arrow keys.
"use strict";
for (const box of document.querySelectorAll("[data-frames]")) {
  const shots = [...box.querySelectorAll("[data-frame]")];
  const steps = [...box.querySelectorAll("[data-step]")];
  const film = box.querySelector(".film");
  const position = box.querySelector("[data-position]");
  let shown = Math.max(0, shots.findIndex((shot) => shot.hasAttribute("data-called")));
  const show = (index) => {
    shown = Math.min(Math.max(index, 0), shots.length - 1);
    shots.forEach((shot, i) => { shot.hidden = i !== shown; });
    position.textContent = `${shown + 1} of ${shots.length}`;
    for (const step of steps) {
      const to = shown + Number(step.dataset.step);
      step.disabled = to < 0 || to >= shots.length;
    }
  };
  for (const step of steps) {
    step.addEventListener("click", () => show(shown + Number(step.dataset.step)));
  }
  // Plays on from the frame that is shown, or from the start when it is the last.
  const play = box.querySelector("[data-play]");
  let playing = null;
  const stop = () => { window.clearInterval(playing); playing = null; play.textContent = "▶ play"; };
  play.addEventListener("click", () => {
    if (playing) { stop(); return; }
    play.textContent = "❚❚ pause";
    if (shown === shots.length - 1) show(0);
    playing = window.setInterval(() => {
      show(shown + 1);
      if (shown === shots.length - 1) stop();
    }, 300);
  });
  film.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      event.preventDefault();
      show(shown + by);
    }
  });
  box.classList.add("stepping");
  box.querySelector(".steps").hidden = false;
  show(shown);
}
