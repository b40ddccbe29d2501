import { assertEquals } from "@std/assert";
import { LONG_SETTINGS, RANDOM_SETTINGS, SHORT_SETTINGS } from "./channel_settings.ts";

const PAGE = new URL("../../../docs/proof.md", import.meta.url);

Deno.test("docs/proof.md has a row for each setting that is explored, and nothing was found there", async () => {
  const page = await Deno.readTextFile(PAGE);
  const rows = [...page.matchAll(/^\| (.+ ports, .+?) +\| +(\d+) +\| +\d+ s \| nothing +\|$/gm)];
  const names = [...SHORT_SETTINGS, ...LONG_SETTINGS].map(({ name }) => name);
  assertEquals(rows.map(([, name]) => name), names);
});

Deno.test("no two settings have the same name", () => {
  const names = [...SHORT_SETTINGS, ...LONG_SETTINGS, ...RANDOM_SETTINGS].map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
});
