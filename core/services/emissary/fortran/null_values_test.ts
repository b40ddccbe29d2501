/** List-directed READs with null values: the variables of gfortran's program, and what is kept here. */
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { CallError } from "../../../call/call_error.ts";
import {
  type At,
  compiledOutput,
  compilerTest,
  FortranHere,
  type FortranStubs,
  fortranTest,
} from "./with_gfortran_test.ts";

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A variable that is read: what it is in Fortran and here. */
interface Variable {
  readonly name: string;
  /** What it is before. */
  readonly before: string;
  readonly values: readonly string[];
  /** Asks for it, and says what it was. */
  readonly ask: (f: FortranStubs, at: At, index: number) => void;
  /** Writes it by Fortran, and what that comes to here. */
  readonly shown: string;
  readonly show: (f: FortranStubs, at: At, index: number) => string;
}

function bitsOf(value: number, countBytes: 4 | 8): string {
  return countBytes === 4
    ? `${new Int32Array(Float32Array.of(value).buffer)[0]}`
    : `${new BigInt64Array(Float64Array.of(value).buffer)[0]}`;
}

/** A real of 4 or 8 bytes. */
function realVariable(
  countBytes: 4 | 8,
  { kept, ...named }: Pick<Variable, "name" | "values"> & { readonly kept: number },
): Variable {
  return {
    ...named,
    before: `${named.name} = ${kept}${countBytes === 8 ? "d0" : ""}`,
    ask(f, at, index) {
      f[countBytes === 8 ? "InputReal64" : "InputReal32"](at);
      f.KeepReal(at, index, kept);
    },
    shown: `transfer(${named.name}, ${countBytes === 8 ? "0_8" : "0"})`,
    show: (f, at, index) => bitsOf(f.GetReal(at, index), countBytes),
  };
}

const VARIABLES: readonly Variable[] = [
  {
    name: "i",
    before: "i = -77",
    values: ["5", "-12", "+0", "2147483647", "99999999999"],
    ask(f, at, index) {
      f.InputInteger(at, 4);
      f.KeepInteger(at, index, -77n);
    },
    shown: "i",
    show: (f, at, index) => `${f.GetInteger(at, index)}`,
  },
  realVariable(4, { name: "r", kept: -1.5, values: ["0.1", "1e10", "-3", "nan", "7.5d2"] }),
  realVariable(8, { name: "d", kept: 0.1, values: ["0.3", "1d-300", "inf", ".5"] }),
  {
    name: "l",
    before: "l = .true.",
    values: ["T", ".false.", "f", "true"],
    ask(f, at, index) {
      f.InputLogical(at);
      f.KeepLogical(at, index, true);
    },
    shown: "merge(1, 0, l)",
    show: (f, at, index) => f.GetLogical(at, index) ? "1" : "0",
  },
  {
    name: "c",
    before: "c = 'keep'",
    values: ["ab", "'it''s'", '"a, b/c"', "''", "longer than that"],
    ask(f, at, index) {
      f.InputCharacter(at, 6);
      f.KeepCharacter(at, index, encode("keep"));
    },
    shown: "'[' // c // ']'",
    show(f, at, index) {
      const text = new Uint8Array(6);
      f.GetCharacter(at, index, text);
      return `[${new TextDecoder().decode(text)}]`;
    },
  },
  {
    name: "z",
    before: "z = (2.0, -4.0)",
    values: ["(1,2)", "( 0.5 , -1e3 )", "(3.25,0)"],
    ask(f, at, index) {
      f.InputComplex32(at);
      f.KeepReal(at, index, 2);
      f.KeepImaginary(at, index, -4);
    },
    shown: "transfer(real(z), 0), transfer(aimag(z), 0)",
    show: (f, at, index) =>
      `${bitsOf(f.GetReal(at, index), 4)} ${bitsOf(f.GetImaginary(at, index), 4)}`,
  },
];

interface Read {
  readonly variables: readonly Variable[];
  readonly lines: readonly string[];
  readonly isInternal: boolean;
}

