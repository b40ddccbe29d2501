import { assert, assertEquals } from "@std/assert";
import { type AuditEntry, auditLine, LINE_BYTES_MIN, printable } from "./audit_line.ts";

const ENTRY: AuditEntry = {
  time: "2026-01-01T00:00:00.000Z",
  guest: "formatter",
  call: "files.fopen",
  verdict: "allow",
};

Deno.test("auditLine() writes one line of JSON, whatever is in a text", () => {
  const texts = [
    'a\n{"time":"forged"}\n',
    "\r\u0085\u2028\u2029\u0000",
    "\u001b]0;title\u0007\u009b2J\u007f",
    "\u202e\u2066right to left",
    '"quoted\\"',
    "\ud800",
  ];
  for (const text of texts) {
    const line = auditLine({ ...ENTRY, arguments: [text], error: text, guest: text }, 4096);
    assert(/^[\x20-\x7e]+\n$/.test(line), JSON.stringify(line));
    assertEquals(JSON.parse(line).arguments, [text]);
  }
});

Deno.test("auditLine() shows every kind of value, shortened", () => {
  const given = [1.5, NaN, 2n, true, null, undefined, new Uint8Array(3), { x: 1, y: [[[{}]]] }];
  const line = auditLine({ ...ENTRY, arguments: [...given, 9, 10] }, 4096);
  const { arguments: shown } = JSON.parse(line);
  assertEquals(shown.slice(0, 7), [
    1.5,
    { number: "NaN" },
    { bigint: "2" },
    true,
    null,
    null,
    { bytes: 3 },
  ]);
  assertEquals(shown.slice(7), [{ x: 1, y: [{ more: 1 }] }, { more: 2 }]);
  const long = auditLine({ ...ENTRY, arguments: ["x".repeat(100)], result: 10n ** 99n }, 4096);
  assertEquals(JSON.parse(long).arguments, [{ text: "x".repeat(64), letters: 100 }]);
  assert(!long.includes("0".repeat(65)));
});

Deno.test("auditLine() keeps to its limit in bytes, however long what it says is", () => {
  const long = "\u001b".repeat(10_000);
  const entry = { ...ENTRY, guest: long, call: long, error: long, result: long };
  const line = auditLine({ ...entry, arguments: Array(100).fill(long) }, LINE_BYTES_MIN);
  assert(line.length <= LINE_BYTES_MIN, `${line.length}`);
  assertEquals([JSON.parse(line).cut, JSON.parse(line).verdict], [true, "allow"]);
});

Deno.test("printable() escapes what would do something to a terminal, and keeps other writing", () => {
  assertEquals(printable("größer → 你好 😀"), "größer → 你好 😀");
  const text = "\u001b[2J\n\u0007\u009b\u202e\u2028\u{e0001}\ud800";
  const escaped = ["1b}[2J", "a}", "7}", "9b}", "202e}", "2028}", "e0001}", "d800}"];
  assertEquals(printable(text), escaped.map((one) => `\\u{${one}`).join(""));
});
