import { assertEquals } from "@std/assert";
import { Module } from "./module.ts";
import { blank, Printer, type Rewrite } from "./printer.ts";
import type { Node } from "./syntax.ts";

/** Texts in WGSL of this folder and all others of the room. */
function* textsIn(folder: URL): Generator<readonly [path: string, text: string]> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* textsIn(new URL(`${name}/`, folder));
    if (!name.endsWith(".wgsl")) continue;
    const file = new URL(name, folder);
    yield [file.pathname, Deno.readTextFileSync(file)];
  }
}

Deno.test("every text of the room prints as itself, and each character is from where it was", () => {
  let count = 0;
  for (const [path, text] of textsIn(new URL("../", import.meta.url))) {
    const module = new Module(text);
    const printer = new Printer(module.source).module(module.globals);
    assertEquals(printer.text, module.source, path);
    for (let at = 0; at < text.length; at += 97) {
      assertEquals(printer.origin(module.positionAt(at)), at, path);
    }
    count++;
  }
  assertEquals(count > 30, true);
});

const SOURCE = `fn f(a: u32) -> u32 { // a
  let b = g(a, 1u); return b;
}
fn h() {}
`;

function printed(rewrite: Rewrite, inserted?: ReadonlyMap<number, string>): Printer {
  const module = new Module(SOURCE);
  return new Printer(module.source, rewrite, inserted).module(module.globals);
}

Deno.test("Printer prints what a pass makes of a node, and the rest as it is", () => {
  const twice = (node: Node) =>
    node.kind === "call" ? ["both(", { as: node }, ", ", { as: node }, ")"] : undefined;
  assertEquals(printed(twice).text, SOURCE.replace("g(a, 1u)", "both(g(a, 1u), g(a, 1u))"));
  const inside: Rewrite = (node) =>
    node.kind === "literal" ? ["2u"] : node.kind === "call" ? [node.operands[1]!, "+1"] : undefined;
  assertEquals(printed(inside).text, SOURCE.replace("g(a, 1u)", "2u+1"));
  const without: Rewrite = (node) =>
    node.kind === "function" && node.name === "f" ? [blank(SOURCE, node)] : undefined;
  assertEquals(printed(without).text.trimStart(), "fn h() {}\n");
  assertEquals(printed(without).text.split("\n").length, SOURCE.split("\n").length);
});

Deno.test("Printer inserts texts before characters, once each", () => {
  const [comment, call, end] = [SOURCE.indexOf("// a"), SOURCE.indexOf("g(a"), SOURCE.length];
  const inserted = new Map([[comment, "1"], [call, "2"], [end, "3"]]);
  const wanted = SOURCE.replace("// a", "1// a").replace("g(a", "2g(a") + "3";
  assertEquals(printed(() => undefined, inserted).text, wanted);
});

Deno.test("Printer.origin() leads generated text to the node that it stands for", () => {
  const printer = printed((node) =>
    node.kind === "call" ? ["long_name(", ...node.operands, ")"] : undefined
  );
  const columnOf = (text: string, of: string) => of.split("\n")[1]!.indexOf(text) + 1;
  const originOf = (text: string) =>
    printer.origin({ line: 2, column: columnOf(text, printer.text) });
  for (const same of ["let", "return", "1u", "b;"]) {
    assertEquals(originOf(same), SOURCE.indexOf(same), same);
  }
  assertEquals([originOf("long"), originOf("name")], Array(2).fill(SOURCE.indexOf("g(a")));
  assertEquals(new Printer(SOURCE).write("x").origin({ line: 1, column: 1 }), undefined);
});
