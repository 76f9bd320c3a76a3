#!/bin/sh
# Compares datasets and their analysis with other programs: check.sh ENTRAIN [DESIGNS]
# DESIGNS is how many random crossovers are compared with mixed models of others; 50 without it.
#
# Python's packages come from PyPI into .build/datasets-python. PySpark is large and is asked only where the python3
# of the system has it, or with SPARK=install.
set -eu
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: check.sh ENTRAIN [DESIGNS]" >&2; exit 64; }
entrain=$(realpath "$1")
cd "$(dirname "$0")/../.."
python=.build/datasets-python/bin/python
wanted="duckdb pandas scipy statsmodels frictionless pyarrow polars pyreadstat"
# These versions were tried; a Python that is too old or too new for them takes its own.
tried="duckdb==2.0.0 pandas==3.1.1 scipy statsmodels==0.15.0 frictionless==5.21.0 pyarrow==26.0.1 polars==2.1.0 pyreadstat"
if [ "${SPARK:-}" = install ]; then
    wanted="$wanted pyspark"
    tried="$tried pyspark"
fi
[ -x "$python" ] || python3 -m venv --system-site-packages .build/datasets-python || {
    echo "skipped: python3 can make no environment; install python3-venv" >&2
    exit 0
}
install() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }
# shellcheck disable=SC2086
install $tried || install $wanted || {
    echo "skipped: PyPI cannot be reached for $wanted" >&2
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$entrain" rehearse Studies/music-crossover.yaml --participants 24 --out "$work/bundles" >"$work/rehearsed" ||
    { cat "$work/rehearsed"; exit 1; }
"$python" Tests/DatasetsTests/agreement.py "$entrain" "$work/bundles" >"$work/agreement" || { cat "$work/agreement"; exit 1; }
tail -1 "$work/agreement"
# Of R, lmerTest is asked where it is installed: apt install r-cran-lmertest r-cran-jsonlite.
"$python" Tests/DatasetsTests/contrasts_agreement.py "$entrain" "$work/bundles" "${2:-50}"
"$python" Tests/DatasetsTests/outcomes_agreement.py "$entrain" "$work/bundles"
"$python" Tests/DatasetsTests/scripts.py "$entrain" "$work/bundles" >"$work/scripts" || { cat "$work/scripts"; exit 1; }
tail -1 "$work/scripts"
"$python" Tests/DatasetsTests/robustness.py "$entrain" >"$work/robustness" || { cat "$work/robustness"; exit 1; }
"$python" Tests/DatasetsTests/crossovers.py "$entrain" --studies 40 >"$work/crossovers" || { cat "$work/crossovers"; exit 1; }
tail -1 "$work/crossovers"
"$python" Tests/DatasetsTests/power_agreement.py "$entrain" >"$work/power" || { cat "$work/power"; exit 1; }
tail -1 "$work/power"
"$python" Tests/DatasetsTests/sql_agreement.py "$entrain" "$work/bundles" 2>"$work/spark" ||
    { cat "$work/spark"; exit 1; }
"$python" Tests/DatasetsTests/sql_agreement.py "$entrain" "$work/bundles" --sites duckdb ${SPARK:+spark} 2>"$work/spark" ||
    { cat "$work/spark"; exit 1; }
mkdir "$work/Studies"
cp -r Media "$work"
cp Tests/DatasetsTests/two-sources.yaml "$work/Studies"
"$entrain" rehearse "$work/Studies/two-sources.yaml" --participants 8 --out "$work/two" >"$work/rehearsed"
"$python" Tests/DatasetsTests/sql_agreement.py "$entrain" "$work/two" duckdb
"$python" Tests/DatasetsTests/traps.py "$entrain"
"$python" Tests/DatasetsTests/spss_agreement.py "$entrain" "$work/spss"
"$python" Tests/DatasetsTests/csv_defaults.py "$entrain"
"$python" Tests/DatasetsTests/parquet_agreement.py "$entrain"
"$python" Tests/DatasetsTests/leaks.py "$entrain" --values 1000 >"$work/leaks" || { cat "$work/leaks"; exit 1; }
tail -1 "$work/leaks"
"$python" Tests/DatasetsTests/collate_faults.py "$entrain" >"$work/faults" || { cat "$work/faults"; exit 1; }
"$python" Tests/DatasetsTests/examples.py "$entrain" "$work/bundles" --swift .build/examples
