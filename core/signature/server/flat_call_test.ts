import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { ErrnoError } from "../declare/errno.ts";
import * as kind from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { declared, serveHere } from "../testdata/served.ts";
import { FlatCall } from "./flat_call.ts";
import { HostCall } from "./host_call.ts";
import { ServedObjects } from "./served_objects.ts";

const { f64, i32, nothing } = kind;

Deno.test("FlatCall is for functions whose calls fit a packet", () => {
  const isFlat = (parameter: kind.Parameter) => {
    const call = new HostCall(declared([parameter], i32), () => {}, new ServedObjects({}));
    return FlatCall.of(call) instanceof FlatCall;
  };
  assertEquals([isFlat(i32), isFlat(kind.string)], [true, false]);
});

Deno.test("FlatCall gives each count of arguments as it came, directly and with what stands between", () => {
  for (let count = 0; count <= 7; count++) {
    const doubles = Array<kind.Parameter>(count).fill(f64);
    for (const parameters of [doubles, [kind.constant(i32, 9), ...doubles]]) {
      const seen: unknown[] = [];
      const work = { f: (...values: unknown[]) => seen.push(values) };
      const { stubs } = serveHere(hostApi("a", { f: fn(parameters, f64) }), work as never);
      const f = stubs.f as unknown as ((...values: number[]) => number) & {
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
  const wrong = [1.5, NaN, 2 ** 31, "1", undefined, null, 1n, Symbol("s"), Object.create(null)];
  for (const options of [{}, { failsWith: -1 }]) {
    let result: unknown;
    const api = hostApi("a", { f: fn([], i32, options) });
    const { f } = serveHere(api, { f: () => result as number }).stubs;
    for (result of wrong) {
      assertThrows(() => f(), CallError, "must return an integer from -2147483648");
    }
    result = Promise.reject(new Error("unheard"));
    assertThrows(() => f(), CallError, "must be synchronous");
    result = -1;
    assertEquals([f(), f.errno], [-1, 0]);
  }
});

Deno.test("FlatCall tells errno, also where NaN says that a call failed", () => {
  const api = hostApi("a", { log: fn([f64], f64, { failsWith: NaN }) });
  const { stubs: { log } } = serveHere(api, {
    log(x) {
      if (x < 0) throw new ErrnoError(33, "take the logarithm");
      return Math.log(x);
    },
  });
  assertThrows(() => log(-1), ErrnoError, "Cannot call a.log: argument outside");
  assertEquals([log.errno, log(NaN), log.errno], [33, NaN, 0]);
  assertEquals(log.lanes([[1], [-1], [-1]]), [0, NaN, NaN]);
  assertEquals(log.errno, 33);
});

Deno.test("FlatCall ends no handle of a call that is refused, and forgets those of one that failed", () => {
  const [file, end] = [kind.handle("F"), kind.ends("F")];
  const signatures = {
    open: fn([i32], file),
    swap: fn([end, file], file),
    close: fn([end], nothing),
  };
  const { host, stubs } = serveHere(hostApi("a", signatures), {
    open(value) {
      if (value < 0) throw new RangeError("negative");
      return { value };
    },
    swap: (_file, other) => ({ other }),
    close() {
      throw new Error("closed badly");
    },
  });
  assertThrows(() => stubs.open.lanes([[1], [2], [-1]]), CallError, "negative");
  assertEquals(host.handleCount, 0);
  type File = ReturnType<typeof stubs.open>;
  const [first, second] = stubs.open.lanes([[1], [2]]) as [File, File];
  assertThrows(() => stubs.swap(first, 5 as File), CallError, "never was");
  assertEquals(host.handleCount, 2);
  stubs.swap(first, second);
  assertEquals(host.handleCount, 2);
  assertThrows(() => stubs.close(second), CallError, "closed badly");
  assertThrows(() => stubs.close(second), CallError, "it has ended");
});
