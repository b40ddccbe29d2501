import { assertEquals } from "@std/assert";
import { programTest, run } from "./testdata/program_test_run.ts";

programTest("sort prints its arguments in order, and gives its memory back", async () => {
  const args = ["pear", "fig", "apple", "", "figs", "fig", "Zebra", "ähre"];
  const { status, out, report } = await run("sort", { args });
  assertEquals(out, ["", "Zebra", "apple", "fig", "fig", "figs", "pear", "ähre", ""].join("\n"));
  // Nine texts of less than 16 bytes, the list of their addresses, and the end of the environment.
  assertEquals([status, report.heapUsedBytes], [0, 9 * 16 + 48 + 16]);
});
