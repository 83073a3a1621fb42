// Compile the Python files of archives that the first answer needs, so that no browser has to:
//
//     node scripts/compile_site.mjs PYODIDE STANDARD_LIBRARY WHEEL...
//
// PYODIDE is the folder of the npm package. Each archive is written anew. What is needed later stays
// as it is: a compiled file is twice as large.

import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [folder, library, ...wheels] = process.argv.slice(2);
const bytes = (path) => new Uint8Array(readFileSync(path));
const {loadPyodide} = await import(`${pathToFileURL(folder)}/pyodide.mjs`);
const python = await loadPyodide({indexURL: folder});
for (const wheel of wheels) python.unpackArchive(bytes(wheel).buffer, "wheel");
const compiled = python.runPython(`
import io
import json
import marshal
import sys
from importlib.util import MAGIC_NUMBER, source_hash
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from linkoracle.studio.tab import Tab

BOARD = {"kind": "slitherlink", "variant": "loop", "rows": 3, "cols": 3}
for clue in (3, None):
    Tab().answer("live", json.dumps({**BOARD, "cells": [clue] * 9}), lambda stage: None)
USED = {*sys.modules}
#: The header says that the file is valid, whatever the source is.
UNCHECKED = (1).to_bytes(4, "little")


def compiled(data):
    made = io.BytesIO()
    with ZipFile(io.BytesIO(data.to_bytes())) as old, ZipFile(made, "w") as new:
        for name in sorted(old.namelist()):
            text = old.read(name)
            module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if name.endswith(".py") and module in USED:
                code = compile(text, name, "exec", dont_inherit=True)
                text = MAGIC_NUMBER + UNCHECKED + source_hash(text) + marshal.dumps(code)
                name += "c"
            # The earliest time that an archive can say.
            new.writestr(ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text, ZIP_DEFLATED, 9)
    return made.getvalue()


compiled
`);
for (const path of [library, ...wheels]) writeFileSync(path, compiled(bytes(path)).toJs());
