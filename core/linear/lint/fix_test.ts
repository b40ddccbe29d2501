import { assertEquals } from "@std/assert";
import plugin from "../lint.ts";

const HEAD = `import { type PartialPort, TypedClient } from "${
  new URL("../mod.ts", import.meta.url).pathname
}"; declare const client: TypedClient; `;

/** A program after what the plugin offers. */
function fixed(program: string): string {
  const edits = Deno.lint.runPlugin(plugin, "bad.ts", HEAD + program).flatMap(({ fix }) =>
    fix ?? []
  );
  const text = edits.toSorted((left, right) => right.range[0] - left.range[0]).reduce(
    (before, { range: [start, end], text = "" }) =>
      before.slice(0, start) + text + before.slice(end),
    HEAD + program,
  );
  return text.replace(HEAD, "");
}

Deno.test("fixOf() offers using, move() and .close() where they compile", () => {
  const moved = HEAD.replace("{ type", "{ move, type");
  const fixes: Readonly<Record<string, string>> = {
    "{ const port = client.open(1); }": "{ using port = client.open(1); }",
    "for (const one of open()) one.index; function* open() { yield client.open(1); }":
      "for (using one of open()) one.index; function* open() { yield client.open(1); }",
    "export const f = () => { using port = client.open(1); return port; };":
      `${moved}export const f = () => { using port = client.open(1); return move(port); };`,
    "export const f = () => { using port = client.open(1); return { port }; };":
      `${moved}export const f = () => { using port = client.open(1); return { port: move(port) }; };`,
    "client.open(1);": "client.open(1).close();",
    "await client.openAsync(1);": "(await client.openAsync(1)).close();",
  };
  for (const [program, after] of Object.entries(fixes)) assertEquals(fixed(program), after);
  const unfixed = [
    "export const f = () => { using port = client.open(1); return [port]; };",
    "let port = client.open(1);",
    "const a = client.open(1), b = 1;",
    "const pending = client.openAsync(1);",
    "const port: { close(): void } = client.open(1);",
    "client.openAsync(1);",
    "[1].forEach(() => client.open(1));",
    "client.tryOpen(1);",
  ];
  for (const program of unfixed) assertEquals(fixed(program), program);
});
