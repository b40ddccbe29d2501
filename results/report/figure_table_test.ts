import { assert, assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { summarize } from "../statistics/summary.ts";
import { escaped, figureTable, jsonScript, pointCommand, section } from "./figure_table.ts";
import { ended } from "../../bench/machine/ended.ts";

const visits = [[16, 0], [16, 1], [4, 0], [4, 1]] as const;
const rows = summarize(visits.map(([portCount, round]) => ({
  ...sampleRecord,
  round,
  point: { portCount, name: "<b>" },
  pointId: `portCount=${portCount};name=<b>`,
  repeatArguments: ["--scenario", "mine", "--point", `portCount=${portCount};name=<b>`],
})));
const html = figureTable(rows, { idOf: ({ point }) => `row-${point.portCount}`, name: "monday" });

Deno.test("figureTable() has a row for each point, in the order of its axes, with its command", () => {
  assertEquals([...html.matchAll(/<tr id="(.*?)"/g)].map(([, id]) => id), ["row-4", "row-16"]);
  assertMatch(html, /--point &#39;portCount=4;name=&#60;b&#62;&#39; --rounds 5<\/code>/);
  assert(!html.includes("<b>"));
});

Deno.test("figureTable() is sorted by figures and not by their texts", () => {
  assertMatch(html, /data-value="2.01e-7">201 ns</);
  assertMatch(html, /data-value="1.1052\d*">190 ns to 210 ns</);
});

Deno.test("figureTable() has a column only where a row has its figure", () => {
  assert(!html.includes("99 % within"));
  const calls = { p50Seconds: 1e-7, p99Seconds: 2e-7, p999Seconds: 3e-7, maxSeconds: 4e-6 };
  const singleCalls = {
    ...calls,
    p90Seconds: 1e-7,
    callCount: 9,
    clockSeconds: 5e-8,
    histogram: "",
  };
  const timed = figureTable([{ ...rows[0]!, singleCalls }], { idOf: () => "a", name: "b" });
  assertMatch(timed, /99 % within.*99.9 % within.*>200 ns<.*>300 ns<.*>4.00 µs</s);
});

Deno.test("figureTable() can be reached by a keyboard, and has names for a screen reader", () => {
  assertMatch(html, /role="region" tabindex="0" aria-label="Figures of run monday"/);
  assertEquals(html.match(/<th scope="col">/g)?.length, 13);
  assertMatch(html, /<label>Show points with <input type="search"/);
  assertMatch(html, /role="status"/);
  assertMatch(html, /<caption>/);
});

Deno.test("escaped() leaves no character that means something in HTML", () => {
  assertEquals(escaped(`<a href="'">&`), "&#60;a href=&#34;&#39;&#34;&#62;&#38;");
});

Deno.test("section() has a heading that names it, and is nothing without content", () => {
  const html = section("A < B", { id: "here", content: "<p>text</p>" });
  assert(html.includes('aria-labelledby="here"') && html.includes('<h3 id="here">A &#60; B</h3>'));
  assertEquals(section("A", { id: "here", content: "" }), "");
});

Deno.test("jsonScript() cannot be ended by its data", () => {
  const html = jsonScript({ text: "</script><b>" });
  assertEquals(html.match(/<\/script>/g)?.length, 1);
  const json = html.replace(/^<script[^>]*>|<\/script>$/g, "");
  assertEquals(JSON.parse(json), { text: "</script><b>" });
});

Deno.test("pointCommand() quotes for a shell, and only where it must", () => {
  assertEquals(
    pointCommand({ repeatArguments: ["--scenario", "ping_pong"] }),
    "deno task bench --scenario ping_pong --rounds 5",
  );
  assertEquals(
    pointCommand({ repeatArguments: ["--scenario", "./my file.ts", "--point", "a=it's;b=1"] }),
    `deno task bench --scenario './my file.ts' --point 'a=it'\\''s;b=1' --rounds 5`,
  );
});

Deno.test("pointCommand() comes back from a shell as it was", async () => {
  const pointId = `a=it's "x" $HOME;b=1`;
  const command = pointCommand({ repeatArguments: ["--scenario", "s", "--point", pointId] })
    .replace("deno task bench", "printf '%s|'");
  assertEquals((await ended("sh", ["-c", command])).out.split("|")[3], pointId);
});
