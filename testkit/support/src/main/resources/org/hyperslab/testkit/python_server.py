"""Runs Python programs, each in a process of its own, without finding and loading its modules again.

    python_server.py MODULES    prints "ready", or "missing" if a module of MODULES is not installed

Each line of standard input asks for a program, in JSON: "argv", whose first word is the path of a
script, or is -c and the second the text of one; "folder"; "output" and "errors", the files that take
what it prints. The answer is a line with its exit code, as a shell tells it.
"""
import gc
import json
import os
import sys
import types


def become(request):
    """Makes this process, forked for it, one that was started with the program."""
    for target, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, request["output"], os.O_WRONLY | os.O_APPEND),
        (2, request["errors"], os.O_WRONLY | os.O_APPEND),
    ):
        opened = os.open(path, flags)
        os.dup2(opened, target)
        os.close(opened)
    os.chdir(request["folder"])
    argv = request["argv"]
    main = types.ModuleType("__main__")
    if argv[0] == "-c":
        sys.argv = argv[:1] + argv[2:]
        sys.path[0] = ""
        code = compile(argv[1], "<string>", "exec")
    else:
        sys.argv = argv
        sys.path[0] = os.path.dirname(os.path.abspath(argv[0]))
        main.__file__ = argv[0]
        with open(argv[0], "rb") as script:
            code = compile(script.read(), argv[0], "exec")
    sys.modules["__main__"] = main
    for name in ("random", "numpy.random"):
        if name in sys.modules:
            sys.modules[name].seed()
    return code, main


def serve():
    """Answers requests; returns in a child with what it is to run, and in the server at the end."""
    while True:
        line = sys.stdin.readline()
        if not line:
            return None
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            return become(request)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(128 - code if code < 0 else code, flush=True)


try:
    for each in sys.argv[1].split(","):
        __import__(each)
except ImportError:
    print("missing", flush=True)
    sys.exit(0)
print("ready", flush=True)
gc.freeze()
server = sys.modules["__main__"]
work = serve()
if work is not None:
    exec(work[0], work[1].__dict__)
