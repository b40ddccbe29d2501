import { assertEquals, assertThrows } from "@std/assert";
import { checkComparison, type Comparison, libcCallbacks } from "./serve_libc.ts";
import { CallError } from "../../../call/call_error.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { startServer } from "../../../worker/start_server.ts";
import { WorkerLink } from "../../../worker/worker_link.ts";
import { connectApi, ErrnoError } from "../../../signature/mod.ts";
import { libcApi } from "./libc_api.ts";

function sign(name: string, array: ArrayBufferView<ArrayBuffer>): number {
  const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(array));
  return libcCallbacks[name]!(address, address + BigInt(array.byteLength / 2));
}

Deno.test("libcCallbacks compare two numbers of each type", () => {
  const pairs: readonly (readonly [string, ArrayBufferView<ArrayBuffer>])[] = [
    ["i8", new Int8Array([-1, 1])],
    ["u8", new Uint8Array([1, 255])],
    ["i16", new Int16Array([-1, 1])],
    ["u16", new Uint16Array([1, 65535])],
    ["i32", new Int32Array([-1, 1])],
    ["u32", new Uint32Array([1, 2 ** 32 - 1])],
    ["i64", new BigInt64Array([-1n, 2n ** 62n])],
    ["u64", new BigUint64Array([1n, 2n ** 63n])],
    ["f32", new Float32Array([-0.5, 0.5])],
    ["f64", new Float64Array([-0.5, 0.5])],
  ];
  assertEquals(pairs.map(([name]) => name), Object.keys(libcCallbacks));
  for (const [name, array] of pairs) {
    checkComparison(libcCallbacks[name]!, BigInt(array.byteLength / 2));
    assertEquals(sign(name, array), -1);
    (array as Uint8Array<ArrayBuffer>).reverse();
    assertEquals(sign(name, array), 1);
    (array as Uint8Array<ArrayBuffer>).copyWithin(0, 1);
    assertEquals(sign(name, array), 0);
  }
  const nans = [[NaN, 1, 1], [1, NaN, -1], [NaN, NaN, 0]] as const;
  for (const [left, right, wanted] of nans) {
    assertEquals(sign("f64", new Float64Array([left, right])), wanted);
  }
});

Deno.test("checkComparison() takes elements of the right size, and its own comparisons only", () => {
  checkComparison(libcCallbacks.f64!, 8n);
  assertThrows(() => checkComparison(libcCallbacks.f64!, 4n), RangeError, "must be for 4 bytes");
  const other: Comparison = () => 0;
  assertThrows(() => checkComparison(other, 4n), RangeError, "must be one of libcCallbacks");
});

function linuxTest(name: string, test: () => Promise<void>): void {
  Deno.test({ name, ignore: Deno.build.os !== "linux", fn: test });
}

const services = [new URL("./serve_libc.ts", import.meta.url)];

linuxTest(
  "each function of libm and libc does as C has it, from a worker and from lanes",
  async () => {
    const channel = Channel.create({ portCount: 4, laneCount: 4 });
    await using _server = await startServer(channel, { services });
    const client = new WorkerLink(new URL("./testdata/client_worker.ts", import.meta.url));
    try {
      assertEquals(await client.ask<number>(channel.handle), 202);
    } finally {
      await client.terminate();
    }
  },
);

linuxTest("libc refuses what would end the process, and says what failed", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  await using _server = await startServer(channel, { services });
  const c = connectApi(new Client(channel), libcApi);
  assertThrows(() => c.div(1, 0), CallError, "Cannot divide 1 by 0");
  assertThrows(() => c.div(-(2 ** 31), -1), CallError, "it would end the process");
  assertThrows(() => c.ldiv(-(2n ** 63n), -1n), CallError, "Cannot divide");
  assertThrows(() => c.lldiv(5n, 0n), CallError, "Cannot divide");
  assertEquals(c.div(-(2 ** 31), 1), { quot: -(2 ** 31), rem: 0 });
  assertThrows(() => c.qsort(new Uint8Array(4), 4n, 1n, "i32"), CallError, "be for 1 bytes");
  assertThrows(() => c.qsort(new Uint8Array(4), 1n, 4n, "absent"), CallError, "none of that name");
  assertThrows(() => c.memcpy(new Uint8Array(4), new Uint8Array(5), 5n), RangeError, "4 bytes");
  assertEquals(assertThrows(() => c.sysconf(-5), ErrnoError).code, "EINVAL");
  const error = assertThrows(() => c.getentropy(new Uint8Array(257), 257n), ErrnoError);
  assertEquals([error.code, c.strtol("9".repeat(30), 10)], ["EIO", 2n ** 63n - 1n]);
});

linuxTest("what libc does not write stays as its caller has it", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  await using _server = await startServer(channel, { services });
  const c = connectApi(new Client(channel), libcApi);
  const after = (length: number, call: (target: Uint8Array) => unknown) => {
    const target = new Uint8Array(length).fill(9);
    call(target);
    return [...target];
  };
  assertEquals(after(5, (target) => c.strxfrm(target, "ab", 5n)), [97, 98, 0, 9, 9]);
  assertEquals(after(5, (target) => c.strncpy(target, "ab", 5n)), [97, 98, 0, 0, 0]);
  assertEquals(after(3, (target) => c.swab(Uint8Array.of(1, 2, 3), target, 3n)), [2, 1, 9]);
  const name = after(80, (target) => c.gethostname(target, 80n));
  assertEquals(new Set(name.slice(name.indexOf(0) + 1)), new Set([9]));
  const tooMany = (target: Uint8Array) => assertThrows(() => c.getentropy(target, 257n));
  assertEquals(after(257, tooMany), Array(257).fill(9));
});
