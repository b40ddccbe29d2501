import { assertEquals, assertThrows } from "@std/assert";
import { openMode } from "../files/file_host.ts";
import { MemoryFiles } from "../files/testdata/memory_files.ts";
import { AuditError, AuditLog, auditTo } from "./audit_log.ts";

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
  assertThrows(
    () => {
      for (;;) {
        log.checkOpen();
        log.write(entry("a.one"));
      }
    },
    AuditError,
    "it is full",
  );
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
