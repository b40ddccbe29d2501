import { assertEquals, assertThrows } from "@std/assert";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { ApiServer, connectApi, ErrnoError } from "../../signature/mod.ts";
import { processApi, serveProcess, type ServeProcessOptions } from "./process_api.ts";

/** A client, and what its host was told. */
function connected(allowCommands?: ServeProcessOptions["allowCommands"]) {
  const { client, server } = oneThread({ portCount: 2, laneCount: 64 });
  const told: unknown[] = [];
  const host = {
    exit: (code: number) => told.push(["exit", code]),
    abort: () => told.push("abort"),
    run: (command: string) => told.push(["run", command]),
  };
  const policy = allowCommands === undefined ? {} : { allowCommands };
  serveProcess(new ApiServer(server), { host, ...policy });
  return { c: connectApi(client, processApi), told };
}

Deno.test("processApi tells its host of each lane, in ascending order", () => {
  const { c, told } = connected();
  c.exit(3);
  c.exit.lanes([undefined, [7], undefined, [-1]]);
  c.abort();
  assertEquals(told, [["exit", 3], ["exit", 7], ["exit", -1], "abort"]);
});

Deno.test("processApi runs no command unless it is allowed", () => {
  const none = connected();
  const error = assertThrows(() => none.c.system("date"), ErrnoError);
  assertEquals([error.code, none.c.system(null), none.told], ["EPERM", 0, []]);
  const some = connected((command) => command === "date");
  assertThrows(() => some.c.system("date; ls"), ErrnoError, "EPERM");
  assertEquals([some.c.system("date"), some.c.system(null)], [1, 1]);
  assertEquals(some.c.system.lanes([["ls"], ["date"]]), [-1, 2]);
  assertEquals([some.c.system.errno, some.told], [1, [["run", "date"], ["run", "date"]]]);
  const later = connected((() => Promise.resolve(true)) as unknown as () => boolean);
  assertThrows(() => later.c.system("date"), ErrnoError, "EPERM");
  assertEquals(connected(true).c.system("anything"), 1);
});
