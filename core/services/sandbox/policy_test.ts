import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { allow, checkPolicy, deny, isAdmitted, judge, type Policy, rewrite } from "./policy.ts";

const policy: Policy = [
  deny("files.fopen", (path: string) => path.endsWith(".key")),
  rewrite(
    "files.fopen",
    (path: string, mode) => mode === "r" ? [`rules/${path}`, mode] : undefined,
  ),
  allow("files.fopen", (_path, mode) => mode === "rb"),
  deny("math.sqrt"),
  allow("math.*"),
];

Deno.test("judge() lets the first rule decide that is meant, and denies without one", () => {
  const cases:
    readonly (readonly [name: string, given: unknown[], kind: string, made?: unknown[]])[] = [
      ["files.fopen", ["a.key", "r"], "deny"],
      ["files.fopen", ["a", "r"], "rewrite", ["rules/a", "r"]],
      ["files.fopen", ["a", "rb"], "allow"],
      ["files.fopen", ["a", "w"], "deny"],
      ["files.fread", [1], "deny"],
      ["math.sqrt", [4], "deny"],
      ["math.hypot", [3, 4], "allow"],
      ["mathematics.hypot", [3, 4], "deny"],
    ];
  for (const [name, given, kind, values = given] of cases) {
    assertEquals(judge(policy, name, given), { kind, values } as never);
  }
  assertEquals(judge([allow("*")], "any.thing", []).kind, "allow");
  assertEquals(judge([], "any.thing", []).kind, "deny");
});

Deno.test("judge() takes nothing but true and false, and as many arguments as there were", async () => {
  const odd = [
    () => Promise.resolve(true),
    () => Promise.reject(1),
    (text: string) => text.match(/key$/),
    () => 1,
    () => {},
  ];
  for (const when of odd as never[]) {
    for (const rule of [allow("a.b", when), deny("a.b", when)]) {
      const { kind, error } = judge([rule, allow("a.b")], "a.b", ["my.key"]);
      assertEquals(kind, "deny");
      assertStringIncludes(error!, "must say true or false: current type is");
    }
  }
  const wrong = [() => ({ length: 1 }), () => [], () => [1, 2], () => Promise.reject([1])];
  for (const change of wrong as never[]) {
    const { kind, error } = judge([rewrite("a.b", change)], "a.b", [1]);
    assertEquals(kind, "deny");
    assertStringIncludes(error!, "array of 1 arguments");
  }
  await new Promise((resolve) => setTimeout(resolve, 0)); // what is rejected is heard by nobody
});

Deno.test("a rule says whether it can only deny, and whether it looks at arguments", () => {
  const when = () => true;
  const rules = [allow("a.b"), allow("a.b", when), deny("a.b"), deny("a.b", when)];
  assertEquals(
    [...rules, rewrite("a.b", () => [])].map(({ isDenial, isConditional }) => [
      isDenial,
      isConditional,
    ]),
    [[false, false], [false, true], [true, false], [true, true], [false, true]],
  );
});

Deno.test("isAdmitted() says which functions need exist", () => {
  const names = ["files.fopen", "files.fread", "math.sqrt", "math.hypot"];
  assertEquals(names.map((name) => isAdmitted(policy, name)), [true, false, false, true]);
  const sometimes = [deny("a.b", () => false), allow("a.b")];
  assertEquals(isAdmitted(sometimes, "a.b"), true);
  assertEquals(isAdmitted([deny("a.b", () => true)], "a.b"), false);
});

Deno.test("checkPolicy() refuses a rule for what is not there", () => {
  checkPolicy(policy, ["files.fopen", "math.sqrt"]);
  const text = "the rule for files.fopne as there is no such function: did you mean files.fopen";
  assertThrows(() => checkPolicy([allow("files.fopne")], ["files.fopen"]), RangeError, text);
  assertThrows(() => checkPolicy([allow("math.*")], ["files.fopen"]), RangeError);
});
