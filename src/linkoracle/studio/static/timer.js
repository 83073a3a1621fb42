// Seconds that the player has spent on a puzzle; the timer stops while the page is hidden.

import {setText} from "./page.js";

export class Timer {
  #runs = false;
  #seconds = 0;
  #last = performance.now();

  constructor(shown) {
    this.shown = shown;
    setInterval(() => this.#tick(), 250);
    document.addEventListener("visibilitychange", () => this.#tick(document.hidden));
  }

  get seconds() {
    this.#tick();
    return this.#seconds;
  }

  // Start or stop the timer at this number of seconds.
  set(runs, seconds = this.seconds) {
    [this.#runs, this.#seconds, this.#last] = [runs, seconds, performance.now()];
    this.#tick();
  }

  // Add the time since the last tick if the page was visible.
  #tick(seen = !document.hidden) {
    const now = performance.now();
    if (this.#runs && seen) this.#seconds += (now - this.#last) / 1000;
    this.#last = now;
    setText(this.shown, clock(this.#seconds));
  }
}

export function clock(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
