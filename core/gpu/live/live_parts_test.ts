import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { makeLiveParts, REPORT_BYTES, unrolled } from "./live_parts.ts";
import livePortText from "./live_port.wgsl" with { type: "text" };
import { onDevice } from "../device/on_device_test.ts";

onDevice("makeLiveParts() puts the report behind the channel", async ({ device }) => {
  const shape = { portCount: 2, laneCount: 4 };
  const layout = channelLayout(shape);
  const source = `
    fn client_fill() -> bool { return false; }
    fn client_use() {}
    fn client_end() {}
    fn serve(opcode: u32) {}`;
  const parts = await makeLiveParts(device, { ...shape, source, clientCount: 1 }, layout);
  assertEquals(parts.channel.size, layout.totalBytes + REPORT_BYTES);
  for (const memory of [parts.channel, parts.params, parts.readback]) memory.destroy();
  parts.stopwatch?.destroy();
});

Deno.test("unrolled() writes out every loop over the words of a packet, unless they are many", () => {
  const text = "for (var word = 0u; word < DATA_WORDS; word++) { sum = mix(sum, packet[word]); }";
  assertEquals(unrolled(text, 2), "sum = mix(sum, packet[0u]); sum = mix(sum, packet[1u]);");
  assertEquals(unrolled(text, 17), text);
  assertMatch(livePortText, /word < DATA_WORDS; word/);
  assertNotMatch(unrolled(livePortText, 15), /word < DATA_WORDS; word/);
});
