import { assert, assertEquals, assertMatch } from "@std/assert";
import axe, { type AxeResults } from "axe-core";
import { chromium, type Page } from "playwright-core";
import {
  chromiumObstacle,
  chromiumPath,
} from "../../../core/testing/conformance/runtimes/chromium.ts";
import type { RunRecord } from "../../../bench/record/record.ts";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { copyRecords } from "../../testdata/copy_records.ts";
import { sweepRecords } from "../../testdata/sweep_records.ts";
import { reportPage } from "../report_page.ts";

const obstacle = chromiumObstacle();
if (obstacle) console.log(`Reports were not opened: ${obstacle}`);

/** Opens reports in one browser, as files; what goes wrong in a page is a problem of the test. */
async function withReports(
  reports: Readonly<Record<string, readonly RunRecord[]>>,
  use: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const executablePath = await chromiumPath();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    for (const [name, records] of Object.entries(reports)) {
      const path = `${folder}/${name}.html`;
      await Deno.writeTextFile(path, await reportPage(records));
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.setDefaultTimeout(60_000);
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => void problems.push(message.text()));
      page.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) problems.push(request.url());
      });
      await page.goto(`file://${path}`);
      await use(page, name);
      assertEquals(problems, []);
      await page.close();
    }
  } finally {
    await browser.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** What axe finds in the page as it is now: each rule with the first element that breaks it. */
async function axeFindings(page: Page, selector = "html"): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(`axe.run("${selector}")`) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`);
}

/** Passes as soon as it is so: a page draws when the browser comes to it. */
async function becomes(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let lookCount = 0; !(await isSo()); lookCount++) {
    assert(lookCount < 1000, what);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Fits: nothing of the page is cut at the right but what scrolls by itself. */
async function assertFits(page: Page): Promise<void> {
  const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  const [needed, given] = widths as [number, number];
  assert(needed <= given, `${needed} of ${given} pixels`);
}

/** Place of the table of round trips in the small report. */
const TRIPS = 1;

function pointsOf(page: Page, table = 0): Promise<string[]> {
  const rows = page.locator("table").nth(table).locator("tbody tr:visible td:nth-child(2)");
  return rows.allTextContents();
}

/** Ten thousand points, of which two scenarios move. */
function manyRecords(): RunRecord[] {
  return Array.from({ length: 10_000 }, (_, at) => ({
    ...sampleRecord,
    point: { x: at % 100, y: Math.floor(at / 100) },
    pointId: `x=${at % 100};y=${Math.floor(at / 100)}`,
    latencySeconds: sampleRecord.latencySeconds.map((seconds) => seconds * (1 + at / 1000)),
  }));
}

const REPORTS = {
  small: [
    ...sweepRecords(),
    ...copyRecords({ entries: [1, 256], roundCount: 5 }),
  ],
  large: manyRecords(),
};

Deno.test({
  name: "a report in a browser answers, draws, sorts, filters, prints, fits, and can be heard",
  ignore: obstacle !== undefined,
  fn: () =>
    withReports(REPORTS, async (page, name) => {
      if (name === "large") return await manyAnswer(page);
      assertEquals(
        await page.locator("dt").first().textContent(),
        copyRecords({
          ...{ entries: [1], roundCount: 1 },
        })[0]!.question,
      );
      await assertFits(page);
      await printsWhole(page);
      await chartsAnswer(page);
      await tableAnswers(page);
      assertEquals(await axeFindings(page), []);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.setViewportSize({ width: 400, height: 800 });
      await assertFits(page);
      await everyChartFits(page);
      assertEquals(await axeFindings(page), []);
      await page.evaluate(`document.querySelector(".answer").style.color = "#222"`);
      assertMatch((await axeFindings(page, ".answer")).join(), /color-contrast/); // it can fail
    }),
});

/** A part of the rows is laid out, all are found, and paper has them all. */
async function manyAnswer(page: Page): Promise<void> {
  assertMatch(
    await page.getByRole("status").textContent() ?? "",
    /^10000 of 10000 points, of which 500/,
  );
  await page.getByRole("searchbox").fill("x=99; y=99");
  assertEquals(await pointsOf(page), ["x=99; y=99"]);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "A call", exact: true }).click();
  await page.getByRole("button", { name: "A call", exact: true }).click();
  assertEquals((await pointsOf(page))[0], "x=99; y=99");
  await page.evaluate("location.hash = 'sample-5000'");
  await page.locator("tr:target").waitFor();
  const onPaper = await page.evaluate(`dispatchEvent(new Event("beforeprint"));
    const rowCount = document.querySelectorAll("tbody tr").length;
    dispatchEvent(new Event("afterprint"));
    rowCount`);
  assertEquals(onPaper, 10_000);
}

/** Before anybody has scrolled: the charts below the screen are on paper, too. */
async function printsWhole(page: Page): Promise<void> {
  const undrawn = page.locator("figure:not(:has(svg path))");
  assert(await undrawn.count() > 0, "a chart below the screen is not drawn yet");
  await page.evaluate(`addEventListener("beforeprint", () =>
    document.body.dataset.closed = document.querySelectorAll("details:not([open])").length)`);
  await page.pdf();
  assertEquals([await undrawn.count(), await page.getAttribute("body", "data-closed")], [0, "0"]);
  assertEquals(await page.locator("details[open]").count(), 0);
}

async function chartsAnswer(page: Page): Promise<void> {
  const figure = page.locator("figure", { hasText: "ports and lanes grow" }).first();
  await figure.scrollIntoViewIfNeeded();
  const dot = figure.locator(".mark-symbol.role-mark path").first();
  await dot.hover({ force: true });
  await page.locator("#tooltip", { hasText: /laneCount=1;.*: 2\d\d ns \(/ }).waitFor();
  const picture = () => figure.locator("svg").innerHTML();
  const before = await picture();
  await figure.locator("svg .role-legend-symbol").first().click();
  await becomes(async () => await picture() !== before, "the legend dims the other lines");
  const labels = () => figure.locator(".role-axis-label text").allTextContents();
  const unzoomed = (await labels()).join();
  await dot.hover({ force: true });
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -600);
  await page.keyboard.up("Control");
  await becomes(async () => (await labels()).join() !== unzoomed, "Ctrl and the wheel zoom");
  const other = page.locator("figure", { hasText: "by waiting" }).first();
  await other.scrollIntoViewIfNeeded();
  await other.locator(".mark-symbol.role-mark path").first().click({ force: true });
  await page.locator("tr:target").waitFor();
  assertMatch(
    await page.locator("tr:target code").textContent() ?? "",
    /deno task bench --scenario round_trip --point 'portCount=1;/,
  );
  assert(await page.locator("tr:target code").isVisible());
}

/** All of it by keys, as somebody without a pointer would. */
async function tableAnswers(page: Page): Promise<void> {
  const all = (await pointsOf(page, TRIPS)).length;
  await page.getByRole("searchbox", { name: "Show points with" }).nth(TRIPS).focus();
  await page.keyboard.type("laneCount=32 PORT");
  assertEquals(new Set(await pointsOf(page, TRIPS)).size, 3);
  assertMatch(
    await page.getByRole("status").nth(TRIPS).textContent() ?? "",
    new RegExp(`^3 of ${all} points`),
  );
  await page.getByRole("button", { name: "A call", exact: true }).nth(TRIPS).focus();
  await page.keyboard.press("Enter");
  const rising = await pointsOf(page, TRIPS);
  await page.keyboard.press("Enter");
  assertEquals(await pointsOf(page, TRIPS), rising.toReversed());
  const heading = page.getByRole("columnheader", { name: "A call", exact: true }).nth(TRIPS);
  assertEquals(await heading.getAttribute("aria-sort"), "descending");
  await page.getByRole("region", { name: "Figures of run sample-round_trip" }).focus();
  await page.locator("[data-copy]").last().dispatchEvent("click");
  await page.getByText(/^(Copied|Selected)$/).waitFor({ state: "attached" });
}

async function everyChartFits(page: Page): Promise<void> {
  for (const figure of await page.locator("figure").all()) {
    await figure.scrollIntoViewIfNeeded();
    await becomes(async () => {
      const box = await figure.locator("svg").boundingBox();
      return !!box && box.width > 200 && box.width <= 400;
    }, "a chart fits a narrow page");
  }
}
