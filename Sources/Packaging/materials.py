#!/usr/bin/env python3
"""Lists what is linked into a program, as CycloneDX, as SPDX, and as a file of licences for the package.

Swift packages are those of Package.resolved of which something is linked; the names after the options
are the libraries of the distribution that are linked in.
"""
import argparse, gzip, hashlib, json, os, pathlib, re, subprocess, sys, time, urllib.parse, uuid

LIBRARIES = {  # name: the package that has the archive, its licence
    "re2": ("libre2-dev", "BSD-3-Clause"), "nettle": ("nettle-dev", "LGPL-3.0-or-later OR GPL-2.0-or-later")}


def words(path): return pathlib.Path(path).read_text(encoding="utf-8", errors="replace").strip() + "\n"


def said(*command): return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def licence(text):
    if "Runtime Library Exception" in text: return "Apache-2.0 WITH Swift-exception"
    if "Apache License" in text: return "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text: return "MIT"
    sys.exit(f"materials.py: a licence that it does not know:\n{text[:300]}")


def swift_packages(build, product):
    """The packages of which modules are linked in: name, version, place, commit, licence, texts."""
    modules = set(re.findall(r"([^/\n]+\.build)/", words(f"{build}/release/{product}.product/Objects.LinkFileList")))
    # The compilers list what they read: the sources of Swift, what C files depend on.
    lists = [p for m in modules for p in pathlib.Path(build, "release", m).rglob("*") if p.name == "sources" or p.suffix == ".d"]
    linked = {name for path in lists for name in re.findall(r"/checkouts/([^/]+)/", words(path))}
    for pin in json.loads(words("Package.resolved"))["pins"]:
        name = re.sub(r"\.git$", "", pin["location"].rstrip("/").split("/")[-1])
        if name not in linked: continue
        files = [p for p in sorted(pathlib.Path(build, "checkouts", name).iterdir()) if re.match(r"(LICENSE|NOTICE)", p.name)]
        place = re.sub(r"^https://|\.git$", "", pin["location"])
        yield {"name": pin["identity"], "version": pin["state"]["version"], "licence": licence(words(files[0])),
               "purl": f"pkg:swift/{place}@{pin['state']['version']}", "texts": [words(f) for f in files],
               "commit": pin["state"]["revision"], "place": pin["location"]}


def library(name):
    package, terms = LIBRARIES[name]
    version = said("dpkg-query", "-W", "-f", "${Version}", package)
    system = dict(line.split("=", 1) for line in words("/etc/os-release").splitlines() if "=" in line)
    return {"name": name, "version": version, "licence": terms, "texts": [words(f"/usr/share/doc/{package}/copyright")],
            "purl": f"pkg:deb/{system['ID']}/{package}@{urllib.parse.quote(version)}?distro={system['VERSION_CODENAME']}"}


def toolchain():
    information = json.loads(said("swift", "-print-target-info"))
    version = re.search(r"Swift version ([0-9.]+)", information["compilerVersion"]).group(1)
    text = words(pathlib.Path(information["paths"]["runtimeResourcePath"]).parents[1] / "share/swift/LICENSE.txt")
    return {"name": "swift", "version": version, "licence": licence(text), "texts": [text],
            "purl": f"pkg:generic/swift@{version}"}


def cyclonedx(program, parts, moment, digest):
    def component(part):
        return {"type": "library", "bom-ref": part["purl"], "name": part["name"], "version": part["version"],
                "purl": part["purl"], "licenses": [{"expression": part["licence"]}]}
    main = {"type": "application", "bom-ref": program["purl"], "name": program["name"], "version": program["version"],
            "purl": program["purl"], "licenses": [{"expression": "MIT"}],
            "hashes": [{"alg": "SHA-256", "content": digest}]}
    return {"$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5",
            "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, digest)), "version": 1,
            "metadata": {"timestamp": moment, "component": main}, "components": [component(p) for p in parts],
            "dependencies": [{"ref": program["purl"], "dependsOn": sorted(p["purl"] for p in parts)}]}


def spdx(program, parts, moment, digest):
    def identifier(part): return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", part["name"])

    def package(part, **more):
        return {"SPDXID": identifier(part), "name": part["name"], "versionInfo": part["version"],
                "downloadLocation": f"git+{part['place']}@{part['commit']}" if "commit" in part else "NOASSERTION",
                "filesAnalyzed": False, "licenseConcluded": part["licence"], "licenseDeclared": part["licence"],
                "copyrightText": "NOASSERTION", "externalRefs": [{
                    "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part["purl"]}], **more}
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"{program['name']}-{program['version']}", "documentNamespace": f"https://spdx.org/spdxdocs/{program['name']}-{digest}",
            "creationInfo": {"created": moment, "creators": ["Organization: The Entrain authors"]},
            "packages": [package(program, checksums=[{"algorithm": "SHA256", "checksumValue": digest}]), *map(package, parts)],
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": identifier(program)}] + [
                {"spdxElementId": identifier(program), "relationshipType": "STATIC_LINK", "relatedSpdxElement": identifier(p)}
                for p in parts]}


def copyright(program, parts):
    """Debian's file: the program's own licence, and those of what is linked in by name."""
    own = words(".github/LICENSE.md").split("\n", 2)[2]
    rows = "".join(f"  {p['name']} {p['version']}: {p['licence']}\n" for p in parts)
    return (f"{program['name']} {program['version']}\n\n{own}\nLinked into the program are the following libraries. Their licences "
            "and notices are in the file\nlicences.gz beside this one; of the licences in common use, Debian has texts in "
            f"/usr/share/common-licenses.\n\n{rows}\nThe program can be linked with other versions of them: all of its source, "
            "and the script\nSources/Packaging/package.sh that links it, are published.\n")


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    for name in ("product", "version", "build", "program", "out", "licences"): reader.add_argument(f"--{name}", required=True)
    reader.add_argument("libraries", nargs="*")
    asked = reader.parse_args()
    digest = hashlib.sha256(pathlib.Path(asked.program).read_bytes()).hexdigest()
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    program = {"name": asked.product, "version": asked.version, "licence": "MIT",
               "purl": f"pkg:generic/{asked.product}@{urllib.parse.quote(asked.version)}"}
    parts = [*swift_packages(asked.build, asked.product), toolchain(), *map(library, asked.libraries)]
    for kind, text in (("cdx", cyclonedx), ("spdx", spdx)):
        content = json.dumps(text(program, parts, moment, digest), indent=1, sort_keys=True) + "\n"
        pathlib.Path(f"{asked.out}.{kind}.json").write_text(content)
    folder = pathlib.Path(asked.licences)
    (folder / "copyright").write_text(copyright(program, parts))
    texts = "".join(f"==== {p['name']} {p['version']}\n\n{text}\n" for p in parts for text in p["texts"])
    (folder / "licences.gz").write_bytes(gzip.compress(texts.encode(), 9, mtime=0))


main()
