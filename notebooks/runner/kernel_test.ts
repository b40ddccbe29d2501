import { assertEquals, assertRejects } from "@std/assert";
import { Kernel } from "./kernel.ts";

const CELL = { limitSeconds: 60, expectsOutput: true };

Deno.test("Kernel.execute() runs TypeScript, keeps state, and returns results, texts and displays", async () => {
  await using kernel = await Kernel.start({ folder: "." });
  const result = await kernel.execute(
    "const answer: number = await Promise.resolve(41 + 1);\nanswer",
    CELL,
  );
  assertEquals(result.outputs.map((output) => output.output_type), ["execute_result"]);
  const text = await kernel.execute(
    "for (let line = 0; line < 100; line++) console.log(line, answer)",
    CELL,
  );
  const lines = Array.from({ length: 100 }, (_, line) => `${line} 42\n`).join("");
  assertEquals(text.outputs, [{ output_type: "stream", name: "stdout", text: lines }]);
  const bundle = '{ "image/png": "iVBORw0=", "application/vnd.vegalite.v5+json": { mark: "bar" } }';
  const display = await kernel.execute(
    `await Deno.jupyter.display(${bundle}, { raw: true })`,
    CELL,
  );
  assertEquals(display.outputs[0]?.output_type, "display_data");
});

Deno.test("Kernel.execute() returns an error as an output, and the kernel lives on", async () => {
  await using kernel = await Kernel.start({ folder: "." });
  const failed = await kernel.execute('throw new RangeError("too far")', CELL);
  const [error] = failed.outputs;
  assertEquals(error?.output_type === "error" && [error.ename, error.evalue], [
    "RangeError",
    "too far",
  ]);
  const next = await kernel.execute("1", CELL);
  assertEquals(next.outputs.length, 1);
});

Deno.test("Kernel.execute() kills the kernel at the limit", async () => {
  await using kernel = await Kernel.start({ folder: "." });
  await assertRejects(
    () => kernel.execute("for (;;) {}", { limitSeconds: 1, expectsOutput: false }),
    Deno.errors.TimedOut,
    "limit is 1 s",
  );
  await assertRejects(() => kernel.execute("1", CELL), Error);
});

Deno.test("Kernel.execute() says so where a cell ends the kernel", async () => {
  await using kernel = await Kernel.start({ folder: "." });
  await assertRejects(
    () => kernel.execute("Deno.exit(3)", CELL),
    Error,
    "the kernel has ended",
  );
});

Deno.test("Kernel.start() runs cells in the folder", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/one.ts`, "export const one: number = 1;\n");
    await using kernel = await Kernel.start({ folder });
    const cell = await kernel.execute('import { one } from "./one.ts";\nconsole.log(one)', CELL);
    assertEquals(cell.outputs, [{ output_type: "stream", name: "stdout", text: "1\n" }]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
