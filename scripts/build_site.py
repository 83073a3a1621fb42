"""Build the studio as a folder of static files, which answers in the browser: build/site.

    python scripts/build_site.py PYODIDE PYSAT FOLDER

PYODIDE is the folder of the npm package, PYSAT the wheel that fits it. Files that may change are in
folders with a version in the name, so browsers may cache them for ever. index.html, example.html
and linkoracle.js name these folders.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from linkoracle.studio.bundle import STATIC, bundle
from linkoracle.studio.tab import about
from linkoracle.studio.texts import parts_of_board, words_asked
from pure_wheel import ROOT, build, version, write_wheel

SITE = ROOT / "src" / "site"
#: The files of Pyodide that a browser loads, with the standard library of Python.
LIBRARY = "python_stdlib.zip"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY, "pyodide-lock.json")
#: The files left out of PySAT: programs that linkoracle does not use.
UNUSED = ("pysat/examples/", "pysat/allies/")
#: Nothing is loaded from elsewhere. The worker has no such policy: it needs WebAssembly.
POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
#: The description of the page.
ALONE = """<p id="alone" class="soft">
<span class="starting" role="status">The solver is being loaded …</span>
<span class="here">This page answers by itself, in your browser.</span> An
<a href="https://github.com/linkoracle/linkoracle">installed studio</a> has more: grades, hints,
exact counts, masks, Numberlinks to order, a catalogue, PDF files.</p>
"""
#: Beside the button that saves a certificate, the program that verifies it.
BUTTON = re.compile(r'<button id="save-certificate".*?</button>', re.DOTALL)
VERIFIER = '<a id="save-verifier" download href="static/verify_certificate.py">Save verifier</a>'


def trimmed(wheel: Path) -> dict[str, bytes]:
    """Return the files of PySAT's wheel that are needed."""
    with ZipFile(wheel) as archive:
        return {
            name: archive.read(name)
            for name in sorted(archive.namelist())
            if not name.startswith(UNUSED) and ".data/" not in name and not name.endswith("RECORD")
        }


def versioned(parent: Path, name: str, files: Mapping[str, bytes]) -> str:
    """Write files into a folder whose name has a hash of them; return that name."""
    digest = sha256()
    for path, data in sorted(files.items()):
        digest.update(f"{path}\0{len(data)}\0".encode() + data)
    folder = parent / f"{name}-{digest.hexdigest()[:10]}"
    folder.mkdir(parents=True)
    for path, data in files.items():
        (folder / path).write_bytes(data)
    return folder.name


def site(pyodide: Path, pysat: Path, folder: Path) -> None:
    """Write the site into a folder that is not there yet."""
    folder.mkdir(parents=True)
    number = json.loads((pyodide / "package.json").read_text("utf-8"))["version"]
    python = {name: (pyodide / name).read_bytes() for name in PYODIDE}
    with TemporaryDirectory() as work:
        library, solver = Path(work, LIBRARY), Path(work, pysat.name)
        library.write_bytes(python[LIBRARY])
        write_wheel(solver, trimmed(pysat))
        wheels = [solver, build(Path(work))]
        program = ROOT / "scripts" / "compile_site.mjs"
        subprocess.run(["node", program, pyodide.resolve(), library, *wheels], check=True)
        python[LIBRARY] = library.read_bytes()
        files = {wheel.name: wheel.read_bytes() for wheel in wheels}
    base = versioned(folder, f"pyodide-{number}", python)
    verifier = ROOT / "src" / "linkoracle" / "certificates" / "verify_certificate.py"
    files |= {path.name: path.read_bytes() for path in (STATIC / "icon.svg", verifier)}
    files["studio.css"] = (STATIC / "studio.css").read_bytes() + (SITE / "site.css").read_bytes()
    # Modules of the site replace those of the installed studio. One file for the page loads faster.
    modules = {
        path.stem: path.read_text("utf-8")
        for place in (STATIC, SITE)
        for path in place.glob("*.js")
    }
    modules["about"] = (
        f"export const ABOUT = {json.dumps(about())};\n"
        f"export const GEOMETRIES = {json.dumps(geometries())};\n"
    )
    modules["manifest"] = (
        f'export const PYODIDE = "../{base}/";\n'
        f"export const WHEELS = {json.dumps([wheel.name for wheel in wheels])};\n"
    )
    modules["studio"] = bundle("studio", modules.__getitem__)
    for name in ("studio", "helpers", "worker", "manifest", "linkoracle"):
        files[f"{name}.js"] = modules[name].encode()
    ours = versioned(folder, f"linkoracle-{version()}", files)
    (folder / "index.html").write_text(page(ours), "utf-8")
    shutil.copy(SITE / "example.html", folder)
    shutil.copy(SITE / "linkoracle.d.ts", folder)
    (folder / "linkoracle.js").write_text(f'export * from "./{ours}/linkoracle.js";\n', "utf-8")


def geometries() -> dict[str, object]:
    """Return the geometries of small squares by the requests of the page, written as it does."""
    ways = (
        {"board": words_asked({"rows": 1, "cols": 1}), "throughCells": way} for way in (False, True)
    )
    texts = (json.dumps(request, separators=(",", ":")) for request in ways)
    return {text: parts_of_board(text) for text in texts}


def page(ours: str) -> str:
    """Return the page of the studio for this site."""
    text = (STATIC / "index.html").read_text("utf-8")
    head = f'<meta http-equiv="content-security-policy" content="{POLICY}">\n'
    assert text.count("<title>") == 1
    text = text.replace("<title>", f"{head}<title>")
    text, number = BUTTON.subn(rf"\g<0> {VERIFIER}", text)
    answer = '<section id="answer"'
    assert number == text.count(answer) == 1
    return text.replace(answer, f"{ALONE}{answer}").replace("static/", f"{ours}/")


def packed(folder: Path) -> int:
    """Return how many bytes the files take as servers send them, compressed."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)


def main(arguments: list[str]) -> None:
    if len(arguments) != 3:
        sys.exit(__doc__)
    folder = Path(arguments[2])
    fresh = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    site(Path(arguments[0]), Path(arguments[1]), fresh)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    print(f"{folder}: {packed(folder) / 1e6:.1f} MB compressed")


if __name__ == "__main__":
    main(sys.argv[1:])
