"""Runs a workspace's programs on given inputs and says what came out.

    python -I run_hidden_tests.py --observe < request    one line of JSON a job, on standard output, and one at the end
    python -I run_hidden_tests.py WORKSPACE              for people: observes, compares, prints a verdict

Nothing that is expected is known to the process that observes: it holds inputs and, in children
of its own, the workspace's code. What that code says about itself has no weight, since it is
compared with values elsewhere. The verdict of the second form is as good as the machine's walls:
it runs the first form as a child, and keeps it only from what it does not look for.
"""

import atexit
import datetime
import errno
import itertools
import json
import math
import os
import pathlib
import runpy
import select
import shutil
import signal
import stat
import sys
import tempfile
import threading
import time

MOST = 1 << 20  # bytes of one file, one value
SHOWN = 2000  # bytes of what a program printed


# --- a job, in a child -------------------------------------------------------------------------


def numbers():
    """The exact numbers of Python, as far as somebody has loaded them."""
    places = ("decimal", "Decimal"), ("fractions", "Fraction")
    return tuple(getattr(sys.modules[module], name) for module, name in places if module in sys.modules)


OURS = __file__, "<frozen runpy>"


def complain(error):
    """Prints what was raised, from where the workspace's code begins. What only that needs is not
    loaded before."""
    import traceback

    place = error.__traceback__
    while place and place.tb_next and place.tb_frame.f_code.co_filename in OURS:
        place = place.tb_next
    traceback.print_exception(error.with_traceback(place))


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
    if isinstance(value, numbers()):
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
        except Exception as error:
            complain(error)


def perform(jobs, result):
    """Does a unit of jobs, and returns the exit code that a process of its own would have."""
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
    except BaseException as error:
        complain(error)
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
    return code & 0xFF


LIBRARY = os.path.dirname(os.path.realpath(os.__file__)) + os.sep


def library(module):
    """Whether a module is Python's own, which another unit may meet as it was left."""
    file = getattr(module, "__file__", None)
    if file is None:
        return getattr(module, "__name__", "") in sys.builtin_module_names
    return isinstance(file, str) and os.path.realpath(file).startswith(LIBRARY)


def forget(modules, path, environment, streams):
    """Puts back what a unit may have changed and the next one must not meet: as far as honest code
    goes, that one then runs as if in a process of its own."""
    sys.stdin, sys.stdout, sys.stderr = streams
    sys.argv, sys.path[:] = [""], path
    for name, module in list(sys.modules.items()):
        if name not in modules and not library(module):
            del sys.modules[name]
    sys.modules.update(modules)
    sys.path_importer_cache.clear()
    if dict(os.environ) != environment:
        os.environ.clear()
        os.environ.update(environment)
    if "decimal" in sys.modules:
        sys.modules["decimal"].setcontext(sys.modules["decimal"].DefaultContext.copy())


def each(units, first, roots, said, result, done):
    """Does the units in turn, each in its own folder, and says of each when it is done and how it
    ended."""
    before = dict(sys.modules), list(sys.path), dict(os.environ), (sys.stdin, sys.stdout, sys.stderr)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number in range(first, len(units)):
        os.chdir(roots[number])
        os.dup2(said[number], 1)
        os.dup2(said[number], 2)
        code = perform(units[number], result)
        os.write(done, f"{number} {code}\n".encode())
        forget(*before)


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


# What a machine lacks, and no workspace.
LACKING = errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EIO


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
    except OSError as error:
        if error.errno in LACKING:
            raise
        return None
    except ValueError:
        return None


def everything(file):
    chunks, size = [], 0
    while chunk := os.read(file, 65536):
        chunks.append(chunk)
        if (size := size + len(chunk)) > MOST:
            raise ValueError("too large")
    return b"".join(chunks)


