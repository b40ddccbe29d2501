/** Random statements through the server, and the same ones in a program that gfortran compiles. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { compiledLines, compilerTest, FortranHere } from "./with_gfortran_test.ts";

/** A value in Fortran's source, and the edit descriptors that fit it. */
interface Value {
  readonly source: string;
  readonly edits: readonly string[];
}

const INTEGER_EDITS = ["I0", "I5", "I12.3", "Z9", "O14", "I3", "B0", "G14.5"];
const REAL_EDITS = "F10.3 F0.4 E15.6 ES14.5E3 EN16.4 G16.8 D13.4 1P,E12.3,0P".split(" ");

function bitsOf(value: number, countBytes: 4 | 8): string {
  const view = new DataView(new ArrayBuffer(8));
  if (countBytes === 4) view.setFloat32(0, value);
  else view.setFloat64(0, value);
  const bits = countBytes === 4 ? view.getInt32(0) : view.getBigInt64(0);
  return `transfer(${bits}_${countBytes}, 1.0_${countBytes})`;
}

function integers(countBytes: number, edits = INTEGER_EDITS): fc.Arbitrary<Value> {
  const most = 2n ** BigInt(8 * countBytes - 1) - 1n;
  return fc.bigInt(-most - 1n, most).map((value) => ({ source: `${value}_${countBytes}`, edits }));
}

const number = fc.oneof(fc.double(), fc.double({ min: -1e6, max: 1e6 }), fc.integer());
const real = fc.oneof(
  fc.oneof(fc.float(), number.map(Math.fround)).map((value) => bitsOf(value, 4)),
  number.map((value) => bitsOf(value, 8)),
).map((source): Value => ({ source, edits: REAL_EDITS }));
const complex = fc.tuple(number, number).map(([left, right]): Value => ({
  source: `cmplx(${bitsOf(left, 8)}, ${bitsOf(right, 8)}, kind=8)`,
  edits: ["2F12.4", "ES13.4,1X,E20.10E3"],
}));
const text = fc.string({ unit: "grapheme-ascii", maxLength: 20 }).map((value): Value => ({
  source: `'${value.replaceAll("'", "''")}'`,
  edits: ["A", "A7", "A12", "G10.3"],
}));
const logical = fc.constantFrom(".true.", ".false.").map((source): Value => ({
  source,
  edits: ["L1", "L6"],
}));

const integer = fc.oneof(
  ...[1, 2, 4, 8].map((size) => integers(size)),
  integers(16, ["I0", "I45"]),
);
const value = fc.oneof(integer, real, complex, text, logical);
const between = fc.constantFrom("", ",1X", ",/", ',"a, b"', ",T40", ",SP", ",TL3,TR5", ",:");
const withEdit = value.chain(({ source, edits }) =>
  fc.tuple(fc.constantFrom(...edits), between).map(([edit, more]) => ({
    source,
    edit: edit + more,
  }))
);

function statementOf(control: string, values: readonly { readonly source: string }[]): string {
  return `write(10, ${control}) ${values.map(({ source }) => source).join(", ")}`;
}

const statement: fc.Arbitrary<string> = fc.oneof(
  fc.array(value, { maxLength: 9 }).map((values) => statementOf("*", values)),
  fc.array(withEdit, { minLength: 1, maxLength: 6 }).map((some) =>
    statementOf(`'(${some.map(({ edit }) => edit).join(",")})'`, some)
  ),
  // Fewer descriptors than values: the format is gone through again, from its last group.
  fc.array(real, { minLength: 1, maxLength: 7 }).map((values) =>
    statementOf(`'("r:",2(F9.2,","))'`, values)
  ),
);

compilerTest("random statements write what gfortran's program writes", () => {
  const statements = fc.sample(statement, { seed: 20, numRuns: 300 });
  const expected = compiledLines(statements);
  using here = new FortranHere();
  here.open(10, "out.txt");
  for (const line of statements) here.run(line);
  assert(expected.length > statements.length);
  assertEquals(here.text("out.txt").split("\n"), expected);
});
