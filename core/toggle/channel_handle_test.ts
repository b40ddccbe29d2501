import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";
import { type ChannelHandle, checkHandle, newMemory } from "./channel_handle.ts";
import { Client } from "./client/client.ts";

Deno.test("checkHandle() takes a handle, and says what is wrong with anything else", () => {
  const { handle } = Channel.create({ portCount: 1, laneCount: 1 });
  checkHandle(structuredClone(handle));
  const wrong: readonly (readonly [handle: unknown, message: string])[] = [
    [undefined, "its kind is undefined"],
    [{ ...handle, kind: "other" }, "its kind is other"],
    [{ ...handle, buffer: new ArrayBuffer(8) }, "current value is [object ArrayBuffer]"],
    [{ ...handle, version: 1 }, "made by version 1"],
  ];
  for (const [value, message] of wrong) {
    assertThrows(() => checkHandle(value as ChannelHandle), TypeError, message);
  }
});

Deno.test("A handle's memory that is none, or of another buffer, is left alone", () => {
  const { handle } = Channel.create({ portCount: 1, laneCount: 1 });
  const other = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  for (const memory of [undefined, null, 5, other, handle.buffer, { buffer: handle.buffer }]) {
    const channel = Channel.attach({ ...handle, memory } as ChannelHandle);
    assertEquals(channel.wasmMemory, undefined);
    new Client(channel).open(40_000).close();
  }
  assertEquals(
    Channel.attach(structuredClone({ ...handle })).wasmMemory instanceof WebAssembly.Memory,
    true,
  );
});

Deno.test("newMemory() asks seldom where WebAssembly refuses memory, and has it again when there is room", () => {
  const { Memory } = WebAssembly;
  let asked = 0;
  WebAssembly.Memory = class {
    constructor() {
      asked++;
      throw new RangeError("room");
    }
  } as unknown as typeof Memory;
  try {
    for (let count = 0; count < 500; count++) assertEquals(newMemory(64).memory, undefined);
    assertEquals(asked, 1);
  } finally {
    WebAssembly.Memory = Memory;
  }
  let refused = 0;
  while (newMemory(64).memory === undefined) refused++;
  assertEquals([refused, newMemory(64).memory === undefined], [501, false]);
});
