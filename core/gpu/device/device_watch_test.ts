import { assertEquals, assertRejects } from "@std/assert";
import { requestGpuDevice } from "./device.ts";
import { DeviceWatch } from "./device_watch.ts";
import { gpu, onDevice } from "./on_device_test.ts";
import { createReadback } from "./create_readback.ts";
import { READBACK_NAMES } from "./readback.ts";

const SHORT = { secondsMax: 0.02 };

Deno.test("DeviceWatch.guard() settles as the work does, and stops looking", async () => {
  const watch = new DeviceWatch();
  assertEquals(await watch.guard(Promise.resolve(7), SHORT), 7);
  await assertRejects(() => watch.guard(Promise.reject(new Error("no")), SHORT), Error, "no");
  await assertRejects(
    () => watch.guard(Promise.resolve(7), { secondsMax: 0 }),
    RangeError,
    "secondsMax",
  );
});

Deno.test("DeviceWatch.guard() rejects when the other thread stays in one read", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const watch = new DeviceWatch();
  const guarded = watch.guard(promise, SHORT);
  // Without a read, whatever else takes its time is no stall.
  const other = new DeviceWatch(watch.memory);
  for (let read = 0; read < 3; read++) {
    other.watch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  resolve("done");
  assertEquals(await guarded, "done");
  new Int32Array(watch.memory)[0]! += 1;
  const forEver = new Promise<void>(() => {});
  await assertRejects(() => watch.guard(forEver, SHORT), DOMException, "for more than 0.02 s");
});

for (const readback of READBACK_NAMES) {
  onDevice(`the reads of a device are watched, ${readback}`, async () => {
    const watch = new DeviceWatch();
    const { device } = await requestGpuDevice({ watch });
    const words = new Int32Array(watch.memory);
    const before = words[0]!;
    const one = await createReadback(device, { bytes: 4, readback });
    const created = words[0]!;
    await one.runAsync(function* () {
      yield { what: "wait", encode: () => {}, use: () => {} };
    }());
    await one.settle();
    assertEquals([before % 2, created % 2, words[0]! - created], [0, 0, 2]);
    device.destroy();
  });
}

/** A machine without an adapter has no device that could stall. */
function onDeviceOfOwnProcess(name: string, readback: string): void {
  Deno.test({ name, ignore: gpu === undefined, fn: () => runEndless(readback) });
}

async function runEndless(readback: string): Promise<void> {
  const preload = "bench/adapters/software_gpu.ts";
  const program = new URL("./testdata/endless_kernel.ts", import.meta.url);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `--preload=${preload}`, program.href, readback],
    cwd: new URL("../../../", import.meta.url),
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.timeout(60_000),
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
}

for (const readback of READBACK_NAMES) {
  onDeviceOfOwnProcess(`a kernel that never ends is noticed, and left, ${readback}`, readback);
}
