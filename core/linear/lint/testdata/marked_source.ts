import { assertEquals } from "@std/assert";
import plugin from "../../lint.ts";
import { type PackedNode, SyntaxNode } from "../syntax/syntax.ts";

/** What every case starts with; on one line, so that a case's own lines are numbered from 1. */
const PRELUDE =
  `import { move, TypedClient, TypedServer, type Either, type Maybe, type OwnedPort, ` +
  `type PartialPort, type SentPort, type TypedHandler, type TypedPort } from "./linear/mod.ts"; ` +
  `declare const client: TypedClient; declare const server: TypedServer; `;

/** The findings that the marks in a source ask for, as `line rule`. */
export function markedFindings(source: string): readonly string[] {
  return source.split("\n").flatMap((line, index) => {
    const marks = line.split("//!")[1]?.trim().split(/\s+/) ?? [];
    return marks.map((rule) => `${index + 1} ${rule}`);
  });
}

/** JSX and `<T> value` exclude each other. */
function fileName(program: string): string {
  return /<\/|\/>/.test(program) ? "case.tsx" : "case.ts";
}

/** The findings of the plugin in a program, as `line rule`. */
export function foundFindings(program: string): readonly string[] {
  return Deno.lint.runPlugin(plugin, fileName(program), program).map(({ id, range }) => {
    const line = program.slice(0, range[0]).split("\n").length;
    return `${line} ${id.replace(/^linear\//, "")}`;
  });
}

/** The findings of the plugin in a case, as `line rule`. */
export function foundIn(source: string): readonly string[] {
  return foundFindings(PRELUDE + source);
}

/** The texts of the findings of the plugin in a case. */
export function foundMessages(source: string): readonly string[] {
  return Deno.lint.runPlugin(plugin, "case.ts", PRELUDE + source).map(({ message }) => message);
}

/**
 * Registers one test for each named source. What must be reported is written into the source, as
 * `//! rule` at the end of the line; a source without a mark must pass.
 */
export function testMarked(title: string, cases: Readonly<Record<string, string>>): void {
  for (const [name, source] of Object.entries(cases)) {
    Deno.test(`lint ${title}: ${name}`, () => {
      const found = foundFindings(PRELUDE + source);
      assertEquals(found.toSorted(), markedFindings(source).toSorted());
    });
  }
}

/** Gives the syntax tree of a program to `look`, while the tree exists. */
export function inTree<T>(program: string, look: (tree: SyntaxNode) => T): T {
  const results: T[] = [];
  const Program = (tree: PackedNode) => void results.push(look(new SyntaxNode(tree)));
  const rule = { create: () => ({ Program }) };
  Deno.lint.runPlugin({ name: "tree", rules: { look: rule } }, "case.ts", program);
  return results[0]!;
}
