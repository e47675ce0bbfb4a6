"""Runs a workspace's programs on given inputs and says what came out.

    python -I run_hidden_tests.py --observe < request    one line of JSON a job, on standard output
    python -I run_hidden_tests.py WORKSPACE              for people: observes, compares, prints a verdict

Nothing that is expected is known to the process that observes: it holds inputs and, in children
of its own, the workspace's code. What that code says about itself has no weight, since it is
compared with values elsewhere. The verdict of the second form is as good as the machine's walls:
it runs the first form as a child, and keeps it only from what it does not look for.
"""

import _strptime  # noqa: F401 - what workspaces use is loaded once, before children part ways
import atexit
import csv  # noqa: F401
import datetime
import decimal
import fractions
import itertools
import json
import math
import os
import pathlib
import runpy
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import traceback

MOST = 1 << 20  # bytes of one file, one value
SHOWN = 2000  # bytes of what a program printed


# --- a job, in a child -------------------------------------------------------------------------


def plain(value, depth=0):
    """The value as JSON can say it. What JSON has no word for is an object with one key, "$…"."""
    if depth > 60:
        raise ValueError("nested too deeply")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": repr(float(value))}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else f"${key!r}": plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return {"$time": value.isoformat()}
    if isinstance(value, pathlib.PurePath):
        return {"$path": value.as_posix()}
    if isinstance(value, (decimal.Decimal, fractions.Fraction)):
        return {"$number": str(value)}
    return {"$other": type(value).__name__}


def given(value):
    """An argument: {"$time": …} is a moment, all else stands for itself."""
    if isinstance(value, dict) and list(value) == ["$time"]:
        return datetime.datetime.fromisoformat(value["$time"])
    if isinstance(value, dict):
        return {key: given(item) for key, item in value.items()}
    if isinstance(value, list):
        return [given(item) for item in value]
    return value


def script(job):
    sys.argv = list(job["script"])
    sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
    runpy.run_path(sys.argv[0], run_name="__main__")


def calls(jobs, result):
    """Makes the calls of several jobs, and writes a line for each job whose calls all returned."""
    for job in jobs:
        try:
            if (root := os.path.abspath(job.get("root", "."))) not in sys.path:
                sys.path.insert(0, root)
            values = []
            for call in job["calls"]:
                module = __import__(call["module"], fromlist=["*"])
                values.append(plain(getattr(module, call["function"])(*given(call.get("args", [])))))
            os.write(result, (json.dumps({"id": job["id"], "value": values}) + "\n").encode())
        except Exception:
            traceback.print_exc()


def perform(jobs, result):
    code = 0
    try:
        if "script" in jobs[0]:
            script(jobs[0])
        else:
            calls(jobs, result)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if code and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    try:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        code = code or 120
    os._exit(code & 0xFF)


# --- around it, in the parent -------------------------------------------------------------------


def contents(folder, prefix="", found=None):
    """The regular files below a folder, as bytes by path. Links, pipes and the like are left out."""
    found = {} if found is None else found
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                contents(entry.path, prefix + entry.name + "/", found)
            elif entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as file:
                    found[prefix + entry.name] = file.read()
    return found


def under(name, places):
    return any(name == place or name.startswith(place + "/") for place in places)


def prepare(jobs, found, root):
    """Writes a fresh copy: the workspace without what the jobs clear, their own files over it."""
    clear = [place for job in jobs for place in job.get("clear", [])]
    files = {name: data for name, data in found.items() if not under(name, clear)}
    for job in jobs:
        files.update((name, text.encode()) for name, text in job.get("files", {}).items())
    made = set()
    for name, data in files.items():
        path = os.path.join(root, name)
        folder = os.path.dirname(path)
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        with open(path, "wb") as file:
            file.write(data)


def left(root, name):
    """The text of a file that a job left, or None where there is no such regular file."""
    path = os.path.join(root, name)
    try:
        if os.path.realpath(path) != path:
            return None
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return None
            return everything(file).decode("utf-8")
        finally:
            os.close(file)
    except (OSError, ValueError):
        return None


def everything(file):
    chunks, size = [], 0
    while chunk := os.read(file, 65536):
        chunks.append(chunk)
        if (size := size + len(chunk)) > MOST:
            raise ValueError("too large")
    return b"".join(chunks)


def wait(child, seconds):
    """How the child ended: its exit code, minus the signal, or None at the deadline."""
    deadline, pause = time.monotonic() + seconds, 0.0005
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= deadline:
            return None
        time.sleep(pause)
        pause = min(pause * 1.5, 0.01)


def watch(jobs, found, channel, runtime, seconds):
    """Runs the jobs in one child, in one copy, and returns what was seen of each."""
    root = os.path.join(runtime, "workspace")
    os.mkdir(root)
    prepare(jobs, found, root)
    with tempfile.TemporaryFile(dir=runtime) as said, tempfile.TemporaryFile(dir=runtime) as result:
        child = os.fork()
        if child == 0:
            try:
                os.close(channel)
                os.setsid()
                os.chdir(root)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                perform(jobs, result.fileno())
            finally:
                os._exit(121)
        code = wait(child, seconds)
        try:
            os.killpg(child, signal.SIGKILL)
        except OSError:
            pass
        if code is None:
            os.waitpid(child, 0)
        os.lseek(said.fileno(), 0, os.SEEK_SET)
        text = os.read(said.fileno(), 1 << 16)[-SHOWN:].decode("utf-8", "replace")
        state = "ok" if code == 0 else "timeout" if code is None else "failed"
        if "script" in jobs[0]:
            files = {name: left(root, name) for name in jobs[0].get("read", [])}
            return [{"state": state, "exit": code, "said": text, "files": files}]
        os.lseek(result.fileno(), 0, os.SEEK_SET)
        values = returned(result.fileno())
        return [
            {"state": "ok", "exit": code, "said": text, "value": values[job["id"]]} if job["id"] in values
            else {"state": "failed" if state == "ok" else state, "exit": code, "said": text}
            for job in jobs
        ]


