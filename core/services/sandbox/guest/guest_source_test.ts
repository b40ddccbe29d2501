import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { startSandbox } from "../sandbox.ts";
import { guestUrl } from "../testdata/guest_url.ts";
import { checkSource, guestSource } from "./guest_source.ts";

const OPTIONS = { serve: () => {}, policy: [], audit: () => {} };

Deno.test("guestSource() loads a script of a limited length", async () => {
  assertEquals(await guestSource(guestUrl("exports"), 7), "exports");
  await assertRejects(() => guestSource(guestUrl("exports"), 6), RangeError, "may have 6 bytes");
  await assertRejects(() => guestSource(guestUrl("exports"), NaN), RangeError, "may have NaN");
  await assertRejects(() => guestSource(guestUrl("// ä"), 4), RangeError, "current value is 5");
  checkSource("const important = $imports.import_;", "x");
  assertThrows(() => checkSource("a\n.import", "x"), SyntaxError, "the guest x as the word");
});

Deno.test("a script with the word import is refused, however it is written", async () => {
  const modules = [
    "file:///etc/passwd",
    "data:text/javascript,1",
    "blob:null/1",
    "http://[::1]/x.js",
  ];
  const scripts = [
    ...modules.map((url) => `exports.run = () => import("${url}");`),
    `import /* x */ ("node:fs")`,
    `import\n<!-- x\n("node:fs")`,
    `import.meta.url`,
    `import fs from "node:fs";`,
    "`${import('npm:' + 'any')}`",
    `"import"`,
  ];
  for (const script of scripts) {
    await assertRejects(
      () => startSandbox(guestUrl(`\n${script}`), OPTIONS),
      SyntaxError,
      "as the word import is in it, at line 2",
    );
  }
  const escaped = [`im\\u0070ort("node:fs")`, `\\u{69}mport("node:fs")`, `export * from "node:fs"`];
  for (const script of [...escaped, `}); (function () {`, `for (;`, `with ({}) {}`]) {
    await assertRejects(() => startSandbox(guestUrl(script), OPTIONS), Error, "SyntaxError");
  }
});
