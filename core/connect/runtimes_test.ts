/** `serve` and `connect` in Deno, in Node and in Chromium. */
import { assert, assertEquals } from "@std/assert";
import { writeModules } from "../../.ci/pack.ts";
import { chromiumObstacle, PageBed } from "../testing/conformance/runtimes/chromium.ts";
import { findNode } from "../testing/conformance/runtimes/node.ts";
import { runProgram } from "../testing/conformance/runtimes/program.ts";
import { runSuite } from "./testdata/suite.ts";

const REPORTS = {
  blocking: "returned 5",
  async: 5,
  large: true,
  largeBlocking: "returned true",
  prototype: true,
  error: "RangeError: no",
  timeout: "TimeoutError: Cannot finish the call of echoLater within 0.01 s",
  callback: "0!,1!,2!",
  blockingCallback: "returned 4",
  iterated: "0,1,2",
  moved: "0,100000,3",
  movedBack: "7,7,7",
  shared: "1,1",
  blockingMoved: "returned 7,7,7",
  port:
    "TypeError: Cannot send the arguments of double[0] as it cannot be copied to another thread: it is a MessagePort: give it by transfer(value, [port])",
  doubled: 42,
  flood: true,
  end:
    "WorkerEndedError: Cannot finish the call of exit as the worker ended itself, or threw where nobody caught it (ended)",
  late:
    "WorkerEndedError: Cannot finish the call of add as the worker ended itself, or threw where nobody caught it (ended)",
  pool: "3,7",
};
const ON_PAGES = {
  ...REPORTS,
  end: REPORTS.end.replace("exit", "leave"),
  blockingMoved:
    "TypeError: Cannot take what makeBytes moves or shares while this thread blocks: use await makeBytes.async()",
};

function mayNotBlock(name: string): string {
  return `TypeError: Cannot block in ${name}() as this is the main thread of a page: use await ${name}.async()`;
}

Deno.test("connect() does the same in Deno", async () => {
  assertEquals(await runSuite(), REPORTS);
});

const node = await findNode();
Deno.test({
  name: "connect() does the same in Node, which ends by itself then",
  ignore: node === undefined,
  async fn() {
    const { pathname } = new URL("./testdata/node_program.ts", import.meta.url);
    const command = [node!, "--no-warnings", pathname] as const;
    const { code, stdout, stderr } = await runProgram(command, { limitSeconds: 60 });
    assertEquals([code, stderr], [0, ""]);
    assertEquals(JSON.parse(stdout), REPORTS);
  },
});

const MODULES = ["page.ts", "suite_worker.ts", "math_worker.ts"];

Deno.test({
  name: "connect() does the same in a worker of a page, and in its main thread but for what blocks",
  ignore: chromiumObstacle() !== undefined,
  async fn() {
    const folder = await Deno.makeTempDir();
    writeModules(folder, MODULES.map((name) => `core/connect/testdata/${name}`));
    await using bed = await PageBed.start(folder);
    const page = await bed.open({ isIsolated: true });
    const reports = await page.evaluate(async () => {
      const { runOnPage } = await import("/core/connect/testdata/page.js" as string);
      return await runOnPage();
    });
    const main = {
      ...ON_PAGES,
      blocking: mayNotBlock("add"),
      largeBlocking: mayNotBlock("echo"),
      blockingCallback: mayNotBlock("countTo"),
      blockingMoved: mayNotBlock("makeBytes"),
    };
    assertEquals(reports, { worker: ON_PAGES, main });
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test("serve and connect are at most 18 KB, minified and zipped", async () => {
  const folder = await Deno.makeTempDir();
  const [entry, out] = [`${folder}/entry.ts`, `${folder}/out.js`];
  const module = new URL("./mod.ts", import.meta.url);
  await Deno.writeTextFile(entry, `export { connect, serve } from "${module}";`);
  const args = ["bundle", "--quiet", "--platform=browser", "--minify", "-o", out, entry];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stderr: "null" }).output();
  const zipped = new Blob([await Deno.readFile(out)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  const { byteLength } = await new Response(zipped).arrayBuffer();
  assert(success && byteLength > 5000 && byteLength <= 18_000, `${byteLength} bytes`);
  await Deno.remove(folder, { recursive: true });
});
