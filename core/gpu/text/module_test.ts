import { assertEquals, assertThrows } from "@std/assert";
import { TextFault } from "./lines.ts";
import { Module, tryModule } from "./module.ts";
import { localOf, nodesIn } from "./syntax.ts";

/** Each use of `x`, by the line that declares what it names; 0 if it names nothing. */
function usesOf(source: string): number[] {
  const module = new Module(source);
  return module.globals.flatMap((one) => [...nodesIn(one)]).flatMap((node) => {
    if (node.kind !== "name" || node.text !== "x") return [];
    return node.declared ? module.positionAt(node.declared.nameStart).line : 0;
  });
}

Deno.test("names are resolved by their scopes", () => {
  const cases: readonly (readonly [source: string, ...lines: number[]])[] = [
    ["fn f() { g(x); }", 0],
    ["fn f() { g(x); }\nconst x = 1;", 2],
    ["const x = 1;\nfn f() {\nlet x = x;\ng(x); }", 1, 3],
    ["const x = 1;\nfn f() { {\nlet x = 2;\ng(x); }\ng(x); }", 3, 1],
    ["const x = 1;\nfn f(\nx: u32) { g(x); }\nfn h() { g(x); }", 3, 1],
    ["const x = 1;\nfn f() { for (\nvar x = x; x < 1; x++) { g(x); } g(x); }", 1, 3, 3, 3, 1],
    ["const x = 1;\nfn f() { for (;x < 2; x++) {\nlet x = 1; g(x); } }", 1, 1, 3],
    ["const x = 1;\nfn f() { loop {\nlet x = 1; continuing { g(x); break if x; } } }", 3, 3],
    ["const x = 1;\nfn f() { while x {\nlet x = 1; } }", 1],
    [
      "const x = 1;\nfn f() { switch x { case x: {\nlet x = 1; g(x); } default { g(x); } } }",
      1,
      1,
      3,
      1,
    ],
    ["const x = 1;\nfn f() { if x {\nlet x = 1; g(x); } else { g(x); } }", 1, 3, 1],
    ["alias x = u32;\nfn f(a: x) -> x { return x(array<x, 2>(a.x)[0]); }", 1, 1, 1, 1],
    // The words of these attributes are WGSL's own.
    [
      "const x = 1;\n@workgroup_size(x) fn f(@builtin(x) a: u32, @interpolate(x) b: u32) {}",
      1,
      0,
      0,
    ],
  ];
  for (const [source, ...lines] of cases) assertEquals(usesOf(source), lines, source);
});

const CALLS = `
fn leaf() {} fn middle(a: u32) -> u32 { leaf(); return a; }
fn top() { for (var i = middle(1); i < middle(2); i += middle(3)) { unknown(middle(4)); } }
fn apart() { let leaf = 1; if (leaf > 0) { } }
@fragment fn pixel() { top(); }
`;

Deno.test("Module knows who calls whom", () => {
  const module = new Module(CALLS);
  const named = (name: string) => module.functions.filter((one) => one.name === name);
  const names = (all: Iterable<{ readonly name: string }>) => [...all].map(({ name }) => name);
  const [top] = named("top");
  assertEquals(module.calls.get(top!)!.map((call) => module.textOf(call)), [
    ...["middle(1)", "middle(2)", "middle(3)", "unknown(middle(4))", "middle(4)"],
  ]);
  assertEquals(names(module.calleesOf(top!)), ["middle"]);
  assertEquals(names(module.reached(named("top"))), ["top", "middle", "leaf"]);
  assertEquals(names(module.reaching(named("middle"))), ["middle", "top", "pixel"]);
  assertEquals(names(module.entries("fragment")), ["pixel"]);
  assertEquals(names(module.entries("compute")), []);
});

Deno.test("Module chooses names that the text does not have", () => {
  const module = new Module("fn step_x_1() { let saved = step_2; } // step_x_x_");
  assertEquals([module.freePrefix("step_"), module.freePrefix("go_")], ["step_x_x_", "go_"]);
  assertEquals(["step_x_1", "saved"].map(module.libraryName), ["step_x_1_", "saved"]);
});

Deno.test("Module tells what is declared twice, and whose address is taken", () => {
  const source = "fn f(a: u32) { let b = 1; var a = 2; { let b = &((a)); } g(&c, &d[b]); }";
  const { faults, addressed } = new Module(source);
  assertEquals(faults.map(({ start, message }) => [start, message]), [
    [source.indexOf("a = 2"), "a is declared twice in this block: rename one"],
  ]);
  assertEquals([...addressed].map(({ name, nameStart }) => [name, nameStart]), [
    ["a", source.indexOf("a = 2")],
  ]);
});

Deno.test("a Module goes on where another ends, and both name what the other declares", () => {
  const before = new Module("fn f() { g(x); }");
  const whole = new Module("\nconst x = 1;\nfn g(a: u32) { f(); }", { before });
  assertEquals(whole.functions.map(({ name }) => name), ["f", "g"]);
  assertEquals(whole.functions[0], before.functions[0]);
  const names = (at: number) => [...whole.calleesOf(whole.functions[at]!)].map(({ name }) => name);
  assertEquals([names(0), names(1)], [["g"], ["f"]]);
  assertEquals(whole.positionAt(whole.byName.get("g")!.nameStart), { line: 3, column: 4 });
  assertEquals([...whole.words], ["fn", "f", "g", "x", "const", "a", "u32"]);
});

Deno.test("localOf() gives variables of functions alone", () => {
  const { functions: [one] } = new Module("const a = 1; fn f(b: u32) { let c = a + b; g(c); }");
  const found = [...nodesIn(one!)].flatMap((node) => localOf(node)?.name ?? []);
  assertEquals(found, ["b", "c"]);
});

Deno.test("tryModule() gives what is wrong, and throws what is no text", () => {
  const fault = tryModule("fn f() { new_syntax => 1; }");
  assertEquals(fault instanceof TextFault && fault.start, 21);
  assertEquals(tryModule("fn f() {}") instanceof Module, true);
  assertThrows(
    () => tryModule(undefined as unknown as string),
    TypeError,
    "Cannot read a shader as it must be a text of WGSL: current value is undefined",
  );
});
