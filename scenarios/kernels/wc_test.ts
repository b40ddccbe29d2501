import { assertEquals } from "@std/assert";
import { bytesOf, programTest, run } from "./testdata/program_test_run.ts";

programTest("wc counts words across the parts of its threads once", async () => {
  // Word ends and blanks fall on both sides of a multiple of 4096.
  const text = `${"x".repeat(4000)} ${"word\n".repeat(1000)}${"\t \n".repeat(500)}${
    "yz ".repeat(3000)
  }last`;
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  const lines = text.split("\n").length - 1;
  const { status, out } = await run("wc", {
    threadCount: 3,
    args: ["text"],
    files: { text: bytesOf(text) },
  });
  assertEquals([status, out], [0, `${lines} ${words} ${text.length}\n`]);
});
