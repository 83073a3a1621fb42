// A worker with Python, PySAT and linkoracle. It answers queries one by one, in stages.
// A message {id, where, text} is a query; {over} is the id of a cancelled query.

import {PYODIDE, WHEELS} from "./manifest.js";

const waiting = [];
const over = new Set();
const channel = new MessageChannel();
let now = null;
let answer = null;

// Handle the messages that have arrived during an answer.
function handleMessages() {
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

tab, next_look = Tab(), 0.0


def heed():
    global next_look
    if time.monotonic() < next_look or not can_run_sync():
        return
    run_sync(handle_messages())
    next_look = time.monotonic() + 0.03
    if is_cancelled():
        raise KeyboardInterrupt


def answer(where, text, send):
    with suppress(KeyboardInterrupt):
        tab.answer(where, text, lambda stage: send(json.dumps(stage)))


limits.heed = heed
# The module is loaded; its file would stay in memory, too.
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
  globals.set("handle_messages", handleMessages);
  globals.set("is_cancelled", () => over.has(now));
  answer = python.runPython(PYTHON, {globals});
}

// If the browser cannot suspend WebAssembly, an answer cannot be interrupted: the page ends the worker.
const suspends = () => "Suspending" in WebAssembly;

async function next() {
  if (now !== null || !answer) return;
  const query = waiting.shift();
  if (!query) return;
  now = query.id;
  const send = (stage) => postMessage({id: query.id, stage: JSON.parse(stage)});
  try {
    if (over.has(now)) { /* Cancelled. */ }
    else if (suspends()) await answer.callPromising(query.where, query.text, send);
    else answer(query.where, query.text, send);
  } catch (error) {
    postMessage({id: query.id, stage: {stage: "lost", reason: String(error.message ?? error)}});
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
