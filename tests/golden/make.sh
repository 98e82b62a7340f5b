#!/usr/bin/env bash
# Remakes every golden file in this folder: the pinned packages go into a virtual environment (in the folder given, else in
# a temporary one that is removed afterwards), then each script runs. Nothing may differ from what is committed.
# usage: tests/golden/make.sh [FOLDER]     (Python 3.11 to 3.13; about 700 MB of downloads; x86-64 Linux also needs gcc)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 0 ]; then
    venv=$1
else
    venv=$(mktemp -d)
    trap 'rm -rf "$venv"' EXIT
fi
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
python3 -m venv "$venv"
python="$venv/bin/python"
"$python" -m pip install --quiet --no-deps --requirement "$here/requirements.txt"
"$python" "$here/torch_stubs.py"
"$python" "$here/onnx_cases.py"
"$python" "$here/torch_cases.py"
"$python" "$here/real.py"
git -C "$here" status --short -- . | sed 's/^/differs from what is committed: /'
