import { assertEquals, assertStringIncludes } from "@std/assert";
import { CallError } from "../../../core/call/call_error.ts";
import { Opcode } from "../../../core/memory/opcode.ts";
import { Status } from "../../../core/memory/status.ts";
import { ErrnoError } from "../../../core/signature/mod.ts";
import { PrintfError } from "../../../core/gpu/print/printf_error.ts";
import { Lines } from "../../../core/gpu/text/lines.ts";
import { KernelCompileError } from "../../../core/gpu/wgsl/kernel_compile.ts";
import { KernelError, KernelErrorCode } from "../../../core/gpu/wgsl/kernel_error.ts";
import { RunExit, runFailure, summaryText } from "./run_failure.ts";

const SOURCE = "fn main() {\n\tlet a = b;\n}";
const PROGRAM = { path: "a.wgsl", source: SOURCE };
const PLACE = { line: 2, column: 10 };

Deno.test("runFailure() shows a place of the author's text as compilers do", () => {
  const shown = { text: "a.wgsl:2:10: no b\n\tlet a = b;\n\t        ^", exitStatus: 65 } as const;
  const edited = SOURCE.replace("let", "LET");
  assertEquals(
    runFailure(KernelCompileError.at(new Lines(edited), PLACE, "no b"), PROGRAM),
    shown,
  );
  assertEquals(runFailure(new PrintfError("no b", new Lines(SOURCE), PLACE), PROGRAM), shown);
});

Deno.test("runFailure() names the file where no place is known", () => {
  const nowhere = new KernelCompileError("Cannot compile it", { line: 0, column: 0 });
  const text = "a.wgsl: Cannot compile it";
  assertEquals(runFailure(nowhere, PROGRAM), { text, exitStatus: RunExit.compile });
  assertEquals(runFailure(new TypeError("Cannot compile it"), PROGRAM).text, text);
});

Deno.test("runFailure() has a status for each kind of failure", () => {
  const statusOf = (error: Error) => runFailure(error, PROGRAM).exitStatus;
  const report = { waveIndex: 0, code: KernelErrorCode.streamFull, step: undefined };
  assertEquals(statusOf(new SyntaxError("a")), 2);
  assertEquals(statusOf(new RangeError("a")), 2);
  assertEquals(statusOf(new ErrnoError(2, "open the folder a")), 2);
  assertEquals(statusOf(new TypeError("a")), 65);
  assertEquals(statusOf(new DOMException("a", "NotSupportedError")), 69);
  assertEquals(statusOf(new DOMException("a", "OperationError")), 70);
  assertEquals(statusOf(new KernelError(report)), 70);
});

Deno.test("runFailure() names the function that failed", () => {
  const textOf = (opcode: number, name?: string, status: Status = Status.handlerFailed) => {
    const error = new CallError(status, { opcode, name, detail: "no room" });
    return runFailure(error, PROGRAM).text;
  };
  assertEquals(
    textOf(Opcode.printf, "printf"),
    "a.wgsl: Cannot finish printf() as its handler threw: no room",
  );
  assertStringIncludes(textOf(40_000, "f", Status.unhandledOpcode), "finish f() as the server has");
  assertStringIncludes(textOf(40_000), "the call of opcode 40000");
});

const REPORT = {
  results: new Int32Array(1),
  exitStatus: undefined,
  epochCount: 3,
  packetCount: 7,
  kernelSeconds: 0.00125,
  frameBytes: 24,
  channelBytes: 2048,
  heapBytes: 65_536,
  heapUsedBytes: 48,
};

Deno.test("summaryText() tells time, calls and memory, with their units", () => {
  assertEquals(summaryText(REPORT, 0.5).split("\n"), [
    "time    1.25 ms on the device; 500 ms in all, compiled included",
    "calls   7 packets in 3 epochs",
    "memory  heap 48 of 65536 bytes, frames 24 bytes a thread, channel 2048 bytes",
    "",
  ]);
});

Deno.test("summaryText() says where the device cannot tell its time", () => {
  const [time] = summaryText({ ...REPORT, kernelSeconds: undefined }, 2).split("\n");
  const text = "time    not known, as the device has no clock; 2.00 s in all, compiled included";
  assertEquals(time, text);
});

Deno.test("summaryText() tells of a program that ran live, which has no epochs", () => {
  const live = { ...REPORT, kernelSeconds: undefined, epochCount: undefined };
  assertEquals(summaryText(live, 2).split("\n").slice(0, 2), [
    "time    not told apart, as the kernel waits for the host while it runs; 2.00 s in all, compiled included",
    "calls   7 packets while it ran",
  ]);
});
