"""Lets the Linux torch wheel of PyPI be imported on a machine without CUDA packages.

PyPI has no x86-64 Linux wheel of torch for the CPU alone: the one it has is linked against about 2.5 GB of CUDA libraries,
which computing on the CPU never calls. This script reads which of those shared libraries the wheel asks for and which
symbols it takes from them, and puts empty ones of the same names beside torch's own: every function in them returns 100,
CUDA's code for "no device". Nothing of CUDA is copied, and torch then finds no GPU and computes on the CPU.

usage: python torch_stubs.py     (in the virtual environment that has torch; needs gcc and binutils)"""
import collections, ctypes, glob, importlib.util, os, re, subprocess, tempfile

LIB = os.path.join(os.path.dirname(importlib.util.find_spec("torch").origin), "lib")


def out(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def loads(name):
    try:
        ctypes.CDLL(name)
        return True
    except OSError:
        return False


own = sorted(glob.glob(os.path.join(LIB, "*.so*")))
names = {os.path.basename(f) for f in own}
needed, file_of, wanted, defined = set(), {}, set(), set()
for f in own:
    needed |= set(re.findall(r"\(NEEDED\).*\[(.+?)\]", out("readelf", "-dW", f)))
    file = None
    for line in out("readelf", "-VW", f).splitlines():
        if m := re.search(r"File: (\S+)", line):
            file = m[1]
        elif file and (m := re.search(r"Name: (\S+)\s+Flags: \S.*Version: \d+", line)):
            file_of[m[1]] = file
    for line in out("nm", "-D", f).splitlines():
        kind, symbol = line.split()[-2:]
        (wanted if kind == "U" else defined).add(symbol)

missing = sorted(n for n in needed - names if not loads(n))
stub = {n: collections.defaultdict(set) for n in missing}
for symbol in wanted:
    name, _, version = symbol.partition("@")
    if version:
        if file_of.get(version) in stub:
            stub[file_of[version]][version].add(name)
    elif name not in defined and re.match(r"_*(cu|nccl|nvshmem|nvrtc|nvtx|cudnn)", name) and missing:
        stub[missing[0]][""].add(name)
with tempfile.TemporaryDirectory() as tmp:
    for name, versions in stub.items():
        c, v = os.path.join(tmp, "stub.c"), os.path.join(tmp, "stub.map")
        with open(c, "w") as f:
            f.writelines(f"int {s}(void) {{ return 100; }}\n" for s in sorted(set().union(*versions.values())))
        command = ["gcc", "-shared", "-fPIC", "-w", "-fno-builtin", f"-Wl,-soname,{name}", "-o", os.path.join(LIB, name), c]
        named = {k: s for k, s in versions.items() if k}
        if named:
            with open(v, "w") as f:
                f.writelines(f"{k} {{ global: {'; '.join(sorted(s))}; }};\n" for k, s in sorted(named.items()))
            command.append(f"-Wl,--version-script={v}")
        subprocess.run(command, check=True)
        print(name, sum(map(len, versions.values())), "functions")
