import { assertEquals } from "@std/assert";
import { AHEAD_BYTES, FetchAhead } from "./fetch_ahead.ts";

Deno.test("FetchAhead guesses what was fetched before, as long as it is used", () => {
  const ahead = new FetchAhead();
  assertEquals(ahead.next(), undefined);
  ahead.add({ startByte: 128, endByte: 256 });
  ahead.add({ startByte: 0, endByte: 64 });
  ahead.use();
  const both = { startByte: 0, endByte: 256 };
  assertEquals([ahead.next(), ahead.next(), ahead.next(), ahead.next()], [both, both, both, both]);
  ahead.use();
  assertEquals(ahead.next(), both);
  for (let count = 0; count < 3; count++) ahead.next();
  assertEquals(ahead.next(), undefined, "four without a look");
  ahead.use();
  assertEquals(ahead.next(), undefined);
});

Deno.test("FetchAhead takes no more than it may, and then what was fetched last", () => {
  const ahead = new FetchAhead();
  ahead.add({ startByte: 0, endByte: AHEAD_BYTES });
  const far = { startByte: 4 * AHEAD_BYTES, endByte: 4 * AHEAD_BYTES + 16 };
  ahead.add(far);
  assertEquals(ahead.next(), far);
  ahead.add({ startByte: 0, endByte: 3 * AHEAD_BYTES });
  assertEquals(ahead.next(), { startByte: 0, endByte: AHEAD_BYTES });
});
