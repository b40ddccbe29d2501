import { assertEquals, assertRejects } from "@std/assert";
import { changedCore } from "./changed_core.ts";

const LAYOUT = "toggle/layout.ts";

Deno.test("changedCore() loads the core with the change, and leaves the core as it is", async () => {
  const from = "export const CHANNEL_MAGIC = 0x504f5254;";
  const changed = await changedCore([{ file: LAYOUT, from, to: from.replace("0x504f5254", "77") }]);
  const core = await changedCore([]);
  assertEquals([changed.CHANNEL_MAGIC, core.CHANNEL_MAGIC], [77, 0x504f5254]);
});

Deno.test("changedCore() takes several changes of one file", async () => {
  const changed = await changedCore([
    { file: LAYOUT, from: "CHANNEL_MAGIC = 0x504f5254;", to: "CHANNEL_MAGIC = 20;" },
    { file: LAYOUT, from: "CHANNEL_MAGIC = 20;", to: "CHANNEL_MAGIC = 3;" },
  ]);
  assertEquals(changed.CHANNEL_MAGIC, 3);
});

for (
  const [what, change, message] of [
    ["text that is not there", { file: LAYOUT, from: "no such text" }, "it occurs 0 times"],
    ["text that is there twice", { file: LAYOUT, from: "clientParkedWord: " }, "it occurs 2 times"],
    ["a file that is not there", { file: "toggle/nowhere.ts", from: "x" }, "there is no such file"],
  ] as const
) {
  Deno.test(`changedCore() refuses to change ${what}`, async () => {
    await assertRejects(() => changedCore([{ ...change, to: "" }]), Error, message);
  });
}
