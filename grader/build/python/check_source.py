"""Looks at a submission in Python without running it, and prints what is found as JSON.

usage: check_source.py FILE FUNCTION PARAMETER..."""

import ast
import importlib.util
import json
import os
import sys

# Ways around the harness, or around the kernels: a person should look at why they are needed.
UNUSUAL = {"_ctypes", "_thread", "asyncio", "atexit", "cffi", "concurrent", "ctypes", "gc", "importlib", "inspect",
           "mmap", "multiprocessing", "os", "pickle", "signal", "socket", "subprocess", "threading"}


def imports_of(nodes):
    """Pairs of a line and the first part of a module's name."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.lineno, node.module.split(".")[0]


def is_installed(module):
    return module in sys.builtin_module_names or importlib.util.find_spec(module) is not None


def defined(tree, name):
    """The last function of this name in the module, and whether the name has a value at all."""
    function, has_value = None, False
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == name:
                function, has_value = node, True
        elif any(isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.id == name
                 for inner in ast.walk(node)):
            function, has_value = None, True  # vecadd = something
        elif isinstance(node, (ast.Import, ast.ImportFrom, ast.If, ast.Try, ast.With)):
            has_value = has_value or name in ast.unparse(node)
    return function, has_value


def signature_problem(node, parameters):
    """Why a function cannot be called with so many arguments; nothing if it can."""
    call = f"`{node.name}({', '.join(parameters)})`"
    if isinstance(node, ast.ClassDef):
        return f"`{node.name}` is a class; write a function, which is called as {call}"
    if isinstance(node, ast.AsyncFunctionDef):
        return f"`{node.name}` is a coroutine; write `def {node.name}`, without `async`"
    if any("jit" in ast.unparse(decorator) for decorator in node.decorator_list):
        return (f"`{node.name}` is compiled for the device; write an ordinary function, which is called as {call} and "
                "launches a kernel of another name")
    arguments = node.args
    most = len(arguments.posonlyargs) + len(arguments.args)
    least = most - len(arguments.defaults)
    needs_names = any(default is None for default in arguments.kw_defaults)
    if least <= len(parameters) and (arguments.vararg or len(parameters) <= most) and not needs_names:
        return None
    takes = "1 parameter" if most == 1 else f"{most} parameters"
    return f"`{node.name}` has {takes}; it is called as {call}"


def main():
    path, function, *parameters = sys.argv[1:]
    name = os.path.basename(path)
    found = {"end": "built", "message": "", "imports": []}

    def refuse(end, message, line=None):
        found["end"] = end
        found["message"] = message if line is None else f"{name}:{line}: {message}"

    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(), filename=name)
    except SyntaxError as error:
        refuse("does_not_compile", f"{type(error).__name__}: {error.msg}", error.lineno)
    except (ValueError, RecursionError, MemoryError) as error:
        refuse("does_not_compile", f"{name} cannot be read as Python: {type(error).__name__}")
    else:
        missing = [(line, module) for line, module in imports_of(tree.body) if not is_installed(module)]
        node, has_value = defined(tree, function)
        problem = signature_problem(node, parameters) if node else None
        call = f"{function}({', '.join(parameters)})"
        if missing:
            line, module = missing[0]
            refuse("does_not_compile", f"there is no module `{module}` where submissions run; use numba and numpy", line)
        elif not has_value:
            refuse("missing_function", f"no function `{call}` is defined; write it in {name}")
        elif problem:
            refuse("missing_function", problem, node.lineno)
        seen = set()
        for line, module in imports_of(ast.walk(tree)):
            if module in UNUSUAL and module not in seen:
                seen.add(module)
                found["imports"].append([line, module])
    print(json.dumps(found))


main()
