"""Whether a JSON-Schema validator agrees with `entrain check` on every fixture.

    python3 Tests/StudyFileTests/schema_agreement.py [SCHEMA]

SCHEMA is what `entrain schema` writes; without it the golden file beside this script is taken. The fixtures
in Fixtures/valid must be valid. Those in Fixtures/invalid are refused by `entrain check` (the Swift tests see
to that); their first line says whether a schema can see why:

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
    default = HERE / "Golden" / "study.schema.json"
    schema = json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else default).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    disagreements = check_examples(schema)
    fixtures = sorted((HERE / "Fixtures").glob("*/*.yaml"))
    for path in fixtures:
        found = fault(validator, path)
        first = path.read_text(encoding="utf-8").splitlines()[0]
        must_refuse = path.parent.name == "invalid" and first == "# schema: agrees"
        if path.parent.name == "invalid" and first not in ("# schema: agrees", "# schema: cannot say"):
            disagreements.append(f"{path.name}: the first line does not say what a schema can see")
        elif must_refuse != (found is not None):
            disagreements.append(f"{path.parent.name}/{path.name}: {found or 'the validator accepts it'}")
    for line in disagreements:
        print(line)
    print(f"{len(fixtures)} fixtures, {len(disagreements)} disagreements")
    return 1 if disagreements or not fixtures else 0


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