/** What stands for a variable: its value, nothing, several, the end, or a value of another. */
function anyItem({ values }: Variable): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...values), weight: 5 },
    { arbitrary: fc.constant(""), weight: 3 },
    fc.constantFrom("2*", "3*", "1*", "/", "x y"),
    fc.constantFrom(...values).map((value) => `2*${value}`),
  );
}

const between = fc.constantFrom(",", ",", " , ", " ", ",\n", "\n", ";");
const read: fc.Arbitrary<Read> = fc.shuffledSubarray([...VARIABLES], { minLength: 1 }).chain(
  (variables) =>
    fc.record({
      parts: fc.tuple(...variables.map((one) => fc.tuple(anyItem(one), between))),
      end: fc.constantFrom("", ",", "/", "/ 9 9 9"),
      isInternal: fc.boolean(),
    }).map(({ parts, end, isInternal }) => {
      const text = parts.map(([value, gap]) => value + gap).join("") + end;
      const lines = (isInternal ? text.replaceAll("\n", " ") : text).split("\n");
      return { variables, lines, isInternal };
    }),
);

function sourceOf({ variables, lines, isInternal }: Read): readonly string[] {
  const quoted = lines.map((line) => `'${line.replaceAll("'", "''")}'`);
  const names = variables.map(({ name }) => name).join(", ");
  const from = isInternal ? "s" : "20";
  return [
    ...variables.map(({ before }) => before),
    ...isInternal ? [`s = ${quoted[0]}`] : [
      "open(20, status='scratch')",
      ...quoted.map((line) => `write(20, '(A)') ${line}`),
      "rewind(20)",
    ],
    `read(${from}, *, iostat=k) ${names}`,
    ...isInternal ? [] : ["close(20)"],
    "write(10, '(I0)') k",
    ...variables.map(({ name, shown }) =>
      `write(10, ${name === "c" ? "'(A)'" : "'(I0,1X,I0)'"}) ${shown}`
    ),
  ];
}

const LENGTH = 200;

/** Begins the READ; returns what ends all that it needed. */
function begin(f: FortranStubs, { lines, isInternal }: Read): { at: At; end: () => void } {
  if (isInternal) {
    const at = f.BeginInternalListInput(encode(lines[0]!.padEnd(LENGTH)), 1);
    return { at, end: () => {} };
  }
  const opened = f.BeginOpenNewUnit(1);
  f.SetStatus(opened, "scratch");
  const unit = f.GetNewUnit(opened);
  f.EndIoStatement(opened);
  for (const line of lines) {
    const write = f.BeginExternalFormattedOutput("(A)", unit, 1);
    f.OutputAscii(write, line);
    f.EndIoStatement(write);
  }
  f.EndIoStatement(f.BeginRewind(unit, 1));
  return {
    at: f.BeginExternalListInput(unit, 1),
    end: () => void f.EndIoStatement(f.BeginClose(unit, 1)),
  };
}

function outputOf(f: FortranStubs, one: Read): readonly string[] {
  const { at, end } = begin(f, one);
  f.EnableHandlers(at, true, false, false, false, false);
  for (const [index, { ask }] of one.variables.entries()) ask(f, at, index);
  const shown = one.variables.map(({ show }, index) => show(f, at, index));
  const iostat = f.EndIoStatement(at);
  end();
  return [`${iostat}`, ...shown];
}

const RUNS = Number(Deno.env.get("NULL_CASES") ?? 120);

compilerTest("what a list gives no value stays as in gfortran's program", () => {
  const reads = fc.sample(read, { seed: 7, numRuns: RUNS });
  const source = [
    "program reads",
    "integer :: i, k",
    "real :: r",
    "double precision :: d",
    "logical :: l",
    "character(6) :: c",
    "complex :: z",
    `character(${LENGTH}) :: s`,
    "call get_command_argument(1, s)",
    "open(unit=10, file=trim(s), status='replace')",
    ...reads.flatMap(sourceOf),
    "end program",
  ].join("\n");
  const expected = compiledOutput(source)!.trimEnd().split("\n");
  using here = new FortranHere();
  let line = 0;
  for (const one of reads) {
    const actual = outputOf(here.f, one);
    const wanted = expected.slice(line, line + actual.length).map((text) =>
      text.startsWith("[") ? text : text.trimEnd()
    );
    assertEquals(actual, wanted, JSON.stringify(one.lines));
    line += actual.length;
  }
  assertEquals(line, expected.length);
});

