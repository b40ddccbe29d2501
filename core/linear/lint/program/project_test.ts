import { assertEquals, assertThrows } from "@std/assert";
import { Project } from "./project.ts";

const PORTS = `export interface OwnedPort { inbox: 0; outbox: 0; close(): void }
  export interface TypedClient { open(opcode: number): OwnedPort }`;

/** A project of texts, and how often each was asked for what it imports. */
function makeProject(texts: Map<string, string>) {
  const asked: string[] = [];
  const project = new Project({
    read: (name) => texts.get(name),
    resolve(specifier) {
      asked.push(specifier);
      const name = specifier.replace(/^\./, "");
      return texts.has(name) ? name : undefined;
    },
  });
  return { project, asked };
}

Deno.test("Project reads modules again that have changed, and keeps the others", () => {
  const texts = new Map([["/a.ts", 'import { c } from "./c.ts"; c.open(1);'], [
    "/c.ts",
    'export * as ports from "./ports.ts"; import type { TypedClient } from "./ports.ts";' +
    "export declare const c: TypedClient;",
  ], ["/ports.ts", PORTS]]);
  const { project, asked } = makeProject(texts);
  const rulesIn = () => {
    project.load(["/a.ts"]);
    return project.findingsIn("/a.ts").map(({ rule }) => rule);
  };
  assertEquals([project.hasPorts("/a.ts"), rulesIn()], [true, ["unconsumed-port"]]);
  const askedCount = asked.length;
  assertEquals([rulesIn(), asked.length], [["unconsumed-port"], askedCount]);
  texts.set("/a.ts", 'import { c } from "./c.ts"; c.open(1).close();');
  assertEquals([rulesIn(), project.findingsIn("/b.ts")], [[], []]);
});

Deno.test("Project says what a file with ports imports from nowhere, and what is no program", () => {
  const text = 'import { TypedClient } from "./gone.ts"; import "./ports.ts"; import "node:fs";';
  const { project } = makeProject(
    new Map([["/a.ts", text], ["/b.ts", 'import "./gone.ts";'], ["/ports.ts", PORTS], [
      "/half.ts",
      'import "./ports.ts";\nconst half = ;',
    ]]),
  );
  assertEquals([project.unknownIn("/a.ts"), project.unknownIn("/b.ts")], [["./gone.ts"], []]);
  assertEquals([project.hasPorts("/a.ts"), project.hasPorts("/b.ts")], [true, false]);
  project.load(["/half.ts", "/a.ts"]);
  project.assertReadable("/a.ts");
  assertThrows(() => project.assertReadable("/half.ts"), SyntaxError, "Cannot read /half.ts:2: ");
});
