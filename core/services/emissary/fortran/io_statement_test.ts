import { assertEquals, assertThrows } from "@std/assert";
import {
  closedFormat,
  formatCost,
  formatDigits,
  FortranIoError,
  IoStatement,
  refused,
} from "./io_statement.ts";
import type { Outcome, StatementForm } from "./gfortran/perform_statement.ts";

const limits = { itemsMax: 3, bytesMax: 10 };

const BEGUN = { form: "write", unit: 6, line: 12 } as const;

function statementOf(form: StatementForm): IoStatement {
  return new IoStatement({ ...BEGUN, form }, { callerId: 1, limits });
}

function ended(iostat: number): Outcome {
  return { iostat, iomsg: "why", newUnit: 0, internal: undefined };
}

Deno.test("IoStatement is performed once, with all that was recorded", () => {
  const statement = statementOf("write");
  assertEquals(statement.setText("format", new TextEncoder().encode("()")), true);
  assertEquals([
    statement.add("integer", new Uint8Array(4)),
    statement.add("real", new Uint8Array(4)),
  ], [0, 1]);
  let count = 0;
  const perform = () =>
    statement.finish(({ texts, items }) => {
      count++;
      assertEquals([texts.size, items.length], [1, 2]);
      return ended(0);
    });
  assertEquals([perform(), perform(), count], [ended(0), ended(0), 1]);
  assertThrows(() => statement.add("integer", new Uint8Array(1)), TypeError, "asked for already");
  assertThrows(() => statement.setText("format", 1), TypeError, "asked for already");
});

Deno.test("IoStatement takes no more than its limits, and is then not performed", () => {
  const perform = () => ended(0);
  const bytes = statementOf("read");
  assertEquals([bytes.add("character", 10), bytes.add("character", 1)], [0, -1]);
  assertEquals(bytes.finish(perform), refused("more than 10 bytes"));
  const items = statementOf("write");
  const added = [1, 2, 3, 4].map(() => items.add("integer", new Uint8Array(1)));
  assertEquals([added, items.finish(perform)], [[0, 1, 2, -1], refused("more than 3 values")]);
  const text = statementOf("write");
  assertEquals([text.setText("internal", 11), text.setText("internal", 4)], [false, true]);
  assertEquals([...text.texts.get("internal")!], [32, 32, 32, 32]);
  assertEquals(text.finish(perform).iostat, 6000);
});

Deno.test("IoStatement has no format performed that would take for ever or destroy memory", () => {
  const statuses = {
    ...{ "(3000X)": 0, "(3200X)": 6000, "(999999999I5)": 0, "(57P,F0.3)": 0, "(58P,F0.3)": 6000 },
    // Behind a text of four bytes, which are two characters.
    ...{ "(4Héé9000(1X))": 6000, "(4Héé10X)": 0 },
  };
  for (const [format, iostat] of Object.entries(statuses)) {
    const statement = new IoStatement(BEGUN, {
      callerId: 1,
      limits: { itemsMax: 3, bytesMax: 100 },
    });
    statement.setText("format", new TextEncoder().encode(format));
    statement.add("integer", new Uint8Array(4));
    assertEquals(statement.finish(() => ended(0)).iostat, iostat, format);
  }
});

Deno.test("IoStatement takes what its form has", () => {
  const wrong: readonly (readonly [string, StatementForm, (one: IoStatement) => unknown])[] = [
    ["current value is read", "read", (one) => one.add("integer", new Uint8Array(1))],
    ["Cannot read a value", "write", (one) => one.add("integer", 4)],
    ["current value is open", "open", (one) => one.add("integer", 4)],
    ["has none", "rewind", (one) => one.setText("status", 1)],
  ];
  for (const [text, form, work] of wrong) {
    assertThrows(() => work(statementOf(form)), TypeError, text);
  }
});

