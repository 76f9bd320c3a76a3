"""Changes bundles so that they are whole again, for checks of what is made of them."""

import hashlib
import json
import os


def seal(bundle):
    """Makes manifest and sums say what the files now are."""
    digest = lambda path: hashlib.sha256(open(f"{bundle}/{path}", "rb").read()).hexdigest()
    manifest = json.load(open(f"{bundle}/manifest.json"))
    for file in manifest["files"]:
        file["bytes"] = os.path.getsize(f"{bundle}/{file['path']}")
        file["sha256"] = digest(file["path"])
    write(f"{bundle}/manifest.json", manifest)
    paths = sorted([f["path"] for f in manifest["files"]] + ["manifest.json"])
    open(f"{bundle}/SHA256SUMS", "w").write("".join(f"{digest(p)}  {p}\n" for p in paths))


def write(path, value):
    json.dump(value, open(path, "w"), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def answer(bundle, text):
    """Makes `text` the answer to the one question of a bundle."""
    path = f"{bundle}/result.json"
    result = json.load(open(path))
    (found,) = [r for s in result["results"] for r in s["results"] if "textAnswer" in r or "Question" in r["_class"]]
    found["textAnswer"] = text
    write(path, result)
    seal(bundle)
