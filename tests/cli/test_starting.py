"""Ctrl-C while a program is still loading: one line and the documented status, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

#: Starts a program like its console script. Ctrl-C comes when the module named first is imported.
INTERRUPTED = """
import sys
at = sys.argv.pop(1)

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            import os, signal
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
"""
#: What may be loaded before a program sees to Ctrl-C; all but ours is small.
BEFORE = {"linkoracle", "linkoracle.__main__", "linkoracle.core", "warnings", "__future__", "gc"}
PROGRAMS = {
    "linkoracle": "from linkoracle.__main__ import main\nmain()",
    "count-solutions": "from linkoracle.__main__ import count_solutions\ncount_solutions()",
    "python -m linkoracle": "import runpy\nrunpy.run_module('linkoracle', run_name='__main__')",
}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "module", ["linkoracle.cli", "click", "linkoracle.core.errors", "linkoracle.cli.program"]
)
def test_ctrl_c_while_loading(program, module):
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED + PROGRAMS[program], module, "--help"],
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("module", ["numpy", "numpy.linalg", "numpy.lib.format"])
def test_ctrl_c_while_a_command_loads_numpy(module):
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            INTERRUPTED + PROGRAMS["linkoracle"],
            module,
            *["loops", "4", "4", "--list"],
        ],
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("program", PROGRAMS)
def test_nobody_loads_before_ctrl_c_is_seen_to(program):
    """What is loaded before that: the package, which is empty, and what Python has loaded.

    `typing` alone would take longer than all of it.
    """
    check = f"""
import runpy, signal, sys
def seen_to(*_):
    print(*(name for name in sys.modules.keys() - before if not name.startswith('importlib')))
    raise SystemExit
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal, usual = seen_to, signal.signal
before = set(sys.modules)
{PROGRAMS[program]}
"""
    ended = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert ended.stderr == ""
    assert set(ended.stdout.split()) <= BEFORE


@pytest.mark.parametrize(("given", "there"), [(None, "1"), ("2", "2")])
def test_no_threads_are_started_for_matrices(given, there):
    """Unless OPENBLAS_NUM_THREADS is set."""
    program = (
        "import os, sys\n"
        "from linkoracle.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    import numpy\n"
        "tasks = '/proc/self/task'\n"
        "alone = not os.path.exists(tasks) or len(os.listdir(tasks)) == 1\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'], alone)"
    )
    environment = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    if given is not None:
        environment["OPENBLAS_NUM_THREADS"] = given
    ended = subprocess.run(
        [sys.executable, "-c", program, "--version"],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    threads, alone = ended.stdout.split()[-2:]
    assert threads == there
    assert given is not None or alone == "True"


@pytest.mark.parametrize(("what", "loaded"), [((), False), (("--longest",), True)])
def test_counting_a_blank_board_loads_no_numpy(what, loaded):
    """Nor SQLite: the whole program then takes less memory than it would to load them."""
    program = (
        "import sys\n"
        "from linkoracle.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        "print('numpy' in sys.modules, 'sqlite3' in sys.modules)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, "loops", "8", "8", *what],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.splitlines()[-1] == f"{loaded} False"
