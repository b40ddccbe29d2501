import { assertEquals, assertRejects } from "@std/assert";
import { changedCore } from "./changed_core.ts";

const LAYOUT = "toggle/layout.ts";

Deno.test("changedCore() loads the core with the change, and leaves the core as it is", async () => {
  const from = "export const PROTOCOL_VERSION = 2;";
  const changed = await changedCore([{ file: LAYOUT, from, to: from.replace("2", "77") }]);
  const core = await changedCore([]);
  assertEquals([changed.PROTOCOL_VERSION, core.PROTOCOL_VERSION], [77, 2]);
});

Deno.test("changedCore() takes several changes of one file", async () => {
  const changed = await changedCore([
    { file: LAYOUT, from: "PROTOCOL_VERSION = 2;", to: "PROTOCOL_VERSION = 20;" },
    { file: LAYOUT, from: "PROTOCOL_VERSION = 20;", to: "PROTOCOL_VERSION = 3;" },
  ]);
  assertEquals(changed.PROTOCOL_VERSION, 3);
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
