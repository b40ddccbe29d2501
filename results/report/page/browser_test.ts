import { assert, assertEquals, assertMatch } from "@std/assert";
import { chromium, type Page } from "playwright-core";
import {
  chromiumObstacle,
  chromiumPath,
} from "../../../core/testing/conformance/runtimes/chromium.ts";
import { sweepRecords } from "../../testdata/sweep_records.ts";
import { reportPage } from "../report_page.ts";

const obstacle = chromiumObstacle();
if (obstacle) console.log(`Reports were not opened: ${obstacle}`);

/** Opens the report of a small sweep, as a file, at two widths. */
async function withReport(use: (page: Page) => Promise<void>, width = 1400): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".html" });
  const executablePath = await chromiumPath();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await Deno.writeTextFile(path, await reportPage(sweepRecords()));
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(10_000);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) problems.push(request.url());
    });
    await page.goto(`file://${path}`);
    await use(page);
    assertEquals(problems, []);
  } finally {
    await browser.close();
    await Deno.remove(path);
  }
}

/** Fits: nothing of the page is cut at the right but what scrolls by itself. */
async function assertFits(page: Page): Promise<void> {
  const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  const [needed, given] = widths as [number, number];
  assert(needed <= given, `${needed} of ${given} pixels`);
}

function pointsOf(page: Page): Promise<string[]> {
  return page.locator("tbody tr:visible td:nth-child(2)").allTextContents();
}

Deno.test({
  name:
    "a report in a browser draws its charts, sorts, filters, and leads from a dot to its command",
  ignore: obstacle !== undefined,
  fn: () =>
    withReport(async (page) => {
      await assertFits(page);
      await printsWhole(page);
      await chartsAnswer(page);
      await tableAnswers(page);
      await page.setViewportSize({ width: 400, height: 800 });
      await assertFits(page);
      await everyChartFits(page);
    }),
});

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
  assertMatch(await page.locator("#tooltip").textContent() ?? "", /laneCount=1;.*: 2\d\d ns \(/);
  const before = await figure.locator("svg").innerHTML();
  await figure.locator("svg .role-legend-symbol").first().click();
  await page.waitForTimeout(50);
  assert(await figure.locator("svg").innerHTML() !== before, "the legend dims the other lines");
  const labels = () => figure.locator(".role-axis-label text").allTextContents();
  const unzoomed = (await labels()).join();
  await dot.hover({ force: true });
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -600);
  await page.keyboard.up("Control");
  await page.waitForTimeout(50);
  assert((await labels()).join() !== unzoomed, "Ctrl and the wheel zoom");
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
  const all = (await pointsOf(page)).length;
  await page.getByRole("searchbox", { name: "Show points with" }).focus();
  await page.keyboard.type("laneCount=32 PORT");
  assertEquals(new Set(await pointsOf(page)).size, 3);
  assertMatch(
    await page.getByRole("status").textContent() ?? "",
    new RegExp(`^3 of ${all} points`),
  );
  await page.getByRole("button", { name: "A call", exact: true }).focus();
  await page.keyboard.press("Enter");
  const rising = await pointsOf(page);
  await page.keyboard.press("Enter");
  assertEquals(await pointsOf(page), rising.toReversed());
  const heading = page.getByRole("columnheader", { name: "A call", exact: true });
  assertEquals(await heading.getAttribute("aria-sort"), "descending");
  await page.getByRole("region", { name: "Figures of run sample" }).focus();
  await page.locator("[data-copy]").last().dispatchEvent("click");
  await page.getByText(/^(Copied|Selected)$/).waitFor({ state: "attached" });
}

async function everyChartFits(page: Page): Promise<void> {
  for (const figure of await page.locator("figure").all()) {
    await figure.scrollIntoViewIfNeeded();
    const box = await figure.locator("svg").boundingBox();
    assert(box && box.width > 200 && box.width <= 400, `${box?.width} pixels`);
  }
}