fortranTest("a value that is kept fits its variable, and comes before the READ", () => {
  using here = new FortranHere();
  const { f } = here;
  const at = f.BeginInternalListInput(encode("1,,/"), 1);
  f.InputInteger(at, 1);
  f.InputInteger(at, 2);
  f.InputCharacter(at, 3);
  f.KeepInteger(at, 1, -32768n);
  const text = new Uint8Array(3);
  assertThrows(
    () => f.KeepInteger(at, 0, 128n),
    CallError,
    "must fit 1 bytes: current value is 128",
  );
  assertThrows(() => f.KeepReal(at, 0, 1), CallError, "real or complex: current value is integer");
  assertThrows(() => f.KeepLogical(at, 3, true), CallError, "current value is none");
  assertEquals([f.GetInteger(at, 0), f.GetInteger(at, 1)], [1n, -32768n]);
  assertThrows(() => f.KeepInteger(at, 1, 1n), CallError, "was asked for already");
  f.GetCharacter(at, 2, text);
  assertEquals(new TextDecoder().decode(text), "   ");
  const write = f.BeginInternalListOutput(20, 1);
  assertThrows(() => f.KeepInteger(write, 0, 1n), CallError, "current value is none");
});

fortranTest(
  "a value that the list has not, and that nobody kept, is refused and not made up",
  () => {
    using here = new FortranHere();
    const { f } = here;
    const read = (text: string, ...asks: readonly ((at: At) => void)[]) => {
      const at = f.BeginInternalListInput(encode(text), 1);
      asks.forEach((ask) => ask(at));
      return at;
    };
    for (const text of ["1,,3", "1/", "1,2*"]) {
      const at = read(text, ...[4, 8, 2].map((kind) => (at: At) => f.InputInteger(at, kind)));
      assertEquals(f.GetInteger(at, 0), 1n);
      const message =
        "value 1 as the list has none for it, and Fortran leaves the variable as it was";
      assertThrows(() => f.GetInteger(at, 1), CallError, message);
      // Of two bytes each value may have been read.
      assertEquals(f.GetInteger(at, 2), text === "1,,3" ? 3n : 0n);
      assertEquals(f.EndIoStatement(at), 0);
    }
    const at = read(
      ",,,,",
      (at) => f.InputReal32(at),
      (at) => f.InputComplex64(at),
      (at) => f.InputLogical(at),
      (at) => f.InputCharacter(at, 9),
    );
    assertThrows(() => f.GetReal(at, 0), CallError, "by KeepReal, ");
    assertThrows(() => f.GetImaginary(at, 1), CallError, "by KeepReal and KeepImaginary, ");
    assertThrows(() => f.GetLogical(at, 2), CallError, "by KeepLogical, ");
    assertThrows(() => f.GetCharacter(at, 3, new Uint8Array(9)), CallError, "by KeepCharacter, ");
  },
);

fortranTest("a value that was read is never taken for none", () => {
  using here = new FortranHere();
  const { f } = here;
  for (const value of ["-2147483648", "2147483647", "-2147483647", "0", "-1"]) {
    const at = f.BeginInternalListInput(encode(`${value} ${value} nan nan`), 1);
    f.InputInteger(at, 4);
    f.InputInteger(at, 8);
    f.InputReal32(at);
    f.InputReal64(at);
    assertEquals([f.GetInteger(at, 0), f.GetInteger(at, 1)], [BigInt(value), BigInt(value)]);
    assertEquals([f.GetReal(at, 2), f.GetReal(at, 3)], [NaN, NaN]);
  }
  // Behind an error the caller has its status, and nothing is made up either.
  const failed = f.BeginInternalListInput(encode("1 x 3"), 1);
  f.EnableHandlers(failed, true, false, false, false, false);
  for (let index = 0; index < 3; index++) f.InputInteger(failed, 4);
  assertEquals([f.GetInteger(failed, 0), f.GetInteger(failed, 2)], [1n, 0n]);
});
