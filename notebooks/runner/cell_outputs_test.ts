import { assertEquals } from "@std/assert";
import { CellOutputs } from "./cell_outputs.ts";

function message(type: string, content: Record<string, unknown>, parentId = "cell") {
  return { type, id: crypto.randomUUID(), parentId, content };
}

const IDLE = message("status", { execution_state: "idle" });
const REPLY = message("execute_reply", { execution_count: 3 });

Deno.test("CellOutputs is over once the kernel is idle and has replied, in either order", () => {
  for (const [first, second] of [[IDLE, REPLY], [REPLY, IDLE]] as const) {
    const cell = new CellOutputs("cell");
    cell.accept(message("status", { execution_state: "busy" }));
    cell.accept(first);
    assertEquals(cell.isOver, false);
    cell.accept(second);
    assertEquals(cell.isOver, true);
    assertEquals(cell.executionCount, 3);
  }
});

Deno.test("CellOutputs takes output that comes after the end", () => {
  const cell = new CellOutputs("cell");
  cell.accept(IDLE);
  cell.accept(REPLY);
  assertEquals(cell.isVisible, false);
  cell.accept(message("execute_result", { execution_count: 3, data: { "text/plain": "2" } }));
  assertEquals(cell.outputs, [{
    output_type: "execute_result",
    execution_count: 3,
    data: { "text/plain": "2" },
    metadata: {},
  }]);
  assertEquals(cell.isVisible, true);
});

Deno.test("CellOutputs joins the pieces of a stream and keeps streams apart", () => {
  const cell = new CellOutputs("cell");
  for (const [name, text] of [["stdout", "a"], ["stdout", "b"], ["stderr", "c"], ["stdout", "d"]]) {
    cell.accept(message("stream", { name, text }));
  }
  assertEquals(cell.outputs, [
    { output_type: "stream", name: "stdout", text: "ab" },
    { output_type: "stream", name: "stderr", text: "c" },
    { output_type: "stream", name: "stdout", text: "d" },
  ]);
});

Deno.test("CellOutputs keeps displays and errors, and ignores answers to other requests", () => {
  const cell = new CellOutputs("cell");
  cell.accept(message("stream", { name: "stdout", text: "other" }, "other cell"));
  cell.accept(message("display_data", { data: { "image/png": "x" }, metadata: { width: 1 } }));
  cell.accept(message("error", { ename: "RangeError", evalue: "no", traceback: ["at 1"] }));
  cell.accept(message("execute_input", { code: "1" }));
  assertEquals(cell.outputs, [
    { output_type: "display_data", data: { "image/png": "x" }, metadata: { width: 1 } },
    { output_type: "error", ename: "RangeError", evalue: "no", traceback: ["at 1"] },
  ]);
});
