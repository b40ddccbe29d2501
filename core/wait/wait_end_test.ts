import { assertEquals, assertThrows } from "@std/assert";
import { WaitEnd } from "./wait_end.ts";

Deno.test("WaitEnd tells who waits, once it is ended, why: the first reason stays", () => {
  const end = new WaitEnd();
  end.check();
  assertEquals(end.isOver, false);
  end.end(new Error("first"));
  end.end(new Error("second"));
  assertEquals(end.isOver, true);
  assertThrows(() => end.check(), Error, "first");
});

Deno.test("WaitEnd wakes who listens, and nobody who does no longer", () => {
  const end = new WaitEnd();
  let wakeCount = 0;
  end.onEnd(() => wakeCount++);
  end.end(new Error("ended"));
  end.onEnd(undefined);
  end.end(new Error("ended"));
  assertEquals(wakeCount, 1);
});
