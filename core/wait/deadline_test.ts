import { assertThrows } from "@std/assert";
import { deadlineGuard } from "./deadline.ts";

Deno.test("deadlineGuard() throws at the deadline, and not before", () => {
  deadlineGuard("wait", { timeoutSeconds: 1e6 })();
  deadlineGuard("wait", {})();
  const over = deadlineGuard("open a port", { timeoutSeconds: 0 });
  const error = assertThrows(over, DOMException, "Cannot open a port within 0 s");
  if (error.name !== "TimeoutError") throw error;
});

Deno.test("deadlineGuard() throws the reason of a signal, before or after it began", () => {
  const controller = new AbortController();
  const guard = deadlineGuard("wait", { signal: controller.signal });
  guard();
  controller.abort(new Error("called off"));
  assertThrows(guard, Error, "called off");
});

Deno.test("deadlineGuard() takes no time below 0 and no NaN", () => {
  for (const timeoutSeconds of [-1, NaN]) {
    assertThrows(
      () => deadlineGuard("wait", { timeoutSeconds }),
      RangeError,
      String(timeoutSeconds),
    );
  }
});
