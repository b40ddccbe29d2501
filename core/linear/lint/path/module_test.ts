import { assertEquals } from "@std/assert";
import { findingsAmong, testMarked } from "../testdata/marked_source.ts";

const HEAD = `import { TypedClient, type Lent, type PartialPort } from "./linear/mod.ts";
  declare const client: TypedClient;`;

/** What is found in the last of some files, as text and rule. */
function foundAmong(files: Readonly<Record<string, string>>): readonly string[] {
  const texts = Object.entries(files).map(([name, text]) => [name, HEAD + text]);
  return findingsAmong(Object.fromEntries(texts)).map(({ node, rule }) =>
    `${node.getText()} ${rule}`
  );
}

Deno.test("lint module: functions of other files are followed", () => {
  const found = foundAmong({
    "first.ts": `export function open(count: number) { return client.open(count); }
      export const end = (port: PartialPort<true>) => port.close();
      export default function look(port: Lent<PartialPort<true>>) { port.index; }`,
    "second.ts": `export { end as finish } from "./first.ts"; export * from "./first.ts";`,
    "main.ts": `import look from "./first.ts"; import { finish, open } from "./second.ts";
      const a = open(1); finish(a);
      const b = open(2); look(b);`,
  });
  assertEquals(found, ["b unconsumed-port"]);
});

Deno.test("lint module: what another file does for itself is told there", () => {
  const found = foundAmong({
    "loser.ts": `client.open(1); export const one = 1;
      export function lose() { const port = client.open(2); }`,
    "user.ts": `import { lose, one } from "./loser.ts"; lose(); one;`,
  });
  assertEquals(found, []);
});

Deno.test("lint module: names of another file have what they were given there", () => {
  const found = foundAmong({
    "options.ts": `export const isKept = true; export const mode: string = "end";
      export enum Kind { a, b } export class Box { port?: PartialPort<true>; }`,
    "asker.ts": `import { Box, isKept, mode } from "./options.ts";
      const a = client.open(1); if (isKept) a.close();
      const b = client.open(2); if (mode === "end") b.close();
      const c = client.open(3); if (!isKept) c.close();
      const box = new Box(); box.port = client.open(4); box.port.close();`,
  });
  assertEquals(found, ["c unconsumed-port"]);
});

testMarked("module", {
  "when a function of a module runs, others have run": `
    const ports: PartialPort<true>[] = [];
    let current: PartialPort<true> | undefined;
    export function add() { ports.push(client.open(1)); }
    export function end() {
      for (const one of ports) { one.close(); one.use(fill); } //! use-after-move
    }
    export function begin() { current?.close(); current = client.open(1); }
    export function wrong() { current?.close(); current?.use(fill); } //! use-after-move`,
  "a constant of a module is what it is": `
    const names = { first: 1, isQuick: true } as const;
    export function f(port: OwnedPort<0>) { if (names.first === 1) port.close(); }
    export function g(port: OwnedPort<0>) { if (!names.isQuick) port.close(); } //! unconsumed-port`,
  "a port of a module is everybody's": `
    const port = client.open(1);
    export function look() { port.use(fill); }
    export function end() { port.close(); port.close(); } //! double-move`,
  "functions are there before their line": `
    end(client.open(1));
    function end(port: PartialPort<true>) { port.close(); port.use(fill); } //! use-after-move`,
  "what a module holds is what it was given": `
    const ports = { first: client.open(1), second: await client.openAsync(2) };
    const alone = { last: client.open(3) };
    export function end() { ports.second.use(fill); alone.last.close(); alone.last.use(fill); } //! use-after-move`,
});
