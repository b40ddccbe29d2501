import { assertEquals } from "@std/assert";
import { programTest, run } from "./testdata/program_test_run.ts";

programTest("hello greets from every thread", async () => {
  const { status, out } = await run("hello", { threadCount: 3 });
  const lines = [0, 1, 2].map((thread) => `Hello from thread ${thread} of 3\n`);
  assertEquals([status, out], [0, lines.join("")]);
});
