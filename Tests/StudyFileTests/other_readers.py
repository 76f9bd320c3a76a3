"""Whether PyYAML and a reader of YAML 1.2's core schema read the same: one line for each document of a file.

    python3 Tests/StudyFileTests/other_readers.py FILE

The documents are separated by NUL. A line says `same`, `differs` or `refused` (by PyYAML). Needs PyYAML.
"""

import re
import sys

import yaml


class Core(yaml.SafeLoader):
    """PyYAML with the scalars of YAML 1.2."""


def resolve(tag, pattern, first):
    Core.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))


Core.yaml_implicit_resolvers = {}
resolve("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""])
resolve("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF")
resolve("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", "-+0123456789")
resolve("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789")
resolve("float", r"^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$", "-+.")
resolve("merge", r"^<<$", "<")


def whole_number(loader, node):
    text = loader.construct_scalar(node)
    return int(text, 0) if text[:2] in ("0x", "0o") else int(text)


def number(loader, node):
    text = loader.construct_scalar(node)
    return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))


Core.add_constructor("tag:yaml.org,2002:int", whole_number)
Core.add_constructor("tag:yaml.org,2002:float", number)


def verdict(text):
    try:
        older = yaml.load(text, yaml.SafeLoader)
    except (yaml.YAMLError, ValueError):
        return "refused"
    # Their written forms tell 1 from True, and make nan the same as nan.
    return "same" if repr(older) == repr(yaml.load(text, Core)) else "differs"


for document in open(sys.argv[1], encoding="utf-8", newline="").read().split("\0"):
    print(verdict(document))
