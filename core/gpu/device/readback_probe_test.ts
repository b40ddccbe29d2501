import { assertEquals, assertStringIncludes } from "@std/assert";
import { onDevice, refuseToRead, tamperedDevice } from "./on_device_test.ts";
import { probeEagerReadback } from "./readback_probe.ts";

onDevice("the probe says what it found", async ({ device }) => {
  const { passed, detail } = await probeEagerReadback(device);
  assertStringIncludes(detail, passed ? "words were right" : "");
});

onDevice("the probe fails on a runtime that hands out old data", async ({ device }) => {
  const old = Int32Array.of(1, ...new Array(257).fill(0)).buffer; // with the receipt of a first read
  const { passed, detail } = await probeEagerReadback(tamperedDevice(device, () => old));
  assertEquals(passed, false);
  assertStringIncludes(detail, "words were wrong in round 0");
});

onDevice("the probe fails on a runtime that maps in its own time", async ({ device }) => {
  const { passed, detail } = await probeEagerReadback(tamperedDevice(device, refuseToRead));
  assertEquals(passed, false);
  assertStringIncludes(detail, "Buffer is not mapped");
});
