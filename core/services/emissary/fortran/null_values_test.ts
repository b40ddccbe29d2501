/** List-directed READs with null values: the variables of gfortran's program, and what is kept here. */
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { CallError } from "../../../call/call_error.ts";
import {
  type At,
  compiledLines,
  compilerTest,
  encode,
  FortranHere,
  type FortranStubs,
  fortranTest,
} from "./with_gfortran_test.ts";

/** A variable that is read: what it is in Fortran and here. */
interface Variable {
  /** As {@linkcode FortranHere.ask} has it. */
  readonly type: string;
  readonly declared: string;
  /** What it is before, and what keeps that. */
  readonly before: string;
  readonly keep: (f: FortranStubs, at: At, index: number) => void;
  readonly values: readonly string[];
  /** What writes it by Fortran. */
  readonly shown: string;
}

const VARIABLES: Readonly<Record<string, Variable>> = {
  i: {
    ...{ type: "i4", declared: "integer", before: "-77", shown: "i" },
    keep: (f, at, index) => f.KeepInteger(at, index, -77n),
    values: ["5", "-12", "+0", "2147483647", "99999999999"],
  },
  r: {
    ...{ type: "r4", declared: "real", before: "-1.5", shown: "transfer(r, 0)" },
    keep: (f, at, index) => f.KeepReal(at, index, -1.5),
    values: ["0.1", "1e10", "-3", "nan", "7.5d2"],
  },
  d: {
    ...{ type: "r8", declared: "double precision", before: "0.1d0", shown: "transfer(d, 0_8)" },
    keep: (f, at, index) => f.KeepReal(at, index, 0.1),
    values: ["0.3", "1d-300", "inf", ".5"],
  },
  l: {
    ...{ type: "l", declared: "logical", before: ".true.", shown: "merge(1, 0, l)" },
    keep: (f, at, index) => f.KeepLogical(at, index, true),
    values: ["T", ".false.", "f", "true"],
  },
  c: {
    ...{ type: "c6", declared: "character(6)", before: "'keep'", shown: "'[' // c // ']'" },
    keep: (f, at, index) => f.KeepCharacter(at, index, encode("keep")),
    values: ["ab", "'it''s'", '"a, b/c"', "''", "longer than that"],
  },
  z: {
    ...{ type: "z4", declared: "complex", before: "(2.0, -4.0)" },
    shown: "transfer(real(z), 0), transfer(aimag(z), 0)",
    keep(f, at, index) {
      f.KeepReal(at, index, 2);
      f.KeepImaginary(at, index, -4);
    },
    values: ["(1,2)", "( 0.5 , -1e3 )", "(3.25,0)"],
  },
};

/** A value that was read, as the program writes it. */
function shown(value: unknown, type: string): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "string") return `[${value.slice(0, 6)}]`;
  if (typeof value === "bigint") return `${value}`;
  return type.endsWith("8")
    ? `${new BigInt64Array(Float64Array.of(value as number).buffer)[0]}`
    : `${new Int32Array(Float32Array.of(value as number).buffer)[0]}`;
}

interface Read {
  readonly names: readonly string[];
  readonly lines: readonly string[];
  readonly isInternal: boolean;
}

/** What stands for a variable: its value, nothing, several, the end, or a value of another. */
function anyItem(name: string): fc.Arbitrary<string> {
  const { values } = VARIABLES[name]!;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...values), weight: 5 },
    { arbitrary: fc.constant(""), weight: 3 },
    fc.constantFrom("2*", "3*", "1*", "/", "x y"),
    fc.constantFrom(...values).map((value) => `2*${value}`),
  );
}

const between = fc.constantFrom(",", ",", " , ", " ", ",\n", "\n", ";");
const read: fc.Arbitrary<Read> = fc.shuffledSubarray(Object.keys(VARIABLES), { minLength: 1 })
  .chain((names) =>
    fc.record({
      parts: fc.tuple(...names.map((one) => fc.tuple(anyItem(one), between))),
      end: fc.constantFrom("", ",", "/", "/ 9 9 9"),
      isInternal: fc.boolean(),
    }).map(({ parts, end, isInternal }) => {
      const text = parts.map(([value, gap]) => value + gap).join("") + end;
      const lines = (isInternal ? text.replaceAll("\n", " ") : text).split("\n");
      return { names, lines, isInternal };
    })
  );

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function sourceOf({ names, lines, isInternal }: Read): readonly string[] {
  const from = isInternal ? "s" : "20";
  return [
    ...names.map((name) => `${name} = ${VARIABLES[name]!.before}`),
    ...isInternal ? [`s = ${quoted(lines[0]!)}`] : [
      "open(20, status='scratch')",
      ...lines.map((line) => `write(20, '(A)') ${quoted(line)}`),
      "rewind(20)",
    ],
    `read(${from}, *, iostat=k) ${names.join(", ")}`,
    ...isInternal ? [] : ["close(20)"],
    "write(10, '(I0)') k",
    ...names.map((name) =>
      `write(10, ${name === "c" ? "'(A)'" : "'(I0,1X,I0)'"}) ${VARIABLES[name]!.shown}`
    ),
  ];
}

