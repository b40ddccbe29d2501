import { assertEquals } from "@std/assert";
import { analyse } from "../explore/explore.ts";
import type { Finding } from "../finding.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { LocalModules } from "../program/local_modules.ts";
import { Project } from "../program/project.ts";

/** What every case starts with; on one line, so that a case's own lines are numbered from 1. */
export const PRELUDE =
  `import { move, TypedClient, TypedServer, type Either, type Lent, type Maybe, type OwnedPort, ` +
  `type PartialPort, type Present, type SentPort, type TypedHandler, type TypedPort } ` +
  `from "./linear/mod.ts"; ` +
  `declare const client: TypedClient; declare const server: TypedServer; `;

/** The findings that the marks in a source ask for, as `line rule`. */
export function markedFindings(source: string): readonly string[] {
  return source.split("\n").flatMap((line, index) => {
    const marks = line.split("//!")[1]?.trim().split(/\s+/) ?? [];
    return marks.map((rule) => `${index + 1} ${rule}`);
  });
}

/** JSX and `<T> value` exclude each other. */
function endingOf(program: string): string {
  return /<\/|\/>/.test(program) ? "tsx" : "ts";
}

const FOLDER = new URL(".", import.meta.url).pathname;
const LIBRARY = new URL("../../mod.ts", import.meta.url).pathname;

/** All cases share what the compiler knows of the library. */
const texts = new Map<string, string>();
const local = new LocalModules({});
const project = new Project({
  read: (name) => texts.get(name) ?? local.read(name),
  resolve(specifier, importer) {
    const path = specifier === "./linear/mod.ts" ? LIBRARY : local.resolve(specifier, importer);
    // What the library stands on says nothing of ports, and would be read for each test file.
    return path?.includes("/core/linear/") ? path : undefined;
  },
});

const names = new Map<string, string>();

/** The path of a program, which exists only here. */
function pathOf(program: string): string {
  const path = names.get(program) ?? `${FOLDER}case${names.size}.${endingOf(program)}`;
  names.set(program, path);
  texts.set(path, program);
  return path;
}

/** Makes programs known that are looked at next: the compiler reads all in one go. */
export function load(programs: readonly string[]): void {
  project.load(programs.map(pathOf));
}

/** As {@linkcode load}, for cases. */
export function loadCases(sources: readonly string[]): void {
  load(sources.map((source) => PRELUDE + source));
}

/** A program with what the compiler knows of it. */
export function checkedFile(program: string): CheckedFile {
  const path = pathOf(program);
  if (!project.file(path)) project.load([path]);
  return project.file(path)!;
}

/** Everything that is found in a program. */
export function findingsIn(program: string): readonly Finding[] {
  return analyse(checkedFile(program));
}

/** Everything that is found in the last of some files that import each other by name. */
export function findingsAmong(files: Readonly<Record<string, string>>): readonly Finding[] {
  const paths = Object.entries(files).map(([name, text]) => {
    texts.set(FOLDER + name, text);
    return FOLDER + name;
  });
  project.load(paths);
  return analyse(project.file(paths.at(-1)!)!);
}

/** The findings in a program, as `line rule`. */
export function foundFindings(program: string): readonly string[] {
  return findingsIn(program).map(({ rule, node }) => {
    const line = program.slice(0, node.getStart()).split("\n").length;
    return `${line} ${rule}`;
  });
}

/** The findings in a case, as `line rule`. */
export function foundIn(source: string): readonly string[] {
  return foundFindings(PRELUDE + source);
}

/** Everything that is found in a case. */
export function findingsInCase(source: string): readonly Finding[] {
  return findingsIn(PRELUDE + source);
}

/** The texts of the findings in a case. */
export function foundMessages(source: string): readonly string[] {
  return findingsInCase(source).map(({ message }) => message);
}

/**
 * Registers one test for each named source. What must be reported is written into the source, as
 * `//! rule` at the end of the line; a source without a mark must pass.
 */
export function testMarked(title: string, cases: Readonly<Record<string, string>>): void {
  const programs = Object.values(cases).map((source) => PRELUDE + source);
  let isLoaded = false;
  for (const [name, source] of Object.entries(cases)) {
    Deno.test(`lint ${title}: ${name}`, () => {
      if (!isLoaded) load(programs);
      isLoaded = true;
      const found = foundFindings(PRELUDE + source);
      assertEquals(found.toSorted(), markedFindings(source).toSorted());
    });
  }
}
