import { assertEquals } from "@std/assert";
import type { Finding } from "../finding.ts";
import { Modules } from "../program/modules.ts";
import { Project } from "../program/project.ts";

/** What every case starts with; on one line, so that a case's own lines are numbered from 1. */
const PRELUDE =
  `import { move, TypedClient, TypedServer, type Either, type Lent, type Maybe, type OwnedPort, ` +
  `type PartialPort, type Present, type SentPort, type TypedHandler, type TypedPort } ` +
  `from "./linear/mod.ts"; ` +
  `declare const client: TypedClient; declare const server: TypedServer; `;

const FOLDER = new URL(".", import.meta.url).pathname;
const LIBRARY = new URL("../../mod.ts", import.meta.url).pathname;

/** Programs that exist only here, by their paths. */
const texts = new Map<string, string>();
const local = new Modules(undefined);
/** All programs share what the compiler knows of the library. */
const project = new Project({
  read: (name) => texts.get(name) ?? local.read(name),
  resolve(specifier, importer) {
    if (specifier.endsWith("/linear/mod.ts")) return LIBRARY;
    const beside = importer.replace(/[^/]*$/, specifier.replace(/^\.\//, ""));
    if (texts.has(beside)) return beside;
    const path = local.resolve(specifier, importer);
    // What the library stands on says nothing of ports, and would be read for each test file.
    return path?.includes("/core/linear/") ? path : undefined;
  },
});

/** The files of a program, the last of which is the one that is asked about. */
export type Files = Readonly<Record<string, string>>;

let count = 0;

/** Makes programs known, all in one go; returns the paths of what is asked about. */
function load(programs: readonly Files[]): readonly string[] {
  const paths = programs.map((files) => {
    const folder = `${FOLDER}case${count++}/`;
    for (const [name, text] of Object.entries(files)) texts.set(folder + name, text);
    return folder + Object.keys(files).at(-1);
  });
  project.load(paths);
  return paths;
}

/** JSX and `<T> value` exclude each other. */
function programOf(text: string): Files {
  return { [/<\/|\/>/.test(text) ? "main.tsx" : "main.ts"]: text };
}

/** Everything that is found in the last file of a program. */
export function findingsIn(program: Files | string): readonly Finding[] {
  const [path] = load([typeof program === "string" ? programOf(program) : program]);
  return project.findingsIn(path!);
}

/** Everything that is found in a case, which begins with a client and a server. */
export function findingsInCase(source: string): readonly Finding[] {
  return findingsIn(PRELUDE + source);
}

/** The findings that the marks in a source ask for, as `line rule`. */
export function markedFindings(source: string): readonly string[] {
  return source.split("\n").flatMap((line, index) => {
    const marks = line.split("//!")[1]?.trim().split(/\s+/) ?? [];
    return marks.map((rule) => `${index + 1} ${rule}`);
  });
}

/** Findings as `line rule`. */
export function linesOf(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ rule, node }) => {
    const line = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
    return `${line} ${rule}`;
  });
}

/** The findings in a program, as `line rule`. */
export function foundFindings(program: Files | string): readonly string[] {
  return linesOf(findingsIn(program));
}

/**
 * Registers one test for each named source. What must be reported is written into the source, as
 * `//! rule` at the end of the line; a source without a mark must pass.
 */
export function testMarked(title: string, cases: Readonly<Record<string, string>>): void {
  let paths: readonly string[] | undefined;
  for (const [index, [name, source]] of Object.entries(cases).entries()) {
    Deno.test(`lint ${title}: ${name}`, () => {
      paths ??= load(Object.values(cases).map((one) => programOf(PRELUDE + one)));
      const found = linesOf(project.findingsIn(paths[index]!));
      assertEquals(found.toSorted(), markedFindings(source).toSorted());
    });
  }
}
