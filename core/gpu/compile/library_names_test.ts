import { assertEquals } from "@std/assert";
import { openGpu } from "../run/gpu.ts";
import { gpu as device, onDevice } from "../device/on_device_test.ts";
import { WgslText } from "../syntax/wgsl_text.ts";
import { withFreeNames } from "./library_names.ts";

Deno.test("withFreeNames() renames what both declare, and nothing that steps call", () => {
  const library =
    "struct lane { sent: u32 } fn sent(lane: u32) { let sent_ = lane; } fn go() { sent(1u); }";
  const renamed = (text: string, more?: ReadonlyMap<string, string>) =>
    withFreeNames(library, new WgslText(text), more);
  assertEquals(renamed("fn mine() { sent(); }"), library);
  assertEquals(
    renamed("const sent = 1; fn go() { }"),
    "struct lane { sent__2: u32 } fn sent__2(lane: u32) { let sent_ = lane; } fn go() { sent__2(1u); }",
  );
  assertEquals(
    renamed("", new Map([["sent", "s"]])).startsWith("struct lane { sent: u32 } fn s("),
    true,
  );
});

onDevice("a kernel may use every word that is not a kernel's function", async () => {
  assertEquals(device === undefined, false);
  using gpu = await openGpu();
  const source = `
    struct Frame { sent: u32, wave: u32 }
    struct channel { a: Frame }
    var<private> lane: u32; var<private> payload = 5u; var<private> frame: array<u32, LANE_COUNT>;
    const KEY_DONE = 3u; const LANE_COUNT = 2u; alias step = u32;
    @service fn twice(x: u32) -> u32;
    fn port_obstacle(x: step) -> u32 { return x + KEY_DONE; }
    fn send(x: u32) -> u32 { return port_obstacle(x) + 1u; }
    fn close() { payload += 1u; lane = send(payload); frame[1] = 7u; }
    fn print(x: channel) -> u32 { return x.a.sent + twice(x.a.wave); }
    fn kernel() {
      close();
      let kept = Frame(twice(payload), 4u);
      printf("%u %u %u %u", lane, print(channel(kept)), kept.sent, frame[1]);
    }`;
  let text = "";
  const functions = { twice: (x: number) => x * 2 };
  await gpu.run(source, { functions, laneCount: 1, print: (part) => text += part });
  assertEquals(text, "10 20 12 7");
});
