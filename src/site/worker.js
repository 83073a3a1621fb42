// A worker with Python, PySAT and linkoracle. It answers one question after the other, in stages.
// A message {id, where, text} is a question, {over} the id of one that is not wanted any more.

import {PYODIDE, WHEELS} from "./manifest.js";

const waiting = [];
const over = new Set();
const channel = new MessageChannel();
let now = null;
let answer = null;

// Lets messages that have come be heard, in the midst of an answer.
function breathe() {
  return new Promise((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}

const PYTHON = `
import json
import os
import time
from contextlib import suppress

import pysolvers
from pyodide.ffi import can_run_sync, run_sync

from linkoracle.core import limits
from linkoracle.studio.tab import Tab

tab, calm = Tab(), 0.0


def heed():
    global calm
    if time.monotonic() < calm or not can_run_sync():
        return
    run_sync(breathe())
    calm = time.monotonic() + 0.03
    if nobody_waits():
        raise KeyboardInterrupt


def answer(where, text, tell):
    with suppress(KeyboardInterrupt):
        tab.answer(where, text, lambda stage: tell(json.dumps(stage)))


limits.heed = heed
# It is loaded, and its file is kept in memory, too.
os.unlink(pysolvers.__file__)
answer
`;

async function start() {
  const base = new URL(PYODIDE, import.meta.url);
  const files = Promise.all(WHEELS.map(async (name) => {
    const response = await fetch(new URL(name, import.meta.url));
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response.arrayBuffer();
  }));
  const {loadPyodide} = await import(new URL("pyodide.mjs", base));
  const [python, wheels] = await Promise.all([loadPyodide({indexURL: base.href}), files]);
  for (const wheel of wheels) python.unpackArchive(wheel, "wheel");
  const globals = python.toPy({});
  globals.set("breathe", breathe);
  globals.set("nobody_waits", () => over.has(now));
  answer = python.runPython(PYTHON, {globals});
}

// Where a browser cannot suspend WebAssembly, an answer is not interrupted: the page ends the worker.
const suspends = () => "Suspending" in WebAssembly;

async function next() {
  if (now !== null || !answer) return;
  const asked = waiting.shift();
  if (!asked) return;
  now = asked.id;
  const tell = (stage) => postMessage({id: asked.id, stage: JSON.parse(stage)});
  try {
    if (over.has(now)) { /* Not wanted any more. */ }
    else if (suspends()) await answer.callPromising(asked.where, asked.text, tell);
    else answer(asked.where, asked.text, tell);
  } catch (error) {
    postMessage({id: asked.id, stage: {stage: "lost", reason: String(error.message ?? error)}});
  }
  over.delete(now);
  postMessage({id: now, ended: true});
  now = null;
  next();
}

onmessage = ({data}) => {
  if ("over" in data) over.add(data.over);
  else {
    waiting.push(data);
    next();
  }
};

try {
  await start();
  postMessage({ready: true, suspends: suspends()});
  next();
} catch (error) {
  postMessage({failed: String(error.message ?? error)});
}
