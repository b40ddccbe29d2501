import { assertEquals } from "@std/assert";
import { summaryText } from "./summary_text.ts";

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
