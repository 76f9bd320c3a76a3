"""A copy of the tree as it is, for scripts that change it and build it."""
import os
import shutil
import subprocess

HOME = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


def copy(target):
    """Makes a folder below `.build` hold every file that is known to git, or would be; what is the same there stays untouched."""
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=HOME, capture_output=True,
                           text=True, check=True).stdout.splitlines()
    known = set(names)
    for folder in ("Sources", "Tests"):
        for path, _, files in os.walk(os.path.join(target, folder)):
            for file in files:
                if os.path.relpath(os.path.join(path, file), target) not in known:
                    os.remove(os.path.join(path, file))
    for name in names:
        ours, theirs = os.path.join(HOME, name), os.path.join(target, name)
        if not os.path.isfile(ours):
            if os.path.exists(theirs):
                os.remove(theirs)
            continue
        if os.path.exists(theirs):
            with open(ours, "rb") as one, open(theirs, "rb") as other:
                if one.read() == other.read():
                    continue
        os.makedirs(os.path.dirname(theirs), exist_ok=True)
        # With a time of now, so that it is built again.
        shutil.copy(ours, theirs)
