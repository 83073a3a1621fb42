// Workers that answer questions: one, and another one when something is made, when a question waits for
// long, or when the first is ended. Each takes some 120 MB.

// Milliseconds after which a question that waits, or that cannot be interrupted, calls for another worker.
const LONG = 3000;
// Milliseconds in which a question that is not wanted any more must end by itself.
const GRACE = 700;
// Milliseconds that a second worker waits for a question before it is ended, whatever the first one does.
const IDLE = 30000;

let lastId = 0;

class Helper {
  job = null;
  ready = false;

  constructor(pool) {
    this.pool = pool;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), {type: "module"});
    this.worker.onmessage = ({data}) => this.#hear(data);
    this.worker.onerror = ({message}) => pool.failed(this, message || "the worker cannot be loaded");
  }

  begin(job) {
    this.job = job;
    job.helper = this;
    this.worker.postMessage({id: job.id, where: job.where, text: job.text});
  }

  #hear(data) {
    if (data.ready) {
      this.ready = true;
      this.suspends = data.suspends;
      this.pool.started(this);
    } else if (data.failed) {
      this.pool.failed(this, data.failed);
    } else if (this.job && data.id === this.job.id) {
      if (data.ended) {
        const {job} = this;
        this.job = null;
        job.ended = true;
        clearTimeout(job.timer);
        if (!job.dropped && !job.done) job.told({stage: "lost", reason: "there is no answer"});
        this.pool.freed(this);
      } else if (!this.job.dropped) {
        if (["done", "lost", "made", "failed", "wrong"].includes(data.stage.stage)) this.job.done = true;
        this.job.told(data.stage);
      }
    }
  }
}

export class Helpers {
  #helpers = [];
  #waiting = [];

  // `started` is called when the first worker is ready, `failed` with the reason why none starts.
  constructor(started = () => {}, failed = () => {}) {
    this.tell = {started, failed};
    this.#add();
  }

  #add() {
    this.#helpers.push(new Helper(this));
  }

  // Ask a question; `told` gets each stage of the answer. What has a `home` is asked of the first
  // worker, which knows the question before; another question may wait no longer than that.
  ask(where, text, told, home = false) {
    const job = {id: ++lastId, where, text, told, home, helper: null};
    this.#waiting.push(job);
    job.timer = setTimeout(() => this.#hurry(job), where === "making" ? 0 : LONG);
    this.#deal();
    return job;
  }

  // The answer to a question of one stage, unless the `signal` is aborted before.
  answer(where, text, signal, home = false) {
    return new Promise((resolve, reject) => {
      const job = this.ask(where, text, ({stage, reason, error, ...answer}) => {
        signal?.removeEventListener("abort", stop);
        if (error || stage === "lost") reject(new Error(error ?? reason));
        else resolve(answer);
      }, home);
      const stop = () => {
        this.drop(job);
        reject(signal.reason);
      };
      signal?.addEventListener("abort", stop, {once: true});
    });
  }

  // The answer is not wanted any more.
  drop(job) {
    if (job.ended || job.dropped) return;
    job.dropped = true;
    clearTimeout(job.timer);
    if (!job.helper) {
      this.#waiting = this.#waiting.filter((one) => one !== job);
      return;
    }
    job.helper.worker.postMessage({over: job.id});
    job.timer = setTimeout(() => this.#end(job.helper), GRACE);
  }

  // Ends a worker, even in the midst of its work. The other one takes over.
  #end(helper) {
    helper.worker.terminate();
    this.#helpers = this.#helpers.filter((one) => one !== helper);
    if (!this.#helpers.length) this.#add();
    this.#deal();
  }

  // A question takes long: another one shall not wait for it, so a second worker is started.
  #hurry(job) {
    const leaves = job.helper?.suspends && job.where !== "making";
    if (!job.ended && !leaves && this.#helpers.length < 2 && this.#helpers[0].ready) this.#add();
  }

  started(helper) {
    if (helper === this.#helpers[0]) this.tell.started();
    this.freed(helper);
  }

  failed(helper, reason) {
    if (helper !== this.#helpers[0]) {
      this.#end(helper);
      return;
    }
    this.tell.failed(reason);
    for (const job of this.#waiting.splice(0)) job.told({stage: "lost", reason});
  }

  freed(helper) {
    this.#deal();
    clearTimeout(helper.timer);
    helper.timer = setTimeout(() => {
      if (helper !== this.#helpers[0] && !helper.job) this.#end(helper);
    }, IDLE);
  }

  #deal() {
    for (const job of [...this.#waiting]) {
      const free = this.#helpers.filter((helper) => helper.ready && !helper.job);
      const [first] = this.#helpers;
      // What is made takes the second worker if it can, so that the first one answers; if the first
      // makes something, the second answers.
      const found = !job.home ? free.at(-1)
        : first.job && !first.job.home ? free[0] : free.find((helper) => helper === first);
      if (!found) continue;
      this.#waiting = this.#waiting.filter((one) => one !== job);
      found.begin(job);
    }
  }
}
