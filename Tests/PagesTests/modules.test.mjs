// What the modules are like, rather than what they do.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const pages = new URL("../../Sources/Monitor/Pages/", import.meta.url);
const names = ["Computing", "Browser"].flatMap((folder) =>
  readdirSync(new URL(folder, pages)).map((name) => `${folder}/${name}`)
);
const modules = new Map(names.map((name) => [name, readFileSync(new URL(name, pages), "utf8")]));

const tests = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.mjs"))
  .map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n");

// What a module imports, as [names, module].
const importsOf = (name) =>
  [...modules.get(name).matchAll(/^import (?:(?:\{([^}]*)\}|\w+) from )?"([^"]+)";/gm)].map((
    [, list = "", path],
  ) => [
    list.split(",").map((one) => one.trim()).filter(Boolean),
    new URL(path, new URL(name, pages)).href.slice(pages.href.length),
  ]);
const exportsOf = (name) =>
  [...modules.get(name).matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)].map(([, one]) =>
    one
  );

// The functions of a text that is formatted, as [first line, how many lines].
function functionsIn(text) {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const isFunction = /(=> |\) )\{$/.test(line) &&
      !/^\s*(\} )?(if|for|while|switch|else|catch|do)\b/.test(line);
    if (!isFunction) return [];
    const indent = line.match(/^ */)[0];
    const length = lines.slice(index + 1).findIndex((other) => other.startsWith(`${indent}}`)) + 2;
    return [[line.trim(), length]];
  });
}

test("measures functions by their indentation", () => {
  const text =
    "export function a() {\n  if (b) {\n    c();\n  }\n}\nconst d = (e) => {\n  f();\n};\nclass G {\n  h() {\n  }\n}\n";
  assert.deepEqual(functionsIn(text), [["export function a() {", 5], ["const d = (e) => {", 3], [
    "h() {",
    2,
  ]]);
});

test("modules stay readable in one sitting", () => {
  assert.ok(modules.size > 40);
  for (const [name, text] of modules) {
    assert.ok(text.split("\n").length <= 400, name);
    for (const [line, length] of functionsIn(text)) {
      assert.ok(length <= 60, `${name}: ${line} has ${length} lines`);
    }
  }
});

test("what computes imports nothing that needs a browser", () => {
  for (const name of names.filter((name) => name.startsWith("Computing/"))) {
    for (const [, path] of importsOf(name)) assert.match(path, /^Computing\//, name);
  }
});

test("every name that is imported is exported, and every one that is exported is imported or tested", () => {
  const wanted = new Set();
  for (
    const [, list, path] of tests.matchAll(
      /^import \{([^}]*)\} from "[./]*Sources\/Monitor\/Pages\/([^"]+)";/gm,
    )
  ) {
    for (const one of list.split(",")) wanted.add(`${path} ${one.trim()}`);
  }
  for (const name of names) {
    for (const [list, path] of importsOf(name)) {
      // The words of the language are made when they are served.
      if (path === "words.mjs") continue;
      assert.ok(modules.has(path), `${name} imports ${path}`);
      for (const one of list) {
        assert.ok(exportsOf(path).includes(one), `${name} imports ${one} of ${path}`);
        wanted.add(`${path} ${one}`);
      }
    }
  }
  const unused = names.flatMap((name) => exportsOf(name).map((one) => `${name} ${one}`)).filter((one) =>
    !wanted.has(one)
  );
  assert.deepEqual(unused, []);
});

test("modules import each other in one direction", () => {
  const done = new Set();
  const visit = (name, path) => {
    assert.ok(!path.includes(name), [...path, name].join(" → "));
    if (done.has(name) || !modules.has(name)) return;
    for (const [, imported] of importsOf(name)) visit(imported, [...path, name]);
    done.add(name);
  };
  for (const name of names) visit(name, []);
  assert.equal(done.size, modules.size);
});

test("every module that computes has a test", () => {
  for (const name of names.filter((name) => name.startsWith("Computing/"))) {
    assert.ok(tests.includes(`/${name}"`), name);
  }
});
