import { assertEquals } from "@std/assert";
import { closedFormat, formatCost, formatDigits } from "./format_cost.ts";

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
  const wrong = BOUNDS.map(([format, atLeast, atMost]) => ({
    format,
    atLeast,
    atMost,
    cost: formatCost(format),
  }))
    .filter(({ cost, atLeast, atMost }) => !(cost >= atLeast && cost <= atMost));
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
