import { assert, assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { summarize } from "../../statistics/summary.ts";
import { findingsList, warningsList } from "./findings.ts";

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
    /<strong>2.00<\/strong> \(-\), wanted at most 1.6; too few rounds to be sure: 1/,
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
