import { assert, assertEquals, assertMatch } from "@std/assert";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import {
  chartFigures,
  contextText,
  findingsList,
  reportPage,
  warningsList,
} from "./report_page.ts";
import { runHistory } from "../testdata/run_history.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { summarize } from "../statistics/summary.ts";

Deno.test("reportPage() holds answers, targets, each question, warnings and context, in this order", async () => {
  const page = await reportPage(sweepRecords(), { areTargetsTold: true });
  const headings = [...page.matchAll(/<h[123][^>]*>(.*?)</g)].map(([, text]) => text);
  const questions = [...new Set(sweepRecords().map(({ question }) => question))];
  const parts = ["Answers", "Targets", ...questions, "Warnings"];
  assertEquals(headings, ["portlab: run sample", "Run sample", ...parts]);
  assertMatch(page, /<p class="answer">A call takes .* times as long as its floor, ping pong.<.p>/);
  assertMatch(page, /portCount=4096;laneCount=32;waiting=spin\+spin/);
  assertMatch(page, /Example 9000, 2 cores/);
  assert(page.indexOf("Example 9000") > page.indexOf("</dl>"), "the answers come first");
  assert(!(await reportPage(sweepRecords())).includes(">Targets<"), "nobody asked for them");
});

Deno.test("reportPage() needs nothing from outside", async () => {
  const page = await reportPage([sampleRecord]);
  const own = page.replaceAll(/<script>.*?<\/script>/gs, ""); // the library names schemas
  assert(!/@import|url\(|(src|href)="(?!#|data:)/.test(own));
  assertEquals(page.match(/<script>/g)?.length, 2);
});

Deno.test("reportPage() compares runs that share points, and only these", async () => {
  const twice = (runId: string, pointId: string) =>
    [0, 1, 2, 3, 4].map((round) => ({ ...sampleRecord, runId, pointId, round }));
  const alike = await reportPage([...twice("one", "a"), ...twice("two", "a")]);
  assertMatch(alike, /Run two, compared with one<.*1 same; where nothing has changed, 2 %/s);
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

function idOf({ pointId }: { readonly pointId: string }): string {
  return `to-${pointId}`;
}

Deno.test("findingsList() has what was missed first, each with a word, a sign and its figure", () => {
  const html = findingsList(summarize([sampleRecord]));
  const verdicts = [...html.matchAll(/class="verdict ([\w-]+)">(\S) /g)].map(([, word, sign]) =>
    `${sign} ${word}`
  );
  assertEquals(verdicts, [
    "✗ missed",
    "✓ reached",
    "✓ reached",
    "– not-measured",
    "– not-measured",
  ]);
  assertMatch(
    html,
    /<strong>2.00<\/strong>, wanted at most 1.6; too few rounds to be sure: 1/,
  );
  assertEquals(findingsList(summarize([{ ...sampleRecord, targets: [] }])), "");
});

Deno.test("warningsList() has each warning once, with every point and its own numbers", () => {
  const records = [1, 2].map((seed) => ({
    ...sampleRecord,
    pointId: `<${seed}>`,
    warnings: [`It took ${seed} ns`, ...seed === 1 ? ["It rained"] : []],
  }));
  const html = warningsList(summarize(records), { idOf });
  assertMatch(html, /<summary>It took 1 ns..2 ns \(2 points\)<\/summary>/);
  assertMatch(html, /<a href="#to-&#60;2&#62;">round_trip &#60;2&#62;<\/a>: It took 2 ns/);
  assertMatch(html, /<summary>It rained \(1 point\)/);
  assert(html.includes("Too few rounds for an interval: 1"));
  assertEquals(warningsList([], { idOf }), "");
  const rounds = [1, 2].map((round) => ({ ...sampleRecord, round, warnings: [`At ${round} ns`] }));
  assertMatch(warningsList(summarize(rounds), { idOf }), /<summary>At 1 ns..2 ns \(1 point\)/);
});

const records = sweepRecords();
const html = chartFigures({ records, rows: summarize(records), idOf: ({ pointId }) => pointId });

Deno.test("chartFigures() has each chart as a figure with its question, its words and its plan", () => {
  const count = html.match(/<figure>/g)!.length;
  for (
    const part of [/<figcaption><strong>/g, /role="img" aria-label="\w/g, /application\/json/g]
  ) {
    assertEquals(html.match(part)?.length, count);
  }
  const plans = [...html.matchAll(/json">(.*?)<\/script>/gs)].map(([, json]) => JSON.parse(json!));
  for (const { $schema, title } of plans) {
    assertMatch($schema, /schema\/vega\/v/); // compiled: the page needs no vega-lite
    assertEquals(title, undefined);
  }
});

Deno.test("chartFigures() has the heat map and the scatter of samples, and dots that lead to rows", () => {
  assert(html.includes("Heat map of times the floor"));
  assert(html.includes("How do the samples of many_clients scatter?"));
  const scatter = html.slice(html.indexOf("How do the samples of round_trip scatter?"));
  assertMatch(scatter, /at most so long<\/span>\n<span>2 other points not shown here</);
  assert(html.includes('"figureLink":"#portCount=1;laneCount=32;waiting=spin+spin"'));
});

Deno.test("reportPage() of many runs is a history, which marks the commit of a change", async () => {
  const page = await reportPage(runHistory(10, (run) => run < 5 ? 1 : 1.2));
  assertMatch(page, /<h2 id="history">History/);
  assertMatch(
    page,
    /round_trip \S+: 1\.20 times as long from commit 555555555555 of 2026-01-06 on/,
  );
  assertMatch(page, /1 of 1 points changed: a triangle marks where/);
  assert(!page.includes("compared with"));
  assertMatch(await reportPage(runHistory(6, () => 1)), /No point changed, of 1/);
});

Deno.test("reportPage() has a column for each machine, and pools nothing", async () => {
  const rounds = [0, 1].map((round) => ({
    ...sampleRecord,
    round,
    machine: { ...sampleRecord.machine, cpuModel: `Example ${round}` },
  }));
  const page = await reportPage(rounds);
  const headings = [...page.matchAll(/<th scope="col">(sample[^<]*)/g)].map(([, text]) => text!);
  assertEquals(headings.map((text) => text.split(",").slice(0, 2).join()), [
    ...["sample, machine 1: Example 0", "sample, machine 2: Example 1"],
  ]);
  assertMatch(page, /<th scope="row">round_trip [^<]*<.th><td class="number">201 ns, 2\.0 × floor/);
  assert(!(await reportPage([sampleRecord])).includes("Machines side by side"));
});
