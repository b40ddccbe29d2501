import { assertEquals, assertThrows } from "@std/assert";
import { checkAnswer, increment, peerValue, type Table, VALUE_KINDS } from "./peer_value.ts";

Deno.test("peerValue() is about as long as it says, and increment() adds to it", () => {
  assertEquals(increment(Uint8Array.of(255, 7)), Uint8Array.of(0, 7));
  for (const payloadBytes of [8, 14_000, 1 << 20]) {
    assertEquals((peerValue("bytes", payloadBytes) as Uint8Array).length, payloadBytes);
    const { length } = JSON.stringify(peerValue("object", payloadBytes));
    assertEquals(Math.abs(length - Math.max(payloadBytes, 22)) < 150, true, `${length}`);
  }
});

Deno.test("checkAnswer() takes one answer after the other, and no old one", () => {
  for (const kind of VALUE_KINDS) {
    const value = peerValue(kind, 200);
    for (let call = 0; call < 600; call++) checkAnswer(value, increment(structuredClone(value)));
    const old = structuredClone(value);
    assertThrows(() => checkAnswer(value, old), Error, "one larger");
  }
  const shorter = { ...peerValue("object", 200) as Table, count: 1, rows: [] };
  assertThrows(() => checkAnswer(peerValue("object", 200), shorter), Error, "one larger");
});
