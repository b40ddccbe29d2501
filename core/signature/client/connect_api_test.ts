import { assertEquals, assertThrows } from "@std/assert";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { f64 } from "../declare/kind.ts";
import { fn, hostApi } from "../declare/signature.ts";
import { serveApi } from "../server/api_server.ts";
import { functionOpcode } from "../server/function_table.ts";
import { serveHere } from "../testdata/served.ts";
import { connectApi } from "./connect_api.ts";

Deno.test("connectApi() asks the server for nothing until a function is called", async () => {
  const { client, server, faults } = oneThread({ portCount: 2, laneCount: 4 });
  const api = hostApi("late", { one: fn([], f64) });
  const { one } = connectApi(client, api);
  serveApi(server, api, { one: () => 1 });
  assertEquals([one(), await one.async(), one.errno, faults.length], [1, 1, 0, 0]);
  assertEquals(one.opcode, functionOpcode("late.one"));
});

Deno.test("connectApi() makes functions of any count of arguments, which keep no argument", () => {
  for (let count = 0; count <= 7; count++) {
    const api = hostApi("a", { sum: fn(Array<typeof f64>(count).fill(f64), f64) });
    const { stubs } = serveHere(api, {
      sum: (...values: number[]) => values.reduce((sum, value) => sum + value, 0),
    });
    const sum = stubs.sum as unknown as (...values: unknown[]) => number;
    const given = Array.from({ length: count }, (_, index) => 2 ** index);
    assertEquals(sum(...given), 2 ** count - 1);
    for (const wrong of [[...given, 1], given.slice(1)]) {
      if (wrong.length === count) continue;
      const text = `with ${wrong.length} arguments as it takes ${count}`;
      assertThrows(() => sum(...wrong), TypeError, text);
    }
    if (count > 0) {
      assertThrows(() => sum(...given.slice(1), undefined), TypeError, "must be a number");
    }
    assertEquals(sum(...given), 2 ** count - 1);
  }
});

Deno.test("connectApi() keeps functions apart from what every object has", () => {
  const names = ["constructor", "toString", "hasOwnProperty", "async", "lanes", "name", "length"];
  const api = hostApi("a", Object.fromEntries(names.map((name) => [name, fn([f64], f64)])));
  const functions = names.map((name, index) => [name, (x: number) => x + index]);
  const { stubs } = serveHere(api, Object.fromEntries(functions));
  assertEquals(names.map((name) => stubs[name]!(1)), names.map((_, index) => 1 + index));
  assertEquals(Object.keys(stubs), names);
  assertThrows(() => Object.assign(stubs, { name: 1 }), TypeError);
});