def ended(child, done, first, last, seconds):
    """How units ended: their exit codes, as far as the child did them; then that of the child itself,
    if it ended in the midst of one: minus the signal, or None at the deadline."""
    codes, text, deadline = [], b"", time.monotonic() + seconds
    while True:
        gone, status = os.waitpid(child, os.WNOHANG)
        ready, _, _ = select.select([done], [], [], 0 if gone else 0.01)
        while ready and (chunk := os.read(done, 4096)):
            text += chunk
            ready, _, _ = select.select([done], [], [], 0)
        while b"\n" in text:
            line, _, text = text.partition(b"\n")
            number, _, code = line.partition(b" ")
            if number == str(first + len(codes)).encode() and code.isdigit() and len(codes) < last - first:
                codes.append(int(code) & 0xFF)
                deadline = time.monotonic() + seconds
        if len(codes) == last - first:
            return codes, gone
        if gone:
            return codes + [os.waitstatus_to_exitcode(status)], gone
        if time.monotonic() >= deadline:
            return codes + [None], gone


def attempt(units, first, roots, said, channel, seconds):
    """Has one child do the units from the first on. Returns how they ended, as far as it came, and
    what calls returned."""
    with tempfile.TemporaryFile(dir=os.path.dirname(os.path.dirname(roots[0]))) as result:
        done, tell = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(channel)
                os.close(done)
                os.setsid()
                each(units, first, roots, said, result.fileno(), tell)
                os._exit(0)
            finally:
                os._exit(121)
        os.close(tell)
        try:
            codes, gone = ended(child, done, first, len(units), seconds)
        finally:
            os.close(done)
        reap(child, gone)
        os.lseek(result.fileno(), 0, os.SEEK_SET)
        return codes, returned(result.fileno())


def unnamed(folder):
    """A file that no path leads to."""
    file, path = tempfile.mkstemp(dir=folder)
    os.unlink(path)
    return file


def told(jobs, root, file, code, values):
    """What was seen of each job of a unit."""
    os.lseek(file, 0, os.SEEK_SET)
    text = os.read(file, 1 << 16).decode("utf-8", "replace")
    text = text.replace(root, "/workspace").replace(os.path.dirname(root), "/tmp").replace(__file__, "observer")[-SHOWN:]
    state = "ok" if code == 0 else "timeout" if code is None else "failed"
    if "script" in jobs[0]:
        files = {name: left(root, name) for name in jobs[0].get("read", [])}
        return [{"state": state, "exit": code, "said": text, "files": files}]
    return [
        {"state": "ok", "exit": code, "said": text, "value": values[job["id"]]} if job["id"] in values
        else {"state": "failed" if state == "ok" else state, "exit": code, "said": text}
        for job in jobs
    ]


def waited(child, seconds):
    """The exit status that the kernel has of a child, minus the signal; None at the deadline."""
    deadline, pause = time.monotonic() + seconds, 0.001
    while True:
        gone, status = os.waitpid(child, os.WNOHANG)
        if gone:
            return os.waitstatus_to_exitcode(status), True
        if time.monotonic() >= deadline:
            return None, False
        time.sleep(pause)
        pause = min(2 * pause, 0.01)


def reap(child, gone):
    """Ends what is left of a child's session."""
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        pass
    if not gone:
        try:
            os.kill(child, signal.SIGKILL)  # it may not have come to its session
        except OSError:
            pass
        os.waitpid(child, 0)


def alone(jobs, found, seconds):
    """Does a unit in a child and a folder of its own. The child has no descriptor but its standard
    streams and, for calls, the file that takes their values: nothing that it could write says how it
    ended."""
    runtime = os.path.realpath(tempfile.mkdtemp())
    said = result = -1
    try:
        root = os.path.join(runtime, "workspace")
        os.makedirs(root)
        prepare(jobs, found, root)
        said, result = unnamed(runtime), unnamed(runtime)
        child = os.fork()
        if child == 0:
            try:
                os.setsid()
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(said, 1)
                os.dup2(said, 2)
                values = os.dup2(result, MOST_OPEN)
                os.closerange(3, MOST_OPEN)
                if "script" in jobs[0]:
                    os.close(values)
                os.chdir(root)
                os._exit(perform(jobs, values))
            finally:
                os._exit(121)
        gone = False
        try:
            code, gone = waited(child, seconds)
        finally:
            reap(child, gone)
        os.lseek(result, 0, os.SEEK_SET)
        return told(jobs, root, said, code, returned(result))
    finally:
        for file in said, result:
            if file >= 0:
                os.close(file)
        shutil.rmtree(runtime, ignore_errors=True)


