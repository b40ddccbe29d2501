import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { connectApi } from "../client/connect_api.ts";
import { ErrnoError } from "../declare/errno.ts";
import * as kind from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { ApiServer } from "./api_server.ts";
import { FlatCall } from "./flat_call.ts";
import { HostCall } from "./host_call.ts";
import { ServedObjects } from "./served_objects.ts";

const SHAPE = { portCount: 2, laneCount: 4 };
const { f64, i32, nothing } = kind;

Deno.test("FlatCall is for functions whose calls fit a packet", () => {
  const { functions } = hostApi("a", { flat: fn([i32], i32), long: fn([kind.string], i32) });
  const objects = new ServedObjects({});
  assertEquals(FlatCall.of(new HostCall(functions.long, () => {}, objects)), undefined);
  assertEquals(
    FlatCall.of(new HostCall(functions.flat, () => {}, objects)) instanceof FlatCall,
    true,
  );
});

Deno.test("FlatCall gives each count of arguments as it came, directly and with what stands between", () => {
  for (let count = 0; count <= 7; count++) {
    for (
      const parameters of [Array(count).fill(f64), [
        kind.constant(i32, 9),
        ...Array(count).fill(f64),
      ]]
    ) {
      const { client, server } = oneThread(SHAPE);
      const api = hostApi("a", { f: fn(parameters as kind.Parameter[], f64) });
      const seen: unknown[] = [];
      new ApiServer(server).serve(api, { f: (...values: unknown[]) => seen.push(values) } as never);
      const f = connectApi(client, api).f as unknown as ((...values: number[]) => number) & {
        lanes: (calls: number[][]) => number[];
      };
      const given = Array.from({ length: count }, (_, index) => index + 0.5);
      assertEquals([f(...given), ...f.lanes([given, given])], [1, 2, 3]);
      const values = parameters.length > count ? [9, ...given] : given;
      assertEquals(seen, [values, values, values]);
    }
  }
});

Deno.test("FlatCall refuses what a function must not return, with and without errno", () => {
  for (const failsWith of [undefined, -1]) {
    const { client, server } = oneThread(SHAPE);
    const api = hostApi("a", { f: fn([], i32, failsWith === undefined ? {} : { failsWith }) });
    let result: unknown;
    new ApiServer(server).serve(api, { f: () => result as number });
    const { f } = connectApi(client, api);
    for (
      const one of [1.5, NaN, 2 ** 31, "1", undefined, null, 1n, Symbol("s"), Object.create(null)]
    ) {
      result = one;
      assertThrows(() => f(), CallError, "must return an integer from -2147483648");
    }
    result = Promise.reject(new Error("unheard"));
    assertThrows(() => f(), CallError, "must be synchronous");
    result = -1;
    assertEquals([f(), f.errno], [-1, 0]);
  }
});

Deno.test("FlatCall tells errno, also where NaN says that a call failed", () => {
  const { client, server } = oneThread(SHAPE);
  const api = hostApi("a", { log: fn([f64], f64, { failsWith: NaN }) });
  new ApiServer(server).serve(api, {
    log(x) {
      if (x < 0) throw new ErrnoError(33, "take the logarithm");
      return Math.log(x);
    },
  });
  const { log } = connectApi(client, api);
  assertThrows(() => log(-1), ErrnoError, "Cannot call a.log: argument outside");
  assertEquals([log.errno, log(NaN), log.errno], [33, NaN, 0]);
  assertEquals(log.lanes([[1], [-1], [-1]]), [0, NaN, NaN]);
  assertEquals(log.errno, 33);
});

Deno.test("FlatCall ends no handle of a call that is refused, and forgets those of one that failed", () => {
  const { client, server } = oneThread(SHAPE);
  const api = hostApi("a", {
    open: fn([i32], kind.handle("F")),
    swap: fn([kind.ends("F"), kind.handle("F")], kind.handle("F")),
    close: fn([kind.ends("F")], nothing),
  });
  const host = new ApiServer(server);
  host.serve(api, {
    open(value) {
      if (value < 0) throw new RangeError("negative");
      return { value };
    },
    swap: (_file, other) => ({ other }),
    close() {
      throw new Error("closed badly");
    },
  });
  const stubs = connectApi(client, api);
  assertThrows(() => stubs.open.lanes([[1], [2], [-1]]), CallError, "negative");
  assertEquals(host.handleCount, 0);
  const [first, second] = stubs.open.lanes([[1], [2]]) as [
    ReturnType<typeof stubs.open>,
    ReturnType<typeof stubs.open>,
  ];
  assertThrows(() => stubs.swap(first, 5 as typeof second), CallError, "never was");
  assertEquals(host.handleCount, 2);
  stubs.swap(first, second);
  assertEquals(host.handleCount, 2);
  assertThrows(() => stubs.close(second), CallError, "closed badly");
  assertThrows(() => stubs.close(second), CallError, "it has ended");
});
