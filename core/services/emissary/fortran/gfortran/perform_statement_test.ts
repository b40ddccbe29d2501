import { assertEquals, assertNotEquals } from "@std/assert";
import type { GfortranSymbols } from "./gfortran_library.ts";
import {
  hasText,
  isUnitOpen,
  ParameterBlock,
  performStatement,
  type StatementRecord,
  type TextName,
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
});

/** The fields of a block as compiled code has them in GCC 12. */
function fieldsOf({ bytes }: ParameterBlock) {
  const view = new DataView(bytes.buffer);
  return {
    flags: view.getInt32(0, true),
    unit: view.getInt32(4, true),
    line: view.getInt32(16, true),
    pointer: (byte: number) => view.getBigUint64(byte, true),
  };
}

function blockOf(options: Partial<StatementRecord>, texts: Record<string, string> = {}) {
  const encoded = Object.entries(texts).map(([name, text]) =>
    [name as TextName, new TextEncoder().encode(text)] as const
  );
  return new ParameterBlock({
    form: "write",
    unit: 6,
    line: 3,
    items: [],
    ...options,
    texts: new Map(encoded),
  });
}

function textAt(pointer: bigint, length: bigint): string {
  const view = new Deno.UnsafePointerView(Deno.UnsafePointer.create(pointer)!);
  return new TextDecoder().decode(view.getArrayBuffer(Number(length)));
}

Deno.test("ParameterBlock is laid out as gfortran lays its statements out", () => {
  const list = fieldsOf(blockOf({}));
  assertEquals([list.flags, list.unit, list.line], [224, 6, 3]); // write(*,*,iostat=,iomsg=)
  const format = fieldsOf(blockOf({}, { format: "(I5)", advance: "no" }));
  assertEquals(format.flags, 12288 + 96);
  assertEquals(textAt(format.pointer(80), format.pointer(88)), "(I5)");
  assertEquals(textAt(format.pointer(104), format.pointer(96)), "no");
  const internal = fieldsOf(blockOf({ unit: undefined }, { format: "(I5)", internal: "1234" }));
  assertEquals([internal.flags, internal.unit], [20480 + 96, -1]);
  assertEquals(textAt(internal.pointer(112), internal.pointer(120)), "1234");
  const texts = { file: "x.txt", status: "replace", action: "readwrite" };
  const open = fieldsOf(blockOf({ form: "open", unit: 10 }, texts));
  assertEquals([open.flags, open.unit], [16794400 + 64, 10]);
  assertEquals(textAt(open.pointer(64), open.pointer(56)), "x.txt");
  assertEquals(textAt(open.pointer(72), open.pointer(80)), "replace");
  assertEquals(textAt(open.pointer(160), open.pointer(152)), "readwrite");
  const scratch = fieldsOf(blockOf({ form: "open", unit: undefined }, { status: "scratch" }));
  assertEquals([scratch.flags, scratch.unit], [25166336 + 96, 0]);
  assertNotEquals(scratch.pointer(296), 0n);
  const close = fieldsOf(blockOf({ form: "close" }, { status: "delete" }));
  assertEquals([close.flags, textAt(close.pointer(48), close.pointer(56))], [128 + 96, "delete"]);
  assertEquals(fieldsOf(blockOf({ form: "inquire" })).flags, 8064 + 96);
  const direct = fieldsOf(blockOf({ recordNumber: 5, isUnformatted: true }));
  assertEquals([direct.flags, direct.pointer(48)], [512 + 96, 5n]);
  assertEquals(fieldsOf(blockOf({ form: "rewind" })).flags, 96);
});

Deno.test("ParameterBlock has what the library writes through its pointers", () => {
  const block = blockOf({ unit: undefined }, { internal: "    " });
  const { pointer } = fieldsOf(block);
  const write = (address: bigint, bytes: Uint8Array) => {
    const target = Deno.UnsafePointerView.getArrayBuffer(
      Deno.UnsafePointer.create(address)!,
      bytes.length,
    );
    new Uint8Array(target).set(bytes);
  };
  assertEquals([block.iostat, block.iomsg, block.newUnit], [0, "", 0]);
  write(pointer(40), Uint8Array.of(255, 255, 255, 255));
  write(pointer(32), new TextEncoder().encode("End of file"));
  write(pointer(112), new TextEncoder().encode("  42"));
  assertEquals([block.iostat, block.iomsg], [-1, "End of file"]);
  assertEquals(new TextDecoder().decode(block.text("internal")), "  42");
  assertEquals([pointer(24), block.text("file")], [256n, undefined]);
  assertEquals(textAt(pointer(8), 1n), "\0"); // the name of the source file
  const open = blockOf({ form: "open", unit: undefined });
  write(fieldsOf(open).pointer(296), Uint8Array.of(246, 255, 255, 255));
  assertEquals(open.newUnit, -10);
});

Deno.test("hasText() knows which statements have which options", () => {
  const has = [["read", "format"], ["open", "file"], ["close", "status"]] as const;
  const lacks = [["open", "format"], ["close", "file"], ["rewind", "status"]] as const;
  assertEquals([...has, ...lacks].map(([form, name]) => hasText(form, name)), [
    ...has.map(() => true),
    ...lacks.map(() => false),
  ]);
});
