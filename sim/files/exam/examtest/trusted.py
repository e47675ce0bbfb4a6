"""Observes code that a test made itself: all cases of many workspaces in this one process.

    python -I trusted.py RUNNER < requests

Standard input is requests of the observer's, one after the other; its source is RUNNER. What is written
is what the observer writes, only that no case has a process, nor walls, of its own: starting them
costs more than the cases do.
"""

import contextlib
import io
import json
import os
import runpy
import shutil
import sys
import tempfile

runner = runpy.run_path(sys.argv[1], run_name="runner")


def ended(perform):
    """How a script ended, and what it printed."""
    said, code = io.StringIO(), 0
    argv, path, modules, cwd = sys.argv, list(sys.path), set(sys.modules), os.getcwd()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            perform()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException as error:
            code = 1
            print(f"{type(error).__name__}: {error}")
    sys.argv, sys.path[:] = argv, path
    os.chdir(cwd)
    sys.path_importer_cache.clear()
    for name in set(sys.modules) - modules:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if not os.path.isabs(file) or file.startswith(home):
            del sys.modules[name]
    return code, said.getvalue()[-2000:]


def observe(jobs, found):
    root = tempfile.mkdtemp(dir=home)
    runner["prepare"](jobs, found, root)
    seen = []

    def perform():
        os.chdir(root)
        if "script" in jobs[0]:
            runner["script"](jobs[0])
        else:
            with tempfile.TemporaryFile(dir=home) as result:
                runner["calls"](jobs, result.fileno())
                os.lseek(result.fileno(), 0, os.SEEK_SET)
                seen.append(runner["returned"](result.fileno()))

    code, said = ended(perform)
    if "script" in jobs[0]:
        files = {name: runner["left"](root, name) for name in jobs[0].get("read", [])}
        answers = [{"state": "failed" if code else "ok", "exit": code, "said": said, "files": files}]
    else:
        values = seen[0] if seen else {}
        answers = [
            {"state": "ok", "exit": 0, "said": said, "value": values[job["id"]]} if job["id"] in values
            else {"state": "failed", "exit": code, "said": said}
            for job in jobs
        ]
    shutil.rmtree(root)
    return answers


home = os.path.realpath(tempfile.mkdtemp())
sys.dont_write_bytecode = True
try:
    while request := runner["receive"]():
        last, found, observed = None, {}, 0
        for _ in range(request["units"]):
            jobs = runner["receive"]()
            if jobs[0]["workspace"] != last:
                last = jobs[0]["workspace"]
                found = runner["contents"](last)
            for job, one in zip(jobs, observe(jobs, found)):
                print(request["token"], json.dumps({"id": job["id"], **one}))
                observed += 1
        print(request["token"], json.dumps({"observed": observed}))
finally:
    shutil.rmtree(home, ignore_errors=True)
