import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Deadline, type WaitOptions } from "./deadline.ts";

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

Deno.test("Deadline takes no time below 0, no NaN and nothing but a number", () => {
  for (const timeoutSeconds of [-1, NaN, "5", null, 5n] as number[]) {
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

Deno.test("Deadline.of() throws the reason of a signal that was aborted before, whatever it is", () => {
  for (const reason of ["text", 0, null, Symbol("reason")]) {
    const signal = AbortSignal.abort(reason);
    for (const options of [{ signal }, new Deadline({ signal })]) {
      let thrown: unknown = "nothing";
      try {
        Deadline.of(options);
      } catch (error) {
        thrown = error;
      }
      assertStrictEquals(thrown, reason);
    }
  }
});

Deno.test("a copy of a deadline among other options is that deadline, unless it has other limits", () => {
  const { signal } = new AbortController();
  const limit = new Deadline({ timeoutSeconds: 60, signal });
  assert(Deadline.of({ ...limit, limitBytes: 8 } as WaitOptions) === limit);
  assert(Deadline.of(Object.assign({ mask: 1 }, limit)) === limit);
  assert(Deadline.of({ ...limit, timeoutSeconds: 1 })?.timeoutSeconds === 1);
  assert(Deadline.of({ ...limit, signal: new AbortController().signal }) !== limit);
});

Deno.test("Deadline.watch() tells of the end and of a signal, and nothing once it was stopped", async () => {
  const told: unknown[] = [];
  const tell = (reason: unknown) => void told.push((reason as Error).name);
  const stop = new Deadline({ timeoutSeconds: 0.005 }).watch("wait", tell);
  new Deadline({ timeoutSeconds: 0.005 }).watch("wait", () => told.push("stopped"))();
  while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop();
  const aborter = new AbortController();
  const { signal } = aborter;
  const stopOther = new Deadline({ signal }).watch("wait", tell);
  aborter.abort();
  stopOther();
  assertEquals([...new Set(told)], ["TimeoutError", "AbortError"]);
});
