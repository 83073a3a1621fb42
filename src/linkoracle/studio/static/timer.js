// Seconds that somebody has been solving; they stand still while the page is not seen.

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

  // Go on, from so many seconds, or stand still there.
  set(runs, seconds = this.seconds) {
    [this.#runs, this.#seconds, this.#last] = [runs, seconds, performance.now()];
    this.#tick();
  }

  // Since the last time the page was seen, or not.
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
