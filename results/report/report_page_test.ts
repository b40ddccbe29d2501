import { assert, assertEquals, assertMatch } from "@std/assert";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { contextText, reportPage } from "./report_page.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";

Deno.test("reportPage() holds findings, charts, figures, warnings and context, in this order", async () => {
  const page = await reportPage(sweepRecords());
  const headings = [...page.matchAll(/<h[123][^>]*>(.*?)</g)].map(([, text]) => text);
  const parts = ["Findings", "Charts", "Figures", "Warnings"];
  assertEquals(headings, ["portlab: run sample", "Run sample", ...parts]);
  assertMatch(page, /portCount=4096;laneCount=32;waiting=spin\+spin/);
  assertMatch(page, /Example 9000, 2 cores/);
});

Deno.test("reportPage() needs nothing from outside", async () => {
  const page = await reportPage([sampleRecord]);
  const own = page.replaceAll(/<script>.*?<\/script>/gs, ""); // the library names schemas
  assert(!/@import|url\(|(src|href)="(?!#|data:)/.test(own));
  assertEquals(page.match(/<script>/g)?.length, 2);
});

Deno.test("reportPage() compares runs that share points, and only these", async () => {
  const twice = (runId: string, pointId: string) =>
    [0, 1].map((round) => ({ ...sampleRecord, runId, pointId, round }));
  const alike = await reportPage([...twice("one", "a"), ...twice("two", "a")]);
  assertMatch(alike, /Run two, compared with one<.*1 same; all of it is right in 95 %/s);
  const apart = await reportPage([...twice("one", "a"), ...twice("two", "b")]);
  assert(!apart.includes("compared with"));
});

Deno.test("reportPage() says why a point has no figures", async () => {
  assert(!(await reportPage([sampleRecord])).includes("Points without figures"));
  const page = await reportPage([sampleRecord], { unmeasured: [sampleUnmeasured] });
  assertMatch(page, /Points without figures<.h2>\n<pre.*?>skipped: round_trip, a wave has 2 lanes/);
});

Deno.test("reportPage() shows texts as texts", async () => {
  const page = await reportPage([{ ...sampleRecord, warnings: ['<b>"&"</b>'] }]);
  assert(!page.includes("<b>"));
  assert(page.includes("&#60;b&#62;&#34;&#38;&#34;&#60;/b&#62;"));
  assertMatch(await reportPage([]), /portlab: no records/);
});

Deno.test("contextText() says where it was measured, and with what", () => {
  const local = { ...sampleRecord.machine, hasLocalChanges: true };
  assertMatch(contextText({ ...sampleRecord, machine: local }), /0123456789ab with local changes/);
  assertMatch(contextText({ ...sampleRecord, adapter: "SwiftShader" }), /adapter SwiftShader\.$/);
  assertEquals(contextText(undefined), "No records.");
});
