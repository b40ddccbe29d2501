import { assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";
import { type ChannelHandle, checkHandle } from "./channel_handle.ts";

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
