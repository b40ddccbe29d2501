import fc from "fast-check";

/** What stands around a statement. */
interface Around {
  readonly depth: number;
  readonly hasLoop: boolean;
  /** Whether `break` ends something here. */
  readonly hasBreak: boolean;
  /** Whether the block has a port of its own, `r`. */
  readonly hasOwn: boolean;
  /** The functions that can be called here: there is no recursion. */
  readonly helpers: readonly string[];
}

/** Statements that stand in a loop, in a block with its own port, or in neither. */
function statements(around: Around): fc.Arbitrary<string> {
  const maxLength = around.depth > 0 ? 6 : 3;
  return fc.array(statement(around), { maxLength, size: "max" }).map((all) => all.join("\n"));
}

function statement(around: Around): fc.Arbitrary<string> {
  const name = fc.constantFrom("p", "q", ...around.hasOwn ? ["r"] : []);
  const variable = fc.constantFrom("p", "q");
  const simple = fc.oneof(
    name.map((one) => `${one}?.use(f);`),
    { arbitrary: name.map((one) => `${one}?.close();`), weight: 3 },
    name.map((one) => `${one}?.[Symbol.dispose]();`),
    variable.map((one) => `${one} = client.open(3);`),
    variable.map((one) => `${one} = ${one}?.send().recv();`),
    variable.map((one) => `${one} = undefined;`),
    fc.tuple(variable, name).map(([to, from]) => `${to} = ${from};`),
    fc.constantFrom(
      "all.push(client.open(4));",
      "all.pop()?.close();",
      "for (const one of all) one.close();",
    ),
    fc.constantFrom(
      "return;",
      "throw new Error();",
      ...around.hasLoop ? ["continue;"] : [],
      ...around.hasBreak ? ["break;"] : [],
    ),
    ...around.helpers.length > 0
      ? [fc.constantFrom(...around.helpers).map((one) => `${one}();`)]
      : [],
  );
  return around.depth > 0 ? fc.oneof({ arbitrary: simple, weight: 2 }, compound(around)) : simple;
}

function compound(outer: Around): fc.Arbitrary<string> {
  const around = { ...outer, depth: outer.depth - 1 };
  const body = statements(around);
  const inLoop = statements({ ...around, hasLoop: true, hasBreak: true });
  const inCase = statements({ ...around, hasBreak: true });
  const inBlock = statements({ ...around, hasOwn: true });
  const one = (heads: readonly string[], rest: fc.Arbitrary<string>) =>
    fc.tuple(fc.constantFrom(...heads), rest).map(([head, text]) => `${head}\n${text}\n}`);
  const two = (heads: readonly string[], between: string, rest: fc.Arbitrary<string>) =>
    one(heads, fc.tuple(rest, rest).map((both) => both.join(`\n${between}\n`)));
  return fc.oneof(
    two(["if (c()) {", "if (a) {"], "} else {", body),
    one(["while (c()) {", "for (const one of [1, 2]) {"], inLoop),
    two(["try {"], "} catch {", body),
    two(["try {"], "} finally {", body),
    two(["switch (c()) {\ncase 1:"], "default:", inCase),
    ...outer.hasOwn
      ? []
      : [one(["const", "using"].map((kind) => `{\n${kind} r = client.open(2);`), inBlock)],
  );
}

const OUTSIDE: Around = { depth: 2, hasLoop: false, hasBreak: false, hasOwn: false, helpers: [] };

/** A function with ports in names and in a list, and two others in it that work on them. */
export const randomProgram: fc.Arbitrary<string> = fc.tuple(
  statements({ ...OUTSIDE, helpers: ["h0", "h1"] }),
  statements({ ...OUTSIDE, depth: 1 }),
  statements({ ...OUTSIDE, depth: 1, helpers: ["h0"] }),
).map(([main, first, second]) =>
  `function main() {
let p: PartialPort<true> | undefined = client.open(1);
let q: PartialPort<true> | undefined;
const all: PartialPort<true>[] = [];
const a = c();
function h0() {
${first}
}
function h1() {
${second}
}
${main}
}`
);
