"""Whether PyYAML and a reader of YAML 1.2's core schema read the same: one line for each document of a file.

    python3 Tests/StudyFileTests/other_readers.py FILE

The documents are separated by NUL. A line says `same`, `differs` or `refused` (by PyYAML). Needs PyYAML.
"""

import sys

import yaml

import yaml12


class Core(yaml.SafeLoader):
    """PyYAML with the scalars of YAML 1.2."""


yaml12.teach(Core)


def verdict(text):
    try:
        older = yaml.load(text, yaml.SafeLoader)
    except (yaml.YAMLError, ValueError):
        return "refused"
    # Their written forms tell 1 from True, and make nan the same as nan.
    return "same" if repr(older) == repr(yaml.load(text, Core)) else "differs"


for document in open(sys.argv[1], encoding="utf-8", newline="").read().split("\0"):
    print(verdict(document))
