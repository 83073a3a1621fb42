// Workers that answer queries. A second worker starts if a puzzle is generated, if a query waits for long, or if the
// first worker is ended. Each takes about 120 MB.

// Milliseconds after which a query that waits, or that cannot be interrupted, starts a second worker.
const LONG = 3000;
// Milliseconds in which a dropped query must end by itself.
const GRACE = 700;
// Milliseconds after which an idle second worker is ended.
const IDLE = 30000;

let lastId = 0;

class Helper {
  job = null;
  ready = false;

  constructor(pool) {
    this.pool = pool;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), {type: "module"});
    this.worker.onmessage = ({data}) => this.#receive(data);
    this.worker.onerror = ({message}) => pool.failed(this, message || "the worker cannot be loaded");
  }

  begin(job) {
    this.job = job;
    job.helper = this;
    this.worker.postMessage({id: job.id, where: job.where, text: job.text});
  }

  #receive(data) {
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
        if (!job.dropped && !job.done) job.onStage({stage: "lost", reason: "there is no answer"});
        this.pool.idle(this);
      } else if (!this.job.dropped) {
        if (["done", "lost", "made", "failed", "wrong"].includes(data.stage.stage)) this.job.done = true;
        this.job.onStage(data.stage);
      }
    }
  }
}

export class Helpers {
  #helpers = [];
  #waiting = [];

  // `started` is called when the first worker is ready, `failed` with the reason if it does not start.
  constructor(started = () => {}, failed = () => {}) {
    this.callbacks = {started, failed};
    this.#add();
  }

  #add() {
    this.#helpers.push(new Helper(this));
  }

  // Send a query; `onStage` receives each stage of the answer. A query with `home` goes to the first worker, which
  // knows the previous query.
  ask(where, text, onStage, home = false) {
    const job = {id: ++lastId, where, text, onStage, home, helper: null};
    this.#waiting.push(job);
    if (!this.#helpers.length) this.#add();
    job.timer = setTimeout(() => this.#addIfSlow(job), where === "making" ? 0 : LONG);
    this.#assign();
    return job;
  }

  // Send a query with a single stage and return its answer, unless the `signal` aborts it.
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

  // Cancel a query: its answer is no longer needed.
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

  // End a worker, even during a query. The other one takes over.
  #end(helper) {
    helper.worker.terminate();
    this.#helpers = this.#helpers.filter((one) => one !== helper);
    if (!this.#helpers.length) this.#add();
    this.#assign();
  }

  // Start a second worker for a slow query, so that the next one need not wait for it.
  #addIfSlow(job) {
    const leaves = job.helper?.suspends && job.where !== "making";
    if (!job.ended && !leaves && this.#helpers.length < 2 && this.#helpers[0].ready) this.#add();
  }

  started(helper) {
    if (helper === this.#helpers[0]) this.callbacks.started();
    this.idle(helper);
  }

  // End a worker that cannot start. In place of the first one, the next query starts another.
  failed(helper, reason) {
    if (helper !== this.#helpers[0]) return this.#end(helper);
    helper.worker.terminate();
    this.#helpers.shift();
    this.callbacks.failed(reason);
    for (const job of this.#waiting.splice(0)) {
      clearTimeout(job.timer);
      job.onStage({stage: "lost", reason});
    }
  }

  idle(helper) {
    this.#assign();
    clearTimeout(helper.timer);
    helper.timer = setTimeout(() => {
      if (helper !== this.#helpers[0] && !helper.job) this.#end(helper);
    }, IDLE);
  }

  #assign() {
    for (const job of [...this.#waiting]) {
      const free = this.#helpers.filter((helper) => helper.ready && !helper.job);
      const [first] = this.#helpers;
      // Puzzles are generated in the second worker if possible, so that the first one answers. If the first one is
      // generating, the second answers.
      const found = !job.home ? free.at(-1)
        : first.job && !first.job.home ? free[0] : free.find((helper) => helper === first);
      if (!found) continue;
      this.#waiting = this.#waiting.filter((one) => one !== job);
      found.begin(job);
    }
  }
}
