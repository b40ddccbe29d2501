import { assertEquals } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { makeLiveParts, REPORT_BYTES } from "./live_parts.ts";
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
