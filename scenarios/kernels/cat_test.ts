import { assertEquals } from "@std/assert";
import { bytesOf, programTest, run } from "./testdata/program_test_run.ts";

programTest("cat writes files and its input, and goes on behind one that is absent", async () => {
  const long = bytesOf("0123456789\0\n".repeat(6000)); // more than a chunk
  const files = { long, empty: bytesOf(""), "no newline": bytesOf("ünï"), "-": bytesOf("input\n") };
  const args = ["long", "empty", "absent", "no newline", "-"];
  const { status, out, error } = await run("cat", { files, args });
  assertEquals(out, `${new TextDecoder().decode(long)}ünïinput\n`);
  assertEquals([status, error], [1, "absent: no such file or directory\n"]);
});
