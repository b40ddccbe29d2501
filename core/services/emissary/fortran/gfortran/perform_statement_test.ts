import { assertEquals } from "@std/assert";
import type { GfortranSymbols } from "./gfortran_library.ts";
import {
  blockKind,
  isUnitOpen,
  performStatement,
  type StatementRecord,
} from "./perform_statement.ts";

/** A library that notes what it is called for, and fails at one of its functions. */
function noting(calls: string[], failsAt = "none"): GfortranSymbols {
  return new Proxy({} as GfortranSymbols, {
    get: (_, name) => (block: Uint8Array, ...rest: unknown[]) => {
      calls.push(String(name).replace("_gfortran_", ""));
      const length = rest.at(-1);
      if (typeof length === "number" || typeof length === "bigint") calls.push(`${length}`);
      if (name === failsAt) block[544] = 7;
      if (String(name).includes("inquire")) block[552] = 1;
    },
  });
}

const record: StatementRecord = {
  form: "write",
  unit: 6,
  line: 1,
  texts: new Map(),
  items: [
    { type: "integer", bytes: new Uint8Array(4) },
    { type: "complex", bytes: new Uint8Array(16) },
    { type: "character", bytes: new Uint8Array(3) },
  ],
};

Deno.test("performStatement() begins, hands the values over, ends, and empties the buffer", () => {
  const calls: string[] = [];
  assertEquals(performStatement(noting(calls), record).iostat, 0);
  assertEquals(calls, [
    ...["st_write", "transfer_integer_write", "4", "transfer_complex_write", "8"],
    ...["transfer_character_write", "3", "st_write_done", "flush_i4"],
  ]);
  const read: string[] = [];
  performStatement(noting(read), { ...record, form: "read", items: record.items.slice(0, 1) });
  assertEquals(read, ["st_read", "transfer_integer", "4", "st_read_done"]);
  const internal: string[] = [];
  const texts = new Map([["internal", new Uint8Array(4)]] as const);
  const outcome = performStatement(noting(internal), {
    ...record,
    unit: undefined,
    items: [],
    texts,
  });
  assertEquals([internal, outcome.internal?.length], [["st_write", "st_write_done"], 4]);
  const open: string[] = [];
  performStatement(noting(open), { ...record, form: "open", items: [] });
  assertEquals(open, ["st_open"]);
});

Deno.test("performStatement() hands over no value after one that failed, but ends", () => {
  const calls: string[] = [];
  const library = noting(calls, "_gfortran_transfer_integer_write");
  assertEquals(performStatement(library, record).iostat, 7);
  assertEquals(calls, ["st_write", "transfer_integer_write", "4", "st_write_done", "flush_i4"]);
});

Deno.test("isUnitOpen() asks the library, and takes a failure for no", () => {
  const calls: string[] = [];
  assertEquals(isUnitOpen(noting(calls), 6), true);
  assertEquals(isUnitOpen(noting(calls, "_gfortran_st_inquire"), 6), false);
  assertEquals(calls, ["st_inquire", "st_inquire"]);
  assertEquals([blockKind("read"), blockKind("close"), blockKind("rewind")], [
    "transfer",
    "close",
    "position",
  ]);
});
