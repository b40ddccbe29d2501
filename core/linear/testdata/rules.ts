import { assertEquals } from "@std/assert";
import { foundFindings } from "../lint/testdata/marked_source.ts";

/** Asserts which rules a program breaks that has a client, as the lint rules see it. */
export function assertRules(program: string, ...rules: readonly string[]): void {
  const head =
    `import { TypedClient, TypedServer } from "./linear/mod.ts"; const client = new TypedClient(c);`;
  const found = foundFindings(head + program);
  assertEquals(found.map((line) => line.split(" ")[1]), [...rules]);
}
