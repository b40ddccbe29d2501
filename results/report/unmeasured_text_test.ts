import { assertEquals } from "@std/assert";
import { sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { unmeasuredText } from "./unmeasured_text.ts";

Deno.test("unmeasuredText() lists skipped points by their reason, then failed ones", () => {
  const failed = { ...sampleUnmeasured, outcome: "failed" as const, reason: "no port" };
  const many = Array.from({ length: 7 }, (_, at) => ({ ...sampleUnmeasured, pointId: `at=${at}` }));
  assertEquals(
    unmeasuredText([failed, ...many]).split("\n"),
    [
      "skipped: round_trip, a wave has 2 lanes at least",
      ...["  at=0", "  at=1", "  at=2", "  at=3", "  at=4", "  and 2 more"],
      "failed: round_trip, no port",
      `  ${failed.pointId}`,
    ],
  );
  assertEquals(unmeasuredText([]), "");
});
