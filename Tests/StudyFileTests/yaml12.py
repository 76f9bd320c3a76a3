"""The scalars of YAML 1.2's core schema, for the loaders of PyYAML, which has those of YAML 1.1."""

import re

SCALARS = [
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
    ("float", r"^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$", "-+."),
    ("merge", r"^<<$", "<"),
]


def whole_number(loader, node):
    text = loader.construct_scalar(node)
    return int(text, 0) if text[:2] in ("0x", "0o") else int(text)


def number(loader, node):
    text = loader.construct_scalar(node)
    return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))


def teach(loader):
    """Lets a class of loaders read scalars so."""
    loader.yaml_implicit_resolvers = {}
    for tag, pattern, first in SCALARS:
        loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))
    loader.add_constructor("tag:yaml.org,2002:int", whole_number)
    loader.add_constructor("tag:yaml.org,2002:float", number)