const LENGTH = 200;

function outputOf(here: FortranHere, { names, lines, isInternal }: Read): readonly string[] {
  const { f } = here;
  const unit = isInternal ? 0 : here.scratch();
  if (!isInternal) {
    for (const line of lines) here.write(unit, "(A)", quoted(line));
    here.do("Rewind", unit);
  }
  const at = isInternal
    ? f.BeginInternalListInput(encode(lines[0]!.padEnd(LENGTH)), 1)
    : f.BeginExternalListInput(unit, 1);
  here.handle(at, "iostat");
  const variables = names.map((name) => VARIABLES[name]!);
  for (const { type, keep } of variables) keep(f, at, here.ask(at, type));
  const values = variables.map(({ type }, index) => {
    const got = here.get(at, index, type);
    return (type === "z4" ? got : got.slice(0, 1)).map((one) => shown(one, type)).join(" ");
  });
  const iostat = f.EndIoStatement(at);
  if (!isInternal) here.do("Close", unit);
  return [`${iostat}`, ...values];
}

const RUNS = Number(Deno.env.get("NULL_CASES") ?? 120);

compilerTest("what a list gives no value stays as in gfortran's program", () => {
  const reads = fc.sample(read, { seed: 7, numRuns: RUNS });
  const expected = compiledLines(reads.flatMap(sourceOf), [
    ...Object.entries(VARIABLES).map(([name, { declared }]) => `${declared} :: ${name}`),
    `integer :: k; character(${LENGTH}) :: s`,
  ]);
  using here = new FortranHere();
  let line = 0;
  for (const one of reads) {
    const actual = outputOf(here, one);
    const wanted = expected.slice(line, line + actual.length).map((text) =>
      text.startsWith("[") ? text : text.trimEnd()
    );
    assertEquals(actual, wanted, JSON.stringify(one.lines));
    line += actual.length;
  }
  assertEquals(line, expected.length - 1);
});

fortranTest("a value that is kept fits its variable, and comes before the READ", () => {
  using here = new FortranHere();
  const { f } = here;
  const at = here.reading("1,,/", "i1 i2 c3");
  f.KeepInteger(at, 1, -32768n);
  const wrong: readonly (readonly [text: string, work: () => void])[] = [
    ["must fit 1 bytes: current value is 128", () => f.KeepInteger(at, 0, 128n)],
    ["real or complex: current value is integer", () => f.KeepReal(at, 0, 1)],
    ["current value is none", () => f.KeepLogical(at, 3, true)],
  ];
  for (const [text, work] of wrong) assertThrows(work, CallError, text);
  assertEquals([f.GetInteger(at, 0), f.GetInteger(at, 1)], [1n, -32768n]);
  assertThrows(() => f.KeepInteger(at, 1, 1n), CallError, "was asked for already");
  assertEquals(here.get(at, 2, "c3"), [" ".repeat(12), 3]);
  const write = f.BeginInternalListOutput(20, 1);
  assertThrows(() => f.KeepInteger(write, 0, 1n), CallError, "current value is none");
});

fortranTest("a value that the list has not, and nobody kept, is refused and not made up", () => {
  using here = new FortranHere();
  const { f } = here;
  for (const text of ["1,,3", "1/", "1,2*"]) {
    const at = here.reading(text, "i4 i8 i2");
    assertEquals(f.GetInteger(at, 0), 1n);
    const message =
      "value 1 as the list has none for it, and Fortran leaves the variable as it was";
    assertThrows(() => f.GetInteger(at, 1), CallError, message);
    // Of two bytes each value may have been read.
    assertEquals(f.GetInteger(at, 2), text === "1,,3" ? 3n : 0n);
    assertEquals(f.EndIoStatement(at), 0);
  }
  const at = here.reading(",,,,", "r4 z8 l c9");
  assertThrows(() => f.GetReal(at, 0), CallError, "by KeepReal, ");
  assertThrows(() => f.GetImaginary(at, 1), CallError, "by KeepReal and KeepImaginary, ");
  assertThrows(() => f.GetLogical(at, 2), CallError, "by KeepLogical, ");
  assertThrows(() => f.GetCharacter(at, 3, new Uint8Array(9)), CallError, "by KeepCharacter, ");
});

fortranTest("a value that was read is never taken for none", () => {
  using here = new FortranHere();
  for (const value of ["-2147483648", "2147483647", "-2147483647", "0", "-1"]) {
    const at = here.reading(`${value} ${value} nan nan`, "i4 i8 r4 r8");
    const found = ["i4", "i8", "r4", "r8"].flatMap((type, index) => here.get(at, index, type));
    assertEquals(found, [BigInt(value), BigInt(value), NaN, NaN]);
  }
  // Behind an error the caller has its status, and nothing is made up either.
  const failed = here.handle(here.reading("1 x 3", "i4 i4 i4"), "iostat");
  assertEquals([here.f.GetInteger(failed, 0), here.f.GetInteger(failed, 2)], [1n, 0n]);
});
