import { assertEquals } from "@std/assert";
import { programTest, run } from "./testdata/program_test_run.ts";

programTest("histogram counts what the host counts", async () => {
  const bytes = Uint8Array.from({ length: 9000 }, (_, index) => (index * index) % 251);
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  const lines = [...counts].sort(([one], [other]) => one - other)
    .map(([byte, count]) => `${String(byte).padStart(3)} ${count}\n`);
  const { status, out } = await run("histogram", {
    threadCount: 2,
    args: ["squares"],
    files: { squares: bytes },
  });
  assertEquals([status, out], [0, lines.join("")]);
});
