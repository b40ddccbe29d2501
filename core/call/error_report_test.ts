import { assertEquals, assertStringIncludes } from "@std/assert";
import { errorFrom, errorReport, isThrown } from "./error_report.ts";

Deno.test("errorReport() and errorFrom() keep name, message and stack", () => {
  const report = errorReport(new RangeError("no port"));
  assertStringIncludes(report.stack, "error_report_test.ts");
  const { name, message, stack } = errorFrom(structuredClone(report));
  assertEquals({ name, message, stack }, report);
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
