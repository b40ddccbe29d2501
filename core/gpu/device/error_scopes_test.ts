import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { allocated, refusedError, underScopes } from "./error_scopes.ts";
import { onDevice } from "./on_device_test.ts";

function bufferOf(device: GPUDevice, size: number, usage: number = GPUBufferUsage.COPY_DST) {
  return device.createBuffer({ size, usage });
}

onDevice("underScopes() tells the first refusal, of any kind", async ({ device }) => {
  const good = underScopes(device, () => bufferOf(device, 16));
  const wrong = underScopes(device, () => bufferOf(device, 16, 0));
  assertEquals(await good.refusal(), undefined);
  assertEquals((await wrong.refusal())?.message.includes("usage"), true);
  assertEquals(refusedError("try", (await wrong.refusal())!).name, "OperationError");
});

onDevice("underScopes() leaves no scope behind when the work throws", async ({ device }) => {
  const fail = () => {
    throw new Error("no");
  };
  assertThrows(() => underScopes(device, fail), Error, "no");
  await assertRejects(async () => await device.popErrorScope(), DOMException);
});

onDevice(
  "allocated() frees what it has made when the device refuses some of it",
  async ({ device }) => {
    let freedCount = 0;
    const part = { destroy: () => freedCount++ };
    const make = (usage: number) => () => ({
      part,
      none: undefined,
      buffer: bufferOf(device, 16, usage),
    });
    await allocated(device, "try", make(GPUBufferUsage.COPY_DST));
    assertEquals(freedCount, 0);
    await assertRejects(
      () => allocated(device, "try", make(0)),
      RangeError,
      "Cannot try as the device",
    );
    assertEquals(freedCount, 1);
  },
);
