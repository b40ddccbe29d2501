import { assertEquals } from "@std/assert";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import { stopReasonsText } from "./stop_reasons_text.ts";

Deno.test("stopReasonsText() counts each reason in words, and is empty where none is known", () => {
  const records = (["precise", "settled", "precise", "time"] as const).map((stopReason) => ({
    ...sampleRecord,
    stopReason,
  }));
  assertEquals(
    stopReasonsText(records),
    "sampling ended: precise enough 2, its noise had settled 1, its time was over 1",
  );
  const { stopReason: _, ...unknown } = sampleRecord;
  assertEquals(stopReasonsText([unknown]), "");
});
