/**
 * SQLite, as an example of a library: this declaration is all that is written for it. A module for
 * `startServer`, with `--allow-ffi` and the Debian package libsqlite3-0.
 */
import type { Server } from "../../../toggle/server/server.ts";
import * as s from "../../../signature/mod.ts";
import { type ServedLibrary, serveLibrary } from "../serve_library.ts";

/** A pointer to where C writes a handle. */
function out<N extends string>(name: N) {
  return s.pointer("out", s.struct({ handle: s.nullable(s.handle(name)) }));
}

const KINDS = {
  database: s.handle("sqlite3"),
  statement: s.handle("sqlite3_stmt"),
  blob: s.handle("sqlite3_blob"),
  endsDatabase: s.ends("sqlite3"),
  closesDatabase: s.ends("sqlite3", { when: 0 }), // it stays where a statement is open
  endsStatement: s.ends("sqlite3_stmt"),
  endsBlob: s.ends("sqlite3_blob"),
  outDatabase: out("sqlite3"),
  outStatement: out("sqlite3_stmt"),
  outBlob: out("sqlite3_blob"),
  in3: s.bytes("in", s.lengthOf(3)),
  out2: s.bytes("out", s.lengthOf(2)),
  text: s.nullable(s.string),
  // Texts end with NUL, values are copied at once, and of the rest C is told that there is none.
  whole: s.constant(s.i32, -1),
  copied: s.constant(s.isize, -1n),
  none: s.constant(s.usize, 0n),
} as const;

/** Without `sqlite3_` in front. A text of a row is null for SQL's NULL; a blob is read by `blob_read`. */
export const sqliteApi = s.hostApi(
  "sqlite",
  s.fns(
    KINDS,
    "libversion: -> string",
    "open: string outDatabase -> i32",
    "close: closesDatabase -> i32",
    "close_v2: endsDatabase -> i32",
    "errmsg: database -> string",
    "exec: database string none none none -> i32",
    "changes: database -> i32",
    "last_insert_rowid: database -> i64",
    "prepare_v2: database string whole outStatement none -> i32",
    "bind_int: statement i32 i32 -> i32",
    "bind_int64: statement i32 i64 -> i32",
    "bind_double: statement i32 f64 -> i32",
    "bind_text: statement i32 string whole copied -> i32",
    "bind_blob: statement i32 in3 i32 copied -> i32",
    "bind_null: statement i32 -> i32",
    "step reset clear_bindings column_count: statement -> i32",
    "column_type column_int column_bytes: statement i32 -> i32",
    "column_int64: statement i32 -> i64",
    "column_double: statement i32 -> f64",
    "column_text column_name: statement i32 -> text",
    "finalize: endsStatement -> i32",
    "blob_open: database string string string i64 i32 outBlob -> i32",
    "blob_bytes: blob -> i32",
    "blob_read: blob out2 i32 i32 -> i32",
    "blob_close: endsBlob -> i32",
  ),
);

/** Serves it. */
export function serveSqlite(server: s.ApiServer): ServedLibrary {
  const names = Object.keys(sqliteApi.functions).map((name) => [name, `sqlite3_${name}`] as const);
  return serveLibrary(server, sqliteApi, {
    files: ["libsqlite3.so.0", "libsqlite3.dylib"],
    packageHint: "the Debian package libsqlite3-0",
    symbols: Object.fromEntries(names),
  });
}

/** What `startServer` calls. */
export function addServices(server: Server): void {
  serveSqlite(new s.ApiServer(server));
}
