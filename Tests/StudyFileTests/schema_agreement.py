"""Whether a JSON-Schema validator agrees with `entrain check` on every fixture.

    python3 Tests/StudyFileTests/schema_agreement.py [SCHEMA CATALOGUE-SCHEMA]

The schemas are what `entrain schema` and `entrain schema --catalogue` write; without them the golden files beside this
script are taken. The fixtures in Fixtures/valid must be valid, and so must the catalogues in Fixtures/valid-catalogues.
Those in Fixtures/invalid and Fixtures/invalid-catalogues are refused by `entrain check` (the Swift tests see to that);
their first line says whether a schema can see why:

    # schema: agrees        the validator must refuse the file, too
    # schema: cannot say    the mistake is one of meaning; the validator must accept the file

Exit status 1 on any disagreement. Needs PyYAML and jsonschema.
"""

import json
import sys
from pathlib import Path

import jsonschema
import yaml

import yaml12

HERE = Path(__file__).resolve().parent


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """libyaml with the scalars of YAML 1.2: `no` and `1:30` are texts, as editors read them."""

    def construct_mapping(self, node, deep=False):
        pairs = super().construct_mapping(node, deep=deep)
        return {key if isinstance(key, str) else str(key): value for key, value in pairs.items()}


yaml12.teach(Loader)


def fault(validator, path):
    """Why the file is refused, or None."""
    try:
        documents = list(yaml.load_all(path.read_text(encoding="utf-8"), Loader))
    except (yaml.YAMLError, ValueError, TypeError) as error:
        return f"not YAML: {error}"
    if len(documents) != 1:
        return "not one document"
    errors = sorted(validator.iter_errors(documents[0]), key=lambda error: list(map(str, error.path)))
    return errors[0].message if errors else None


def main():
    golden = [HERE / "Golden" / "study.schema.json", HERE / "Golden" / "catalogue.schema.json"]
    counts, disagreements = [], []
    for path, kind in zip(map(Path, sys.argv[1:] or golden), ("", "-catalogues"), strict=True):
        count, found = check_fixtures(json.loads(path.read_text(encoding="utf-8")), kind)
        counts.append(count)
        disagreements += found
    for line in disagreements:
        print(line)
    print(f"{counts[0]} studies, {counts[1]} catalogues, {len(disagreements)} disagreements")
    return 1 if disagreements or not all(counts) else 0


def check_fixtures(schema, kind):
    """How many files there are of a kind, and where the validator and the program disagree on them."""
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    disagreements = check_examples(schema)
    valid, invalid = (sorted((HERE / "Fixtures" / (name + kind)).glob("*.yaml")) for name in ("valid", "invalid"))
    for path in valid + invalid:
        found = fault(validator, path)
        first = path.read_text(encoding="utf-8").splitlines()[0]
        must_refuse = path in invalid and first == "# schema: agrees"
        if path in invalid and first not in ("# schema: agrees", "# schema: cannot say"):
            disagreements.append(f"{path.name}: the first line does not say what a schema can see")
        elif must_refuse != (found is not None):
            disagreements.append(f"{path.parent.name}/{path.name}: {found or 'the validator accepts it'}")
    return len(valid + invalid), disagreements


def check_examples(schema):
    """Every example of the schema must be valid where it stands."""
    faults = []

    def visit(node, place):
        if isinstance(node, dict):
            for example in node.get("examples", []) if isinstance(node.get("examples"), list) else []:
                rest = dict(node, definitions=schema["definitions"])
                error = jsonschema.exceptions.best_match(jsonschema.Draft7Validator(rest).iter_errors(example))
                if error is not None:
                    faults.append(f"example of {place}: {error.message}")
            for key, value in node.items():
                if key not in ("examples", "default", "enum", "const"):
                    visit(value, place + "/" + key)
        elif isinstance(node, list):
            for index, value in enumerate(node):
                visit(value, f"{place}/{index}")

    visit(schema["definitions"], "")
    return faults


if __name__ == "__main__":
    sys.exit(main())
