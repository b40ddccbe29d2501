import { assertEquals } from "@std/assert";
import { expectedReports } from "../cases/case.ts";
import { CASES } from "../cases/cases.ts";
import { findNode } from "./node.ts";
import { NODE_CASES } from "./node_cases.ts";
import { isThorough } from "../../thorough.ts";
import { runProgram } from "./program.ts";
import { ScratchFolder } from "../../fixtures/scratch_folder.ts";

const node = await findNode();
const ignore = node === undefined;
if (ignore) console.log("Skipping the tests on Node, as there is no Node 24 and npx brings none");

async function runOnNode(file: string, limitSeconds: number) {
  const path = new URL(file, import.meta.url).pathname;
  using scratch = new ScratchFolder();
  // Else each of a hundred workers strips the types of every module: more than a third of the time.
  const env = { NODE_COMPILE_CACHE: scratch.path };
  return await runProgram([node!, "--no-warnings", path], { limitSeconds, env });
}

Deno.test({
  name: "Node passes every case of the conformance suite",
  ignore: ignore || !isThorough,
  async fn() {
    const { code, stdout, stderr } = await runOnNode("./node_program.ts", 120);
    assertEquals([code, stderr], [0, ""]);
    assertEquals(JSON.parse(stdout), expectedReports([...CASES, ...NODE_CASES]));
  },
});

Deno.test({
  name: "A server that was forgotten does not keep Node alive, if started so",
  ignore,
  async fn() {
    const { code, stdout } = await runOnNode("./forgotten_program.ts", 20);
    assertEquals([code, stdout], [0, "called\n"]);
  },
});

Deno.test("A server that was forgotten does not keep Deno alive, if started so", async () => {
  const path = new URL("./forgotten_program.ts", import.meta.url).href;
  const command = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", path] as const;
  const { code, stdout } = await runProgram(command, { limitSeconds: 20 });
  assertEquals([code, stdout], [0, "called\n"]);
});