def watch(work, channel, runtime, seconds):
    """Does units of jobs, each in a copy of its own of what was found, and returns what was seen of
    each job. One child does them all, because starting one costs more than most units; where it
    ends in the midst of one, another child goes on after that. This is for code that whoever asks
    has made: what the child says of how units ended is believed."""
    roots, said, codes, values = [], [], [], {}
    units = [jobs for jobs, _ in work]
    try:
        for number, (jobs, found) in enumerate(work):
            roots.append(os.path.join(runtime, str(number), "workspace"))
            os.makedirs(roots[-1])
            prepare(jobs, found, roots[-1])
            said.append(unnamed(runtime))
        while len(codes) < len(units):
            if codes.count(None) >= PATIENCE:
                codes.append(None)
                continue
            more, answers = attempt(units, len(codes), roots, said, channel, seconds)
            codes += more
            values = {**answers, **values}
        return [one for at in zip(units, roots, said, codes) for one in told(*at, values)]
    finally:
        for file in said:
            os.close(file)


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


PATIENCE = 2  # units of a workspace that are waited for in vain; the rest is then not begun
MOST_UNITS, MOST_COPIED = 48, 8 << 20  # of one child: units, and bytes of their copies
MOST_OPEN = 128  # the observer itself never has as many descriptors


def shares(units):
    """Units that share a child, each with what was found in its workspace."""
    some, size, workspace, found = [], 0, None, None
    for unit in units:
        if unit[0]["workspace"] != workspace:
            workspace = unit[0]["workspace"]
            found = contents(workspace)
        more = sum(map(len, found.values()))
        if some and (len(some) == MOST_UNITS or size + more > MOST_COPIED):
            yield some
            some, size = [], 0
        some.append((unit, found))
        size += more
    if some:
        yield some


def preload():
    """Loads what workspaces use, once, where many children would load it."""
    for name in ("_strptime", "argparse", "csv", "decimal"):
        __import__(name)


def receive():
    """Reads one message: its length on a line, then JSON. Not a byte more is read, so that what
    comes later is in nobody's memory before. None at the end."""
    size = b""
    while not size.endswith(b"\n"):
        if not (byte := os.read(0, 1)):
            return None
        size += byte
    chunks, missing = [], int(size)
    while missing:
        if not (chunk := os.read(0, missing)):
            return None
        chunks.append(chunk)
        missing -= len(chunk)
    return json.loads(b"".join(chunks))


def trouble(jobs, error):
    """What is said of jobs that could not be observed. Whose fault that is, others find out."""
    word = f"{type(error).__name__}: {error}"[:SHOWN]
    return [{"state": "failed", "exit": None, "said": word, "trouble": word} for _ in jobs]


def in_turn(units, seconds):
    """Does units one after the other, each alone, and yields what was seen of it before the next is
    read."""
    workspace, found, vain = None, None, {}
    for _ in range(units):
        jobs = receive()
        try:
            if jobs[0]["workspace"] != workspace:
                workspace, found = None, None
                found = contents(jobs[0]["workspace"])
                workspace = jobs[0]["workspace"]
            if vain.get(workspace, 0) >= PATIENCE:
                seen = [{"state": "timeout", "exit": None, "said": ""} for _ in jobs]
            else:
                seen = alone(jobs, found, seconds)
        except (OSError, ValueError, RecursionError) as error:
            seen = trouble(jobs, error)
        if seen[0]["state"] == "timeout":
            vain[workspace] = vain.get(workspace, 0) + 1
        yield jobs, seen


def sharing(units, channel, seconds):
    """Does units that share children, and yields what was seen of those of each child."""
    for work in shares([receive() for _ in range(units)]):
        jobs = [job for unit, _ in work for job in unit]
        runtime = os.path.realpath(tempfile.mkdtemp())
        try:
            seen = watch(work, channel, runtime, seconds)
        except (OSError, ValueError, RecursionError) as error:
            seen = trouble(jobs, error)
        shutil.rmtree(runtime, ignore_errors=True)
        yield jobs, seen


