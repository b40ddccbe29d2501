import { assertEquals } from "@std/assert";
import { bytesOf, programTest, run } from "./testdata/program_test_run.ts";

const TEXT = bytesOf("plain text\n".repeat(900));

programTest("ascii ends with 0 where every byte is ASCII", async () => {
  const { status, out } = await run("ascii", { threadCount: 2, args: ["a"], files: { a: TEXT } });
  assertEquals([status, out], [0, ""]);
});

programTest("ascii ends with 3 at the first byte that is not, and says where it is", async () => {
  const other = TEXT.with(5000, 200);
  const { status, out, report } = await run("ascii", {
    threadCount: 2,
    args: ["a"],
    files: { a: other },
  });
  assertEquals([status, out, report.exitStatus], [3, "byte 5000 is 200\n", 3]);
});
