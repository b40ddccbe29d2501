import { assert, assertEquals, assertThrows } from "@std/assert";
import { FUNCTION_OPCODE_FIRST, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import * as kind from "../declare/kind.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { meetingNames } from "../testdata/served.ts";
import { functionOpcode, FunctionTable } from "./function_table.ts";

const services = { lanes: { operate: () => {} }, message: { operate: () => {} } };

function newTable(): FunctionTable {
  return FunctionTable.of(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
}

function named(name: string): ApiFunction {
  return hostApi("a", { [name]: fn([], kind.nothing) }).functions[name]!;
}

Deno.test("functionOpcode() is an even one of those for functions", () => {
  for (let index = 0; index < 500; index++) {
    const opcode = functionOpcode(`demo.f${index}`);
    assertEquals(opcode % 2, 0);
    assert(opcode >= FUNCTION_OPCODE_FIRST && opcode < USER_OPCODE_FIRST);
  }
  assertEquals(functionOpcode("demo.hypot"), functionOpcode("demo.hypot"));
});

Deno.test("FunctionTable gives each name its place, and the next one where two meet", () => {
  const [first, second] = meetingNames();
  const table = newTable();
  const opcode = functionOpcode(`a.${first}`);
  assertEquals(table.add(named(first), services), opcode);
  const next = table.add(named(second), services);
  assertEquals(next, opcode + 2 === USER_OPCODE_FIRST ? FUNCTION_OPCODE_FIRST : opcode + 2);
  table.remove(`a.${first}`);
  assertEquals(table.add(named("g"), services) === next, false);
  assertEquals(table.add(named(first), services), opcode);
});

Deno.test("FunctionTable is one for a server, and has a name once", () => {
  const server = new Server(Channel.create({ portCount: 1, laneCount: 1 }));
  const table = FunctionTable.of(server);
  assertEquals([FunctionTable.of(server) === table, newTable() === table], [true, false]);
  table.add(named("f"), services);
  const again = () => table.add(named("f"), services);
  assertThrows(again, RangeError, "Cannot serve a.f as this server has");
  assertThrows(() => table.checkFree(["a.g", "a.f"]), RangeError, "a.f");
  table.checkFree(["a.g", "a.constructor", "__proto__"]);
  table.remove("a.none");
  table.remove("a.f");
  table.add(named("f"), services);
});

Deno.test("FunctionTable has room for 7936 functions", () => {
  const table = newTable();
  const names = Array.from({ length: 7936 }, (_, index) => `a.f${index}`);
  table.checkFree(names);
  assertThrows(() => table.checkFree([...names, "a.g"]), RangeError, "7936 functions at most");
});

Deno.test("FunctionTable.add() goes on at the first opcode behind the last, and takes none of the user's", () => {
  const last = USER_OPCODE_FIRST - 2;
  const names: string[] = [];
  for (let index = 0; names.length < 2; index++) {
    if (functionOpcode(`a.f${index}`) === last) names.push(`f${index}`);
  }
  const table = newTable();
  const opcodes = names.map((name) => table.add(named(name), services));
  assertEquals(opcodes, [last, FUNCTION_OPCODE_FIRST]);
});
