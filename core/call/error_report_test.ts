import { assertEquals, assertStringIncludes } from "@std/assert";
import { errorFrom, errorReport } from "./error_report.ts";

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