Deno.test("IoStatement.statusOf() throws what no handler is for", () => {
  const none = { hasIoStat: false, hasErr: false, hasEnd: false, hasEor: false };
  const handlers = [{}, { hasErr: true }, { hasEnd: true }, { hasEor: true }, { hasIoStat: true }];
  const seen = handlers.map((some) => {
    const statement = statementOf("read");
    statement.enableHandlers({ ...none, ...some });
    return [0, 5010, -1, -2].filter((iostat) => {
      try {
        return statement.statusOf(ended(iostat)) === iostat;
      } catch (error) {
        assertEquals((error as FortranIoError).iostat, iostat);
        return false;
      }
    });
  });
  assertEquals(seen, [[0], [0, 5010], [0, -1], [0, -2], [0, 5010, -1, -2]]);
  assertThrows(
    () => statementOf("read").statusOf(ended(7)),
    FortranIoError,
    "Cannot read by the statement of line 12: why (iostat 7)",
  );
});

/** Costs of each format between these two. */
const BOUNDS: readonly (readonly [format: string, atLeast: number, atMost: number])[] = [
  ["(3I4)", 1, 10],
  ["(1000000I5)", 1, 10],
  ["(1000000(I5,1X))", 1, 20],
  ["(*(F8.3,','))", 1, 30],
  ["(1P,E12.3E3,0P,ES14.5)", 1, 60],
  ["(2(I3,1X),3X,'text',T20,A,/,TL3,TR5,SP,BN,:)", 1, 80],
  ["(1000000(1000000('')))", 1e12, Infinity],
  ["(1000(1000(1000(:))))", 1e9, Infinity],
  ["(1000000(1000000(BN)))", 1e12, Infinity],
  ["(1000000(1000000(TL5)))", 1e12, Infinity],
  ["(1000000(1000000(b n)))", 1e12, Infinity],
  ["(1000000(1000000X),I5)", 1e12, Infinity],
  ["(9 9 9 9 9 9 9X)", 9_999_999, 1e7],
  ["(2000000/)", 2_000_000, 3_000_000],
  ["(I99999999)", 99_999_999, 100_000_100],
  ["(ES99999999.3)", 99_999_999, 100_000_100],
  ["(F9.99999999)", 99_999_999, 100_000_100],
  ["(T99999999,A)", 99_999_999, 100_000_100],
  [`(1000('${" ".repeat(1000)}'))`, 1e6, 2e6],
  ["(1000('it''s)(1000000(\"'))", 1000, 1e5],
  ["(3H1(',1000(1000X))", 1e6, 2e6],
  ["(1000(1000X", 1e6, 2e6],
  ["(1\t000(1\t0\t0\t0X))", 1e6, 2e6],
  ["", 0, 0],
  [")))(((", 0, 100],
];

Deno.test("formatCost() counts what a format does between two values", () => {
  const wrong = BOUNDS.map(([format, ...bounds]) =>
    [format, ...bounds, formatCost(format)] as const
  )
    .filter(([, atLeast, atMost, cost]) => !(cost >= atLeast && cost <= atMost));
  assertEquals(wrong, []);
});

Deno.test("formatCost() takes a time that grows with the text", () => {
  for (const text of ["(", "'", "1", " ", "A", "I5,", "3H", '"a', "((I5))"]) {
    formatCost(text.repeat(Math.ceil(1e6 / text.length)));
  }
  assertEquals(formatCost(`('${"a".repeat(1e6)}')`) >= 1e6, true);
});

Deno.test("formatDigits() counts what a number may take beside its digits before the point", () => {
  const digits: Readonly<Record<string, number>> = {
    "(3I400.300,B64.64)": 0,
    "(F400.3)": 3,
    "(2E400.3,5X,400A)": 3,
    "(1P,E12.3 E 4,0P,ES14.5)": 10,
    "(-4\t00P,F0.3)": 403,
    "(f9.2,'400P')": 2,
    "(3HF.9,g0.1e50)": 51,
    "": 0,
  };
  const found = Object.keys(digits).map((format) => [format, formatDigits(format)]);
  assertEquals(Object.fromEntries(found), digits);
});

Deno.test("closedFormat() cuts a format at its end, and knows one that has none", () => {
  const closed = { "(I5)": "(I5)", " ( 2(I5) ) I7": " ( 2(I5) )", "(')',2H)))": "(')',2H)))" };
  for (const [format, cut] of Object.entries(closed)) assertEquals(closedFormat(format), cut);
  for (const open of ["", "I5", "(F5.2E", "(9H)", "((I5)"]) {
    assertEquals(closedFormat(open), undefined, open);
  }
});
