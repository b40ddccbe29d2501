/** A library that nobody wrote code for: rows go in and come back, from TypeScript and from a kernel. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { onDevice } from "../../gpu/device/on_device_test.ts";
import { runKernel } from "../../gpu/epochs/kernel_run_test.ts";
import { ApiServer, connectApi, type Handle } from "../../signature/mod.ts";
import { wgslStubs } from "../../signature/wgsl/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { startServer } from "../../worker/start_server.ts";
import { memoryApi, serveMemory } from "../memory_api.ts";
import { serveSqlite, sqliteApi } from "./testdata/sqlite_api.ts";
import { skippedWithout } from "./testdata/with_library.ts";

const OK = 0;
const BUSY = 5;
const CLOSES_NOTHING = "unable to close due to unfinalized statements or unfinished backups";
const ROW = 100;
const DONE = 101;
const NULL_TYPE = 5;

const skipped = skippedWithout({ files: ["libsqlite3.so.0"], hint: "libsqlite3-0" });
const ignore = skipped !== "";

/** What `handle` of a struct that C writes holds before. */
function none<N extends string>(): { handle: Handle<N> | null } {
  return { handle: null };
}

async function served() {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const services = [new URL("./testdata/sqlite_api.ts", import.meta.url)];
  const server = await startServer(channel, { services });
  const sqlite = connectApi(new Client(channel), sqliteApi);
  return { sqlite, [Symbol.asyncDispose]: async () => void await server.terminate() };
}

type Sqlite = Awaited<ReturnType<typeof served>>["sqlite"];

function open(sqlite: Sqlite, path: string): Handle<"sqlite3"> {
  const database = none<"sqlite3">();
  assertEquals(sqlite.open(path, database), OK);
  return database.handle!;
}

function prepare(sqlite: Sqlite, database: Handle<"sqlite3">, text: string) {
  const statement = none<"sqlite3_stmt">();
  assertEquals(sqlite.prepare_v2(database, text, statement), OK);
  return statement.handle!;
}

Deno.test({ name: `SQLite takes rows and gives them back${skipped}`, ignore }, async () => {
  await using library = await served();
  const { sqlite } = library;
  const database = open(sqlite, ":memory:");
  assertEquals(sqlite.exec(database, "CREATE TABLE t (i INTEGER, d REAL, s TEXT, b BLOB)"), OK);
  const insert = prepare(sqlite, database, "INSERT INTO t VALUES (?, ?, ?, ?)");
  const bytes = Uint8Array.of(0, 1, 255);
  for (const number of [1, 2]) {
    assertEquals(sqlite.bind_int64(insert, 1, BigInt(number) << 40n), OK);
    assertEquals(sqlite.bind_double(insert, 2, number + 0.1), OK);
    assertEquals(sqlite.bind_text(insert, 3, `row ${number}: ä`), OK);
    assertEquals(sqlite.bind_blob(insert, 4, bytes, 3), OK);
    assertEquals([sqlite.step(insert), sqlite.reset(insert)], [DONE, OK]);
  }
  assertEquals([sqlite.changes(database), sqlite.last_insert_rowid(database)], [1, 2n]);
  assertEquals([sqlite.clear_bindings(insert), sqlite.bind_int(insert, 1, -3)], [OK, OK]);
  assertEquals([sqlite.step(insert), sqlite.finalize(insert)], [DONE, OK]);
  const select = prepare(sqlite, database, "SELECT * FROM t ORDER BY rowid");
  assertEquals([sqlite.column_count(select), sqlite.column_name(select, 2)], [4, "s"]);
  const rows = [];
  while (sqlite.step(select) === ROW) {
    rows.push([
      sqlite.column_int64(select, 0),
      sqlite.column_double(select, 1),
      sqlite.column_text(select, 2),
      sqlite.column_bytes(select, 3),
    ]);
  }
  assertEquals(rows, [
    [1n << 40n, 1.1, "row 1: ä", 3],
    [2n << 40n, 2.1, "row 2: ä", 3],
    [-3n, 0, null, 0],
  ]);
  assertEquals(sqlite.finalize(select), OK);
  const blob = none<"sqlite3_blob">();
  assertEquals(sqlite.blob_open(database, "main", "t", "b", 1n, 0, blob), OK);
  const read = new Uint8Array(sqlite.blob_bytes(blob.handle!));
  assertEquals([sqlite.blob_read(blob.handle!, read, 3, 0), [...read]], [OK, [...bytes]]);
  assertEquals([sqlite.blob_close(blob.handle!), sqlite.close_v2(database)], [OK, OK]);
});