def returned(file):
    """The values that calls returned, by job. A line that makes no sense ends them."""
    values = {}
    try:
        for line in everything(file).splitlines():
            entry = json.loads(line, parse_constant=lambda word: {"$float": word})
            values[entry["id"]] = entry["value"]
    except (ValueError, TypeError, LookupError, RecursionError):
        pass
    return values


def groups(jobs):
    """Neighbouring jobs of a workspace that only call functions share a child."""
    for _, group in itertools.groupby(jobs, lambda job: (job["workspace"], job["id"] if "script" in job else "")):
        yield list(group)


def observe():
    sys.dont_write_bytecode = True
    request = json.load(sys.stdin)
    channel = os.dup(1)
    os.dup2(2, 1)
    last, found = None, {}
    for jobs in groups(request["jobs"]):
        runtime = os.path.realpath(tempfile.mkdtemp())
        try:
            if jobs[0]["workspace"] != last:
                last, found = jobs[0]["workspace"], contents(jobs[0]["workspace"])
            seen = watch(jobs, found, channel, runtime, request["seconds"])
        except (OSError, ValueError, RecursionError) as error:
            last = None
            seen = [{"state": "failed", "exit": None, "said": f"{type(error).__name__}: {error}"[:SHOWN]} for _ in jobs]
        shutil.rmtree(runtime, ignore_errors=True)
        for job, one in zip(jobs, seen):
            data = f"{request['token']} {json.dumps({'id': job['id'], **one})}\n".encode()
            while data:
                data = data[os.write(channel, data):]


# --- for people: with the expected values beside it ----------------------------------------------


def parsed(text):
    try:
        return True, json.loads(text, parse_constant=lambda word: {"$float": word})
    except (TypeError, ValueError, RecursionError):
        return False, None


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def holds(check, runs):
    seen = runs[0].get(check["case"], {})
    aspect, file = check["aspect"], check.get("file")
    if aspect == "same":
        texts = [run.get(check["case"], {}).get("files", {}).get(file) for run in runs]
        return len(texts) > 1 and texts[0] is not None and all(text == texts[0] for text in texts)
    if seen.get("state") != "ok" and aspect != "content":
        return False
    if aspect == "runs":
        return True
    ok, value = parsed(seen.get("files", {}).get(file)) if file else ("value" in seen, seen.get("value"))
    if not ok:
        return False
    if aspect in ("equal", "content"):
        return same(value, check["want"])
    if not isinstance(value, list):
        return False
    if aspect == "list":
        return True
    rows = value if value and all(isinstance(row, dict) for row in value) else []
    if aspect == "keys":
        return bool(rows) and all(sorted(row) == sorted(check["want"]) for row in rows)
    if aspect == "order":
        return same([row.get(check["by"]) for row in rows], check["want"])
    raise ValueError(f"unknown aspect {aspect!r}")


def judge(workspace):
    hidden = pathlib.Path(__file__).resolve().parent
    cases = json.loads((hidden / "cases.json").read_text(encoding="utf-8"))
    checks = json.loads((hidden / "expected_checks.json").read_text(encoding="utf-8"))["checks"]
    jobs = [{**case, "workspace": os.path.abspath(workspace)} for case in cases["cases"]]
    runs = []
    for again in range(cases["runs"]):
        token = os.urandom(16).hex()
        wanted = [job for job in jobs if not again or any(check["case"] == job["id"] and check["aspect"] == "same" for check in checks)]
        request = json.dumps({"token": token, "seconds": cases["seconds"], "jobs": wanted})
        done = subprocess.run([sys.executable, "-I", __file__, "--observe"], input=request, capture_output=True, text=True, check=True)
        seen = {}
        for line in done.stdout.splitlines():
            word, _, rest = line.partition(" ")
            if word == token:
                observation = json.loads(rest)
                if observation["id"] in seen:
                    raise ValueError("two observations of one job")
                seen[observation["id"]] = observation
        runs.append(seen)
    tests = {}
    for check in checks:
        tests[check["test"]] = holds(check, runs) and tests.get(check["test"], True)
    passed = sum(tests.values())
    print(json.dumps({
        "success": passed == len(tests), "score": round(passed / len(tests), 6),
        "subscores": {"tests_passed": float(passed), "tests_total": float(len(tests))},
        "failure_labels": [] if passed == len(tests) else ["hidden_tests_failed"],
        "diagnostics": {"tests_run": len(tests), "failures": sorted(name for name, ok in tests.items() if not ok), "errors": []},
    }))
    return 0 if passed == len(tests) else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: run_hidden_tests.py WORKSPACE")
    if sys.argv[1] == "--observe":
        observe()
    else:
        sys.exit(judge(sys.argv[1]))
