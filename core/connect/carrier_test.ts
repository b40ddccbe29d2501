import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { transfer } from "./carrier.ts";
import { connect } from "./connect.ts";
import type { Functions } from "./testdata/math_worker.ts";

const MATH = new URL("./testdata/math_worker.ts", import.meta.url);
const LIMITS = { timeoutSeconds: 30 };

Deno.test("transfer() moves buffers, there and back, blocking and not", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  for (const call of [math.echo, math.echo.async]) {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index);
    const expected = bytes.slice();
    const back = await call({ name: "b", bytes: transfer(bytes, [bytes.buffer]) }) as {
      bytes: Uint8Array;
    };
    assertEquals([bytes.length, back.bytes], [0, expected]);
  }
  for (const call of [math.makeBytes, math.makeBytes.async]) {
    assertEquals(await call(3), Uint8Array.of(7, 7, 7));
  }
});

Deno.test("what is not transferred is copied, and a failed message moves nothing", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const bytes = Uint8Array.of(1, 2);
  assertEquals(math.echo(bytes), bytes);
  transfer(bytes, [bytes.buffer]);
  assertThrows(() => math.echo([bytes, Symbol("none")]), TypeError, "it is a symbol");
  assertEquals([bytes.length, math.echo(bytes), bytes.length], [2, Uint8Array.of(1, 2), 0]);
  assertThrows(() => math.echo(bytes), TypeError, "a buffer that was transferred");
});

Deno.test("calls before and behind one that moves something keep their order", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const calls = Array.from({ length: 300 }, (_, at) => {
    const bytes = new Uint8Array(at);
    return at % 3 === 0 ? math.echo.async(transfer(bytes, [bytes.buffer])) : math.echo.async(bytes);
  });
  const lengths = (await Promise.all(calls) as Uint8Array[]).map(({ length }) => length);
  assertEquals(lengths, Array.from({ length: 300 }, (_, at) => at));
});

Deno.test("shared memory is shared, and its views are of it", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const numbers = new Int32Array(new SharedArrayBuffer(8));
  assertEquals([math.addOne(numbers), numbers[0]], [1, 1]);
  assertEquals([await math.addOne.async(numbers), numbers[0]], [2, 2]);
  const { again } = math.echo({ again: [numbers, numbers.buffer] }) as {
    again: [Int32Array, unknown];
  };
  assert(again[0].buffer === again[1] && again[1] instanceof SharedArrayBuffer);
});

Deno.test("a port is moved, and refused with what to write else", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const { port1, port2 } = new MessageChannel();
  assertThrows(() => math.double(port2), TypeError, "give it by transfer(value, [port])");
  math.double(transfer(port2, [port2]));
  const answer = new Promise((resolve) => port1.onmessage = ({ data }) => resolve(data));
  port1.postMessage(21);
  assertEquals(await answer, 42);
  port1.close();
  await assertRejects(
    () => math.double.async(transfer(port2, [port2])),
    TypeError,
    "Cannot transfer what is in the arguments of double",
  );
});

Deno.test("transfer() rejects what cannot be moved", () => {
  for (const wrong of [new Uint8Array(3), new SharedArrayBuffer(8), 7, null]) {
    assertThrows(
      () => transfer(1, [wrong as never]),
      TypeError,
      "give the buffers and ports themselves",
    );
  }
});

Deno.test("what was moved is there before its message is read, also where a letter is answered meanwhile", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  math.keep(() => {});
  for (let time = 0; time < 500; time++) {
    const letter = math.echo.async(time);
    assertEquals(math.makeBytes(5)[4], 7);
    assertEquals(await letter, time);
  }
});