Deno.test(
  { name: `SQLite says what is wrong, and its handles end once${skipped}`, ignore },
  async () => {
    await using library = await served();
    const { sqlite } = library;
    const database = open(sqlite, ":memory:");
    const statement = none<"sqlite3_stmt">();
    assertEquals(sqlite.prepare_v2(database, "SELECT absent", statement), 1);
    assertEquals([statement.handle, sqlite.errmsg(database)], [null, "no such column: absent"]);
    assertEquals([sqlite.prepare_v2(database, "-- nothing", statement), statement.handle], [
      OK,
      null,
    ]);
    const select = prepare(sqlite, database, "SELECT NULL");
    assertEquals([sqlite.step(select), sqlite.column_type(select, 0)], [ROW, NULL_TYPE]);
    assertEquals(sqlite.column_text(select, 99), null);
    assertThrows(
      () => sqlite.errmsg(select as unknown as typeof database),
      CallError,
      "sqlite3_stmt",
    );
    assertEquals([sqlite.close(database), sqlite.errmsg(database)], [BUSY, CLOSES_NOTHING]);
    assertEquals([sqlite.finalize(select), sqlite.close(database)], [OK, OK]);
    assertThrows(() => sqlite.step(select), CallError, "has ended");
    assertThrows(() => sqlite.close_v2(database), CallError, "has ended");
    const absent = none<"sqlite3">();
    assertEquals(sqlite.open("/nowhere/a.db", absent), 14);
    assertEquals(sqlite.errmsg(absent.handle!), "unable to open database file");
    assertEquals(sqlite.close_v2(absent.handle!), OK);
  },
);

/** What the command reads; undefined where it is not installed. */
async function query(path: string, text: string): Promise<string | undefined> {
  try {
    const command = new Deno.Command("sqlite3", { args: [path, text] });
    return new TextDecoder().decode((await command.output()).stdout);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

onDevice(`SQLite takes rows of a kernel's lanes${skipped}`, async (gpu) => {
  if (ignore) return;
  const path = await Deno.makeTempFile({ suffix: ".db" });
  const { results, faults } = await runKernel(gpu, {
    source: `${wgslStubs(sqliteApi, memoryApi)}
    @group(1) @binding(0) var<storage, read_write> results: array<i32>;
    fn kernel() {
      let place = memory_malloc(8u);
      if sqlite_open("${path}", place) != 0 { return; }
      let database = heap_vec2u(place);
      sqlite_exec(database, "CREATE TABLE IF NOT EXISTS squares (lane, root REAL, name TEXT)");
      if sqlite_prepare_v2(database, "INSERT INTO squares VALUES (?, ?, ?)", place) != 0 { return; }
      let insert = heap_vec2u(place);
      for (var row = 0; row < 2; row++) {
        sqlite_bind_int(insert, 1, i32(lane_index));
        sqlite_bind_double(insert, 2, sqrt(f32(row + 3)));
        sqlite_bind_text(insert, 3, "of a kernel");
        results[lane_index] += sqlite_step(insert);
        sqlite_reset(insert);
      }
      sqlite_finalize(insert);
      sqlite_close_v2(database);
      memory_free(place);
    }`,
    portCount: 2,
    laneCount: 2,
    waveCount: 1,
    resultWords: 2,
    heapBytes: 1 << 16,
    register(server, { heap }) {
      const apis = new ApiServer(server, { heap });
      serveMemory(apis, heap.allocator);
      serveSqlite(apis);
    },
  });
  assertEquals([[...results], faults], [[2 * DONE, 2 * DONE], []]);
  const found = await query(
    path,
    "SELECT lane, round(root, 4), name FROM squares ORDER BY lane, root",
  );
  const lines = [0, 1].flatMap((lane) => [`${lane}|1.7321|of a kernel`, `${lane}|2.0|of a kernel`]);
  if (found !== undefined) assertEquals(found, `${lines.join("\n")}\n`);
  assert((await Deno.stat(path)).size > 0);
  await Deno.remove(path);
});
