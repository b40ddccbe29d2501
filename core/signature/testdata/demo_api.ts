/** An API with every kind of parameter, for tests; a module for `startServer`. */
import type { Server } from "../../toggle/server/server.ts";
import { ErrnoError } from "../declare/errno.ts";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { ApiServer } from "../server/api_server.ts";
import type { ObjectOptions } from "../server/served_objects.ts";

const point = kind.struct({ x: kind.f64, at: kind.struct({ flag: kind.bool, count: kind.i32 }) });

/** One function for each kind of parameter and of result. */
export const demoApi = hostApi("demo", {
  hypot: fn([kind.f64, kind.f64], kind.f64),
  mixed: fn([kind.i64, kind.constant(kind.i32, 7), kind.bool], kind.u64),
  sum: fn([kind.bytes("in", lengthOf(1).times(8)), kind.u32], kind.f64),
  fill: fn([kind.bytes("out"), kind.u8], kind.nothing),
  reverse: fn([kind.nullable(kind.bytes("inout"))], kind.bool),
  open: fn([kind.string, kind.nullable(kind.string)], kind.nullable(kind.handle("File")), {
    failsWith: null,
  }),
  nameOf: fn([kind.handle("File")], kind.string),
  close: fn([kind.ends("File")], kind.i32, { failsWith: -1 }),
  move: fn([kind.pointer("inout", point), point], point),
  where: fn([kind.nullable(kind.pointer("out", point))], kind.nullable(kind.string)),
  format: fn([kind.string, kind.variadic], kind.string),
  apply: fn([kind.callback([kind.i32], kind.i32), kind.i32], kind.i32),
  fail: fn([kind.string], kind.nothing),
});

interface OpenFile {
  readonly path: string;
  readonly mode: string | null;
}

/** What `startServer` calls. */
export function addServices(server: Server): void {
  serveDemo(server);
}

/** Serves them, with these choices. */
export function serveDemo(server: Server, choices: ObjectOptions = {}): void {
  const options = {
    callbacks: { double: (value: number) => 2 * value },
    limitBytes: 1 << 16,
    handlesMax: 3,
    ...choices,
  };
  new ApiServer(server, options).serve(demoApi, {
    hypot: Math.hypot,
    mixed: (big, seven, isMore) => BigInt.asUintN(64, big + BigInt(seven) + (isMore ? 1n : 0n)),
    sum: (array) => new Float64Array(array.slice().buffer).reduce((sum, value) => sum + value, 0),
    fill: (array, value) => void array.fill(value),
    reverse: (array) => array !== null && array.reverse().length > 0,
    open(path, mode) {
      if (path === "absent") throw new ErrnoError(2, "open absent");
      return path === "" ? null : { path, mode };
    },
    nameOf: ({ path, mode }: OpenFile) => `${path}:${mode}`,
    close({ path }: OpenFile) {
      if (path === "busy") throw new ErrnoError(16, "close busy");
      return 0;
    },
    move(target, by) {
      target.x += by.x;
      target.at.count += by.at.count;
      return { x: -target.x, at: { flag: by.at.flag, count: 1 } };
    },
    where(target) {
      if (target) Object.assign(target, { x: 4.5, at: { flag: true, count: -3 } });
      return target ? "there" : null;
    },
    format: (text, values) => text + values.map(({ type, value }) => ` ${type} ${value}`).join(""),
    apply: (work, value) => work(value),
    fail(text) {
      throw new RangeError(text);
    },
  });
}
