// Seconds that somebody has been solving; they stand still while the page is not seen.

import {setText} from "./page.js";

export class Timer {
  #before = 0;
  #since = null;
  #runs = false;

  constructor(shown) {
    this.shown = shown;
    document.addEventListener("visibilitychange", () => this.#watch());
    setInterval(() => this.#show(), 250);
  }

  get seconds() {
    return this.#before + (this.#since === null ? 0 : (performance.now() - this.#since) / 1000);
  }

  // Go on, from so many seconds, or stand still there.
  set(runs, seconds = this.seconds) {
    [this.#before, this.#since, this.#runs] = [seconds, null, runs];
    this.#watch();
    this.#show();
  }

  #watch() {
    const runs = this.#runs && !document.hidden;
    if (runs && this.#since === null) this.#since = performance.now();
    if (!runs && this.#since !== null) {
      this.#before = this.seconds;
      this.#since = null;
    }
  }

  #show() { setText(this.shown, clock(this.seconds)); }
}

export function clock(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
