import { assert, assertEquals } from "@std/assert";
import { escaped, jsonScript, section } from "./html.ts";

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
