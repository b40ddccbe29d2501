import { assert, assertEquals, assertMatch } from "@std/assert";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { contextText, reportPage } from "./report_page.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";

Deno.test("reportPage() holds charts, targets, figures and context, and needs no network", async () => {
  const page = await reportPage(sweepRecords());
  assertEquals(page.match(/<figure>/g)?.length, 3);
  assertMatch(page, /<h2>Targets<\/h2>/);
  assertMatch(page, /portCount=4096;laneCount=32;waiting=spin\+spin/);
  assertMatch(page, /Example 9000, 2 cores/);
  assert(!/<script|<link|@import|(src|href)="(?!#)/.test(page));
});

Deno.test("reportPage() says why a point has no figures", async () => {
  assert(!(await reportPage([sampleRecord])).includes("Points without figures"));
  const page = await reportPage([sampleRecord], { unmeasured: [sampleUnmeasured] });
  assertMatch(page, /Points without figures<.h2>\n<pre>skipped: round_trip, a wave has 2 lanes/);
});

Deno.test("reportPage() shows texts as texts", async () => {
  const page = await reportPage([{ ...sampleRecord, warnings: ['<b>"&"</b>'] }]);
  assert(!page.includes("<b>"));
  assert(page.includes("&#60;b&#62;&#34;&#38;&#34;&#60;/b&#62;"));
});

Deno.test("contextText() says where it was measured, and with what", () => {
  const local = { ...sampleRecord.machine, hasLocalChanges: true };
  assertMatch(contextText({ ...sampleRecord, machine: local }), /0123456789ab with local changes/);
  assertMatch(contextText({ ...sampleRecord, adapter: "SwiftShader" }), /adapter SwiftShader\.$/);
  assertEquals(contextText(undefined), "No records.");
});
