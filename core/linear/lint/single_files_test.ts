import { assertEquals } from "@std/assert";
import { SingleFiles } from "./single_files.ts";

const PATH = new URL("./case.ts", import.meta.url).pathname;

function rulesIn(...texts: readonly string[]) {
  const files = new SingleFiles();
  return texts.map((text) => files.findingsIn(PATH, text).map(({ rule }) => rule));
}

Deno.test("SingleFiles follows the text that is open, not the one that is saved", () => {
  const head = 'import { TypedClient } from "../mod.ts"; declare const c: TypedClient; c.open(1)';
  assertEquals(rulesIn(head, `${head}.close();`, head), [["unconsumed-port"], [], [
    "unconsumed-port",
  ]]);
});

Deno.test("SingleFiles says once that a module with ports is not here", () => {
  const files = new SingleFiles();
  const text =
    'import { rpc } from "jsr:@lab/kit@9"; import "jsr:@lab/kit/x"; rpc.open(1).close();';
  const found = files.findingsIn(PATH, text).map(({ message }) => message);
  assertEquals(found, [
    "Ports from 'jsr:@lab/kit@9' are not followed: the module is not on this machine",
  ]);
});