def observe():
    sys.dont_write_bytecode = True
    request = receive()
    if request["units"] > 4:
        preload()
    channel = os.dup(1)
    os.dup2(2, 1)

    def say(entry):
        data = f"{request['token']} {json.dumps(entry)}\n".encode()
        while data:
            data = data[os.write(channel, data):]

    observed = 0
    if request.get("together"):
        work = sharing(request["units"], channel, request["seconds"])
    else:
        work = in_turn(request["units"], request["seconds"])
    for jobs, seen in work:
        for job, one in zip(jobs, seen):
            say({"id": job["id"], **one})
            observed += 1
    say({"observed": observed})


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


def holds(check, runs, workspace):
    seen = runs[0].get(check["case"], {})
    aspect, file = check["aspect"], check.get("file")
    if aspect == "content":
        ok, value = parsed(left(workspace, file))
        return ok and same(value, check["want"])
    if aspect == "same":
        texts = [run.get(check["case"], {}).get("files", {}).get(file) for run in runs]
        return len(texts) > 1 and texts[0] is not None and all(text == texts[0] for text in texts)
    if seen.get("state") != "ok":
        return False
    if aspect == "runs":
        return True
    ok, value = parsed(seen.get("files", {}).get(file)) if file else ("value" in seen, seen.get("value"))
    if not ok:
        return False
    if aspect == "equal":
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


def units(cases):
    """A script each, or neighbours that call functions; what is given less comes first, so that
    nothing is given to a case that another one, later, is to find by itself."""
    groups = [list(group) for _, group in itertools.groupby(cases, lambda case: case["id"] if "script" in case else "")]
    return sorted(groups, key=lambda group: len({name for case in group for name in case.get("files", {})}))


def starts(cases, checks, runs):
    """The units of each start: what is given nothing, and what has to come out the same again; then
    that again, and all else."""
    again = {check["case"] for check in checks if check["aspect"] == "same"}
    repeats = lambda group: any(case["id"] in again for case in group)
    own = lambda group: not any(case.get("files") for case in group)
    groups = units(cases)
    if runs == 1:
        return [groups]
    return [[g for g in groups if own(g) or repeats(g)], [g for g in groups if repeats(g) or not own(g)]]


def messages(*values):
    return b"".join(b"%d\n%s" % (len(text), text) for text in (json.dumps(value).encode() for value in values))


def judge(workspace):
    import subprocess

    workspace = os.path.realpath(workspace)
    hidden = pathlib.Path(__file__).resolve().parent
    cases = json.loads((hidden / "cases.json").read_text(encoding="utf-8"))
    checks = json.loads((hidden / "expected_checks.json").read_text(encoding="utf-8"))["checks"]
    stills = {check["id"]: holds(check, [{}], workspace) for check in checks if check["aspect"] == "content"}
    runs = [{}, {}][: cases["runs"]]
    for groups in starts(cases["cases"], checks, cases["runs"]):
        token = os.urandom(16).hex()
        wanted = [[{**case, "workspace": workspace} for case in group] for group in groups]
        request = messages({"token": token, "seconds": cases["seconds"], "units": len(wanted)}, *wanted)
        done = subprocess.run([sys.executable, "-I", __file__, "--observe"], input=request, capture_output=True, check=True)
        seen = {}
        for line in done.stdout.decode().splitlines():
            word, _, rest = line.partition(" ")
            if word == token and "id" in (observation := json.loads(rest)):
                if observation["id"] in seen:
                    raise ValueError("two observations of one job")
                seen[observation["id"]] = observation
        for name, one in seen.items():
            runs[name in runs[0]][name] = one
    tests = {}
    for check in checks:
        held = stills[check["id"]] if check["id"] in stills else holds(check, runs, workspace)
        tests[check["test"]] = held and tests.get(check["test"], True)
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
