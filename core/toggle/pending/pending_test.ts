import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Pending } from "./pending.ts";

/** Something that is done after so many looks, and notes why it was cancelled. */
function after(looks: number, result: unknown, notes: string[] = []): Pending {
  return new Pending({
    poll: () => looks-- > 0 ? undefined : result,
    cancel: (reason) => notes.push(reason.message),
  });
}

Deno.test("Pending.map() gives another result, and cancels the same", () => {
  const notes: string[] = [];
  const mapped = after(1, 20, notes).map((result) => result as number + 1);
  assertEquals([mapped.poll(), mapped.poll()], [undefined, 21]);
  mapped.cancel(new Error("enough"));
  assertEquals(notes, ["enough"]);
  new Pending({ poll: () => 1 }).cancel(new Error("nothing to do"));
});

Deno.test("Pending.all() is done when all are, and looks at each in every round", () => {
  const all = Pending.all([after(2, "late"), "there", after(0, null), undefined]);
  assertEquals([all.poll(), all.poll()], [undefined, undefined]);
  assertEquals(all.poll(), ["late", "there", null, undefined]);
});

Deno.test("Pending.all() cancels the others when one fails, and all of them when nobody wants them", () => {
  const notes: string[] = [];
  const failing = new Pending({
    poll: () => {
      throw new RangeError("no");
    },
    cancel: () => notes.push("ended already"),
  });
  const all = Pending.all([after(9, 1, notes), failing, after(9, 1, notes)]);
  assertThrows(() => all.poll(), RangeError, "no");
  assertEquals(notes, [
    "Another lane of the call has failed",
    "Another lane of the call has failed",
  ]);
  Pending.all([after(0, 1, notes), "there", after(9, 1, notes)]).cancel(new Error("enough"));
  assertEquals(notes.slice(2), ["enough", "enough"]);
  const rest = Pending.all([after(0, 1, notes), after(9, 1, notes)]);
  rest.poll();
  rest.cancel(new Error("only what goes on"));
  assertEquals(notes.slice(4), ["only what goes on"]);
});

Deno.test("Pending.all() cancels all, also where a cancellation throws", () => {
  const notes: string[] = [];
  const thrower = new Pending({
    poll: () => undefined,
    cancel: () => {
      throw new Error("dropped");
    },
  });
  Pending.all([thrower, after(9, 1, notes)]).cancel(new Error("enough"));
  assertEquals(notes, ["enough"]);
});

Deno.test("Pending refuses a poll that is asynchronous", () => {
  const poll = () => Promise.reject(new Error("nobody hears of it"));
  assertThrows(() => new Pending({ poll }).poll(), TypeError, "a poll of a Pending that returns");
  const mapped = after(0, 1).map(() => poll());
  assertThrows(() => mapped.poll(), TypeError, "it must be synchronous");
});

Deno.test("Pending.settled() is a promise of it, which an abort ends", async () => {
  const controller = new AbortController();
  assertEquals(await after(3, "done").settled(controller.signal), "done");
  const notes: string[] = [];
  const endless = after(Infinity, 1, notes).settled(controller.signal);
  let hasTurns = false;
  setTimeout(() => {
    hasTurns = true;
    controller.abort(new Error("enough"));
  }, 1);
  await assertRejects(() => endless, Error, "enough");
  assert(hasTurns);
  assertEquals(notes, ["enough"]);
});
