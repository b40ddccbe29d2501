import { runInNewContext } from "node:vm";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { errorFrom, errorReport, isThrown } from "./error_report.ts";

Deno.test("errorReport() and errorFrom() keep name, message and stack", () => {
  const report = errorReport(new RangeError("no port"));
  assertStringIncludes(report.stack, "error_report_test.ts");
  const { name, message, stack } = errorFrom(structuredClone(report));
  assertEquals({ name, message, stack }, report);
});

Deno.test("errorFrom() makes an error of its built-in class, and of Error where the name is another's", () => {
  for (const kind of [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
    assertEquals(errorFrom(errorReport(new kind("no"))).constructor, kind);
  }
  for (const name of ["Object", "AggregateError", "toString", "__proto__", ""]) {
    const error = errorFrom({ name, message: "no", stack: "" });
    assertEquals([error.constructor, error.name, error.message], [Error, name, "no"]);
  }
});

Deno.test("errorReport() describes what is no error, too", () => {
  assertEquals(errorReport("text"), { name: "Error", message: "text", stack: "" });
  assertEquals(errorReport(undefined).message, "undefined");
});

Deno.test("isThrown() says what was thrown, also of what throws when it is asked", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const thrown = [new RangeError("no"), new Error("no"), undefined, proxy];
  assertEquals(thrown.map((one) => isThrown(one, RangeError)), [true, false, false, false]);
});

Deno.test("errorReport() tells of causes, their causes, and the errors of an AggregateError", () => {
  const deep = new RangeError("deep");
  const first = new TypeError("first", { cause: deep });
  const { message, stack } = errorReport(new AggregateError([first, "text"], "many", { cause: 5 }));
  assertEquals(message, "many");
  const causes = stack.split("\nCaused by: ").slice(1).map((text) => text.split("\n")[0]);
  assertEquals(causes, ["5", "TypeError: first", "text", "RangeError: deep"]);
});

Deno.test("errorReport() comes to an end, and keeps what it can tell", () => {
  const circular = new Error("round");
  circular.cause = circular;
  assertEquals(errorReport(circular).stack, circular.stack);
  const endless = (): Error => Object.defineProperty(new Error("on"), "cause", { get: endless });
  assertEquals(errorReport(endless()).stack.split("Caused by").length, 17);
  const hidden = Object.defineProperty(new Error("no"), "cause", {
    get() {
      throw new Error("do not ask");
    },
  });
  assertEquals([errorReport(hidden).message, errorReport(hidden).stack], ["no", hidden.stack]);
});

Deno.test("errorReport() describes an error of another realm as one", () => {
  const foreign = runInNewContext('new RangeError("far")');
  const { name, message, stack } = errorReport(foreign);
  assertEquals([foreign instanceof Error, name, message, stack], [
    false,
    "RangeError",
    "far",
    foreign.stack,
  ]);
});
