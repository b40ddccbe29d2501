import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../../call/call_error.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { startServer } from "../../../worker/start_server.ts";
import { connectApi, ErrnoError, type HostStub } from "../../../signature/mod.ts";
import { libcApi } from "./libc_api.ts";
import { libmApi } from "./libm_api.ts";
import { LIBC_CALLS } from "./testdata/libc_calls.ts";
import { LIBM_CALLS, type LibmCall } from "./testdata/libm_calls.ts";

/** A function of any signature. */
type AnyStub = HostStub & ((...given: unknown[]) => unknown);

function linuxTest(name: string, test: () => Promise<void>): void {
  Deno.test({ name, ignore: Deno.build.os !== "linux", fn: test });
}

/** Both libraries in a worker with lanes, for a client of this thread, which blocks. */
async function start() {
  const channel = Channel.create({ portCount: 4, laneCount: 4 });
  const services = [new URL("./serve_libc.ts", import.meta.url)];
  const server = await startServer(channel, { services });
  const client = new Client(channel);
  return {
    m: connectApi(client, libmApi),
    c: connectApi(client, libcApi),
    [Symbol.asyncDispose]: async () => void await server.terminate(),
  };
}

function entries(stubs: Readonly<Record<string, unknown>>): [string, AnyStub][] {
  return Object.entries(stubs) as [string, AnyStub][];
}

/** With an object for each number that is written, and the results with them. */
function mathCall(name: string) {
  const [given, result, written = []] = LIBM_CALLS[name as keyof typeof LIBM_CALLS] as LibmCall;
  const outs = written.map(() => ({ value: NaN }));
  const check = (actual: unknown) => {
    const values = [actual, ...outs.map(({ value }) => value)];
    const precision = name.endsWith("f") && name !== "erf" && name !== "modf" ? 2e-6 : 1e-15;
    for (const [index, wanted] of [result, ...written].entries()) {
      const value = values[index];
      const isNear = typeof wanted === "number" && typeof value === "number" &&
        Math.abs(value - wanted) <= Math.abs(wanted) * precision;
      assert(isNear || value === wanted, `${name}(${given}) is ${value} and not ${wanted}`);
    }
  };
  return { given: [...given, ...outs], check };
}

linuxTest("each function of libm gives what JavaScript gives, or tables have", async () => {
  await using served = await start();
  const stubs = entries(served.m);
  assertEquals(stubs.map(([name]) => name).toSorted(), Object.keys(LIBM_CALLS).toSorted());
  for (const [name, stub] of stubs) {
    const { given, check } = mathCall(name);
    check(stub(...given));
    const [first, second] = [mathCall(name), mathCall(name)];
    const results = stub.lanes([undefined, first.given, undefined, second.given] as never);
    first.check(results[1]);
    second.check(results[3]);
  }
  assert(stubs.length >= 110, String(stubs.length));
});

linuxTest("each function of libc does as C has it", async () => {
  await using served = await start();
  const stubs = entries(served.c);
  assertEquals(stubs.map(([name]) => name).toSorted(), Object.keys(LIBC_CALLS).toSorted());
  for (const [name, stub] of stubs) {
    const { given, check } = LIBC_CALLS[name as keyof typeof LIBC_CALLS];
    const [alone, first, second] = [given(), given(), given()];
    try {
      check(stub(...alone), alone);
      const results = stub.lanes([first, undefined, second] as never);
      check(results[0], first);
      check(results[2], second);
    } catch (cause) {
      throw new Error(`Cannot go on after ${name}`, { cause });
    }
  }
  assert(stubs.length >= 75, String(stubs.length));
});

linuxTest("libc refuses what would end the process, and says what failed", async () => {
  await using served = await start();
  const { c } = served;
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
