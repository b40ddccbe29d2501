import { assert, assertEquals, assertThrows } from "@std/assert";
import { openMode } from "../files/deno_files.ts";
import { MemoryFiles } from "../files/testdata/memory_files.ts";
import {
  type AuditEntry,
  AuditError,
  auditLine,
  AuditLog,
  auditTo,
  LINE_BYTES_MIN,
  printable,
} from "./audit_log.ts";

const LIMITS = { lineBytes: 2048, logBytes: 1 << 20 };

function entry(call: string) {
  return { time: "2026-01-01T00:00:00.000Z", call, verdict: "allow" } as const;
}

Deno.test("AuditLog takes no call after a lost line, until it could say so", () => {
  const lines: string[] = [];
  let isBroken = false;
  const log = new AuditLog("guest", (line) => {
    if (isBroken) throw new Error("disk full");
    lines.push(line);
  }, LIMITS);
  log.checkOpen();
  log.write(entry("a.one"));
  isBroken = true;
  assertThrows(() => log.write(entry("a.two")), AuditError, "its sink failed");
  assertThrows(() => log.checkOpen(), AuditError);
  assertThrows(() => log.checkOpen(), AuditError);
  isBroken = false;
  log.checkOpen();
  log.checkOpen();
  log.write(entry("a.three"));
  const shown = lines.map((line) => JSON.parse(line)).map(({ call, error }) => error ?? call);
  assertEquals(shown, ["a.one", "3 lines were lost", "a.three"]);
});

Deno.test("AuditLog refuses a sink that will know later whether a line is lost", async () => {
  const sink = (): void => Promise.reject(new Error("disk full")) as never;
  const log = new AuditLog("guest", sink, LIMITS);
  assertThrows(() => log.write(entry("a.one")), AuditError, "its sink failed");
  await new Promise((resolve) => setTimeout(resolve, 0)); // nobody is told of the rejection
});

Deno.test("AuditLog ends at its limit, and refuses limits that are none", () => {
  let bytes = 0;
  const sink = (line: string) => void (bytes += line.length);
  const log = new AuditLog("guest", sink, { lineBytes: 2048, logBytes: 4096 });
  const fill = () => {
    for (;;) log.checkOpen(), log.write(entry("a.one"));
  };
  assertThrows(fill, AuditError, "it is full");
  assertEquals(bytes >= 4096 && bytes < 4096 + 2048, true);
  for (const limits of [{ lineBytes: 10 }, { lineBytes: NaN }, { logBytes: 10 }]) {
    assertThrows(() => new AuditLog("g", sink, { ...LIMITS, ...limits }), RangeError);
  }
});

Deno.test("auditTo() writes whole lines, and begins a new one after half a line", () => {
  const files = new MemoryFiles({ stepBytes: 3 });
  const file = files.open("log", openMode("a")!);
  let left = Infinity;
  const sink = auditTo({ ...file, write: (bytes) => left-- > 0 ? file.write(bytes) : 0 });
  sink("first line\n");
  left = 2;
  assertThrows(() => sink("second line\n"), Error, "takes nothing");
  left = Infinity;
  sink("third line\n");
  sink("fourth line\n");
  assertEquals(files.text("log"), "first line\nsecond\nthird line\nfourth line\n");
});

const ENTRY: AuditEntry = { ...entry("files.fopen"), guest: "formatter" };

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
  const first = [1.5, { number: "NaN" }, { bigint: "2" }, true, null, null, { bytes: 3 }];
  assertEquals(shown, [...first, { x: 1, y: [{ more: 1 }] }, { more: 2 }]);
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
