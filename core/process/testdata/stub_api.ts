/** Functions for `stub_caller.cpp`: a module for `startServer`. */
import type { Server } from "../../toggle/server/server.ts";
import * as s from "../../signature/mod.ts";

const point = s.struct({ at: s.array(s.i16, 3), turns: s.u64 });

export const tried = s.hostApi("tried", {
  hypot: s.fn([s.f64, s.f64], s.f64),
  wide: s.fn([s.bool, s.i8, s.u8, s.i16, s.u16, s.i64, s.usize, s.constant(s.i32, 2)], s.i64),
  root: s.fn([s.f64], s.f64, { failsWith: -1 }),
  divide: s.fn(
    [s.i32, s.i32],
    s.struct({ quotient: s.i32, rest: s.struct({ low: s.i32 }) }),
  ),
  sum: s.fn([s.bytes("in", s.lengthOf(1).times(8)), s.u32], s.f64),
  upper: s.fn([s.nullable(s.string), s.bytes("out")], s.u64),
  turn: s.fn([
    s.nullable(s.pointer("inout", point)),
    s.pointer("out", s.struct({ sum: s.i32 })),
  ], s.nothing),
  open: s.fn([s.string], s.handle("Log")),
  write: s.fn([s.handle("Log"), s.string], s.u32),
  each: s.fn([s.callback([s.i32], s.i32), s.i32], s.i32),
  close: s.fn([s.ends("Log")], s.nothing),
  fail: s.fn([s.string], s.i32),
});

export function addServices(server: Server): void {
  const callbacks = { twice: (value: number) => 2 * value };
  new s.ApiServer(server, { callbacks }).serve(tried, {
    hypot: Math.hypot,
    wide: (isMinus, ...rest) => {
      const values = rest.slice(0, 6).map((value) => BigInt(value as number));
      return values.reduce((sum, value) => sum + value, isMinus ? -2n : 0n);
    },
    root(value) {
      if (value < 0) throw new s.ErrnoError(33, "take a root");
      return Math.sqrt(value);
    },
    divide: (value, by) => ({ quotient: Math.trunc(value / by), rest: { low: value % by } }),
    sum: (bytes) => new Float64Array(bytes.slice().buffer).reduce((sum, one) => sum + one, 0),
    upper(text, room) {
      if (text === null) return 0n;
      return BigInt(new TextEncoder().encodeInto(text.toUpperCase(), room).written);
    },
    turn(target, before) {
      before.sum = target === null ? 0 : target.at.reduce((sum, one) => sum + one, 0);
      if (target === null) return;
      target.at.reverse();
      target.turns++;
    },
    open: (name) => [name],
    write: (_log, text) => text.length,
    each: (callback, value) => callback(value),
    close: () => {},
    fail: () => {
      throw new RangeError("as it should");
    },
  });
}
