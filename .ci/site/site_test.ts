import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import axe, { type AxeResults } from "axe-core";
import { type Browser, chromium } from "playwright-core";
import {
  chromiumObstacle,
  chromiumPath,
} from "../../core/testing/conformance/runtimes/chromium.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { copyRecords } from "../../results/testdata/copy_records.ts";
import { findingsHtml } from "./findings.ts";
import { markdownHtml } from "./markdown.ts";
import { writeSite } from "./site.ts";
import { ScratchFolder } from "../../core/testing/fixtures/scratch_folder.ts";

const obstacle = chromiumObstacle();
if (obstacle) console.log(`The site was not opened: ${obstacle}`);

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  await use(folder);
}

async function withBrowser(use: (browser: Browser) => Promise<void>): Promise<void> {
  if (obstacle) return;
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: ["--no-sandbox"],
  });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

/** Each kind of page; the report of a run has a test of its own. */
const PATHS = ["index.html", "docs/lab.html", "notebooks/07_webgpu.html"];

async function opens(browser: Browser, folder: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 400, height: 900 } });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => void problems.push(message.text()));
  for (const path of PATHS) {
    await page.goto(`file://${folder}/${path}`);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate("axe.run()") as AxeResults;
    assertEquals(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]!.html}`), []);
    const [needed, given] = await page.evaluate(
      "[document.documentElement.scrollWidth, innerWidth]",
    ) as [number, number];
    assert(needed <= given, `${path} needs ${needed} of ${given} pixels`);
  }
  await page.getByRole("searchbox").fill("mitata");
  await page.locator("#found a", { hasText: "The lab" }).click();
  assertMatch(page.url(), /\/docs\/lab\.html$/);
  assertEquals(problems, []);
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`file://${folder}/index.html`);
  assertMatch(
    await plain.innerText("main"),
    /A call takes [\d.]+ ns [^]*AMD EPYC[^]*It is refuted by/,
  );
  assertEquals(await plain.getByRole("search").isVisible(), false);
}

Deno.test("writeSite() writes pages that lead somewhere, are found, fit, and read without scripts", () =>
  inFolder(async (folder) => {
    const { deadLinks, pageCount } = await writeSite(folder, {
      runNames: ["calls"],
      isWithoutApi: true,
    });
    assert(pageCount > 60);
    // What was left out is told by each page, and nothing else.
    assertEquals(deadLinks.filter((link) => !link.endsWith("api/index.html")), []);
    assert(deadLinks.length > 60);
    await withBrowser((browser) => opens(browser, folder));
  }));

Deno.test("writeSite() leaves a folder alone that is no site", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/mine.txt`, "");
    await assertRejects(() => writeSite(folder), TypeError, "holds something else");
    assertEquals((await Deno.stat(`${folder}/mine.txt`)).isFile, true);
  }));

Deno.test("findingsHtml() has each question with its answer, its machine, and what refutes it", () => {
  const html = findingsHtml([
    { name: "copies", records: copyRecords({ entries: [1], roundCount: 5 }) },
    { name: "trips", records: [sampleRecord] },
  ]);
  const questions = [...html.matchAll(/<h3[^>]*>([^<]*)/g)].map(([, text]) => text);
  assertMatch(questions.join(), /^What does one synchronous call cost.*,What is the cheapest way/);
  assertMatch(html, /json is 2\.0 \(2\.0 to 2\.0\) times faster than clone\./);
  assertMatch(html, /Example 9000, 2 cores.*reports\/copies\.html/);
  assertMatch(html, /another value is fastest .*--rounds 5<\/code>/);
});

Deno.test("markdownHtml() names headings as forges do, leads to pages, and lets no HTML in", () => {
  const html = markdownHtml(
    "# A `b`, c\n# A b c\n[x](y.md#z) [out](https://a.b/) <b>",
    (href) => href.replace(".md", ".html"),
  );
  assertMatch(html, /<h1 id="a-b-c">[^]*<h1 id="a-b-c-1">/);
  assertMatch(html, /href="y\.html#z".*href="https:\/\/a\.b\/".*&lt;b&gt;/);
});
