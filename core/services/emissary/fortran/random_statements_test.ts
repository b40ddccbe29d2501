/** Random statements through the server, and the same ones in a program that gfortran compiles. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  compiledOutput,
  compilerTest,
  FortranHere,
  type FortranStubs,
} from "./with_gfortran_test.ts";

type At = Parameters<FortranStubs["EndIoStatement"]>[0];

/** A value in Fortran's source, what writes it here, and the edit descriptors that fit it. */
interface Value {
  readonly source: string;
  readonly put: (f: FortranStubs, at: At) => boolean;
  readonly edits: readonly string[];
}

const INTEGER_EDITS = ["I0", "I5", "I12.3", "Z9", "O14", "I3", "B0", "G14.5"];
const REAL_EDITS = [
  "F10.3",
  "F0.4",
  "E15.6",
  "ES14.5E3",
  "EN16.4",
  "G16.8",
  "D13.4",
  "1P,E12.3,0P",
];

function bitsOf(value: number, countBytes: 4 | 8): string {
  const view = new DataView(new ArrayBuffer(8));
  if (countBytes === 4) view.setFloat32(0, value);
  else view.setFloat64(0, value);
  return countBytes === 4
    ? `transfer(${view.getInt32(0)}_4, 1.0_4)`
    : `transfer(${view.getBigInt64(0)}_8, 1.0_8)`;
}

const integer = fc.oneof(
  fc.integer({ min: -128, max: 127 }).map((value): Value => ({
    source: `int(${value}, 1)`,
    put: (f, at) => f.OutputInteger8(at, value),
    edits: INTEGER_EDITS,
  })),
  fc.integer({ min: -32768, max: 32767 }).map((value): Value => ({
    source: `int(${value}, 2)`,
    put: (f, at) => f.OutputInteger16(at, value),
    edits: INTEGER_EDITS,
  })),
  fc.integer().map((value): Value => ({
    source: `int(${value}_8, 4)`,
    put: (f, at) => f.OutputInteger32(at, value),
    edits: INTEGER_EDITS,
  })),
  fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n).map((value): Value => ({
    source: `${value}_8`,
    put: (f, at) => f.OutputInteger64(at, value),
    edits: INTEGER_EDITS,
  })),
  fc.bigInt(-(2n ** 127n) + 1n, 2n ** 127n - 1n).map((value): Value => ({
    source: `${value}_16`,
    put: (f, at) => f.OutputInteger128(at, BigInt.asUintN(64, value), value >> 64n),
    edits: ["I0", "I45"],
  })),
);

const number = fc.oneof(fc.double(), fc.double({ min: -1e6, max: 1e6 }), fc.integer());
const real = fc.oneof(
  fc.oneof(fc.float(), number.map(Math.fround)).map((value): Value => ({
    source: bitsOf(value, 4),
    put: (f, at) => f.OutputReal32(at, value),
    edits: REAL_EDITS,
  })),
  number.map((value): Value => ({
    source: bitsOf(value, 8),
    put: (f, at) => f.OutputReal64(at, value),
    edits: REAL_EDITS,
  })),
);

const complex = fc.tuple(number, number).map(([left, right]): Value => ({
  source: `cmplx(${bitsOf(left, 8)}, ${bitsOf(right, 8)}, kind=8)`,
  put: (f, at) => f.OutputComplex64(at, left, right),
  edits: ["2F12.4", "ES13.4,1X,E20.10E3"],
}));

const text = fc.string({ unit: "grapheme-ascii", maxLength: 20 }).map((value): Value => ({
  source: `'${value.replaceAll("'", "''")}'`,
  put: (f, at) => f.OutputAscii(at, value),
  edits: ["A", "A7", "A12", "G10.3"],
}));

const logical = fc.boolean().map((value): Value => ({
  source: value ? ".true." : ".false.",
  put: (f, at) => f.OutputLogical(at, value),
  edits: ["L1", "L6"],
}));

const value = fc.oneof(integer, real, complex, text, logical);
const between = fc.constantFrom("", ",1X", ",/", ',"a, b"', ",T40", ",SP", ",TL3,TR5", ",:");
const withEdit = value.chain((one) =>
  fc.tuple(fc.constantFrom(...one.edits), between).map(([edit, more]) => ({
    value: one,
    edit: edit + more,
  }))
);

interface Statement {
  readonly format: string;
  readonly values: readonly Value[];
}

const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.array(value, { maxLength: 9 }).map((values) => ({ format: "*", values })),
  fc.array(withEdit, { minLength: 1, maxLength: 6 }).map((some) => ({
    format: `(${some.map(({ edit }) => edit).join(",")})`,
    values: some.map(({ value }) => value),
  })),
  // Fewer descriptors than values: the format is gone through again, from its last group.
  fc.array(real, { minLength: 1, maxLength: 7 }).map((values) => ({
    format: '("r:",2(F9.2,","))',
    values,
  })),
);

function sourceOf(statements: readonly Statement[]): string {
  const lines = statements.map(({ format, values }) => {
    const control = format === "*" ? "*" : `'${format}'`;
    return `write(10, ${control}) ${values.map(({ source }) => source).join(", ")}`;
  });
  return [
    "program statements",
    "character(200) :: path",
    "call get_command_argument(1, path)",
    "open(unit=10, file=trim(path), status='replace')",
    ...lines,
    "end program",
  ].join("\n");
}

compilerTest("random statements write what gfortran's program writes", () => {
  const statements = fc.sample(statement, { seed: 20, numRuns: 300 });
  const expected = compiledOutput(sourceOf(statements))!.split("\n");
  using here = new FortranHere();
  here.open(10, "out.txt");
  for (const { format, values } of statements) {
    const at = here.begin(10, format);
    for (const { put } of values) put(here.f, at);
    here.f.EndIoStatement(at);
  }
  assert(expected.length > statements.length);
  assertEquals(here.text("out.txt").split("\n"), expected);
});
