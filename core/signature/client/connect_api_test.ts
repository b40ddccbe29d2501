import { assertEquals, assertThrows } from "@std/assert";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import * as kind from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { serveApi } from "../server/api_server.ts";
import { functionOpcode } from "../server/function_table.ts";
import { connectApi } from "./connect_api.ts";

const SHAPE = { portCount: 2, laneCount: 4 };
const { f64 } = kind;

Deno.test("connectApi() asks the server for nothing until a function is called", async () => {
  const { client, server, faults } = oneThread(SHAPE);
  const api = hostApi("late", { one: fn([], f64) });
  const stubs = connectApi(client, api);
  serveApi(server, api, { one: () => 1 });
  assertEquals([stubs.one(), await stubs.one.async(), stubs.one.errno, faults.length], [
    1,
    1,
    0,
    0,
  ]);
  assertEquals(stubs.one.opcode, functionOpcode("late.one"));
});

Deno.test("connectApi() makes functions of any count of arguments, which keep no argument", () => {
  for (let count = 0; count <= 7; count++) {
    const { client, server } = oneThread(SHAPE);
    const api = hostApi("a", { sum: fn(Array<typeof f64>(count).fill(f64), f64) });
    serveApi(server, api, {
      sum: (...values: number[]) => values.reduce((sum, value) => sum + value, 0),
    });
    const sum = connectApi(client, api).sum as unknown as (...values: number[]) => number;
    const given = Array.from({ length: count }, (_, index) => 2 ** index);
    assertEquals(sum(...given), 2 ** count - 1);
    for (const wrong of [[...given, 1], given.slice(1)]) {
      if (wrong.length === count) continue;
      assertThrows(
        () => sum(...wrong),
        TypeError,
        `with ${wrong.length} arguments as it takes ${count}`,
      );
    }
    if (count > 0) {
      assertThrows(
        () => sum(...given.slice(1), undefined as unknown as number),
        TypeError,
        "must be a number",
      );
    }
    assertEquals(sum(...given), 2 ** count - 1);
  }
});

Deno.test("connectApi() keeps functions apart from what every object has", () => {
  const { client, server } = oneThread(SHAPE);
  const names = ["constructor", "toString", "hasOwnProperty", "async", "lanes", "name", "length"];
  const api = hostApi("a", Object.fromEntries(names.map((name) => [name, fn([f64], f64)])));
  serveApi(
    server,
    api,
    Object.fromEntries(names.map((name, index) => [name, (x: number) => x + index])),
  );
  const stubs = connectApi(client, api);
  assertEquals(names.map((name) => stubs[name]!(1)), names.map((_, index) => 1 + index));
  assertEquals(Object.keys(stubs), names);
  assertThrows(() => Object.assign(stubs, { name: 1 }), TypeError);
});
