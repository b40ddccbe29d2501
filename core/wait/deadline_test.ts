import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Deadline } from "./deadline.ts";

Deno.test("Deadline.check() throws at the deadline, and not before", () => {
  new Deadline({ timeoutSeconds: 1e6 }).check("wait");
  new Deadline({}).check("wait");
  const over = new Deadline({ timeoutSeconds: 0 });
  const error = assertThrows(
    () => over.check("open a port"),
    DOMException,
    "open a port within 0 s",
  );
  assertEquals([error.name, over.leftMilliseconds], ["TimeoutError", 0]);
});

Deno.test("Deadline.check() throws the reason of a signal, before or after it began", () => {
  const controller = new AbortController();
  const deadline = new Deadline({ signal: controller.signal });
  deadline.check("wait");
  controller.abort(new Error("called off"));
  assertThrows(() => deadline.check("wait"), Error, "called off");
});

Deno.test("Deadline takes no time below 0 and no NaN", () => {
  for (const timeoutSeconds of [-1, NaN]) {
    assertThrows(() => new Deadline({ timeoutSeconds }), RangeError, String(timeoutSeconds));
  }
});

Deno.test("Deadline.of() keeps a deadline that runs, and makes none where there is no limit", () => {
  const deadline = new Deadline({ timeoutSeconds: 60 });
  assertStrictEquals(Deadline.of(deadline), deadline);
  assertEquals([Deadline.of(undefined), Deadline.of({})], [undefined, undefined]);
  const left = Deadline.of({ timeoutSeconds: 60 })!.leftMilliseconds;
  assert(left > 0 && left <= 60_000);
  assert(new Deadline({}).leftMilliseconds > 1e9);
});
