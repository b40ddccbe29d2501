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

/** What performs a statement calls, with the last argument where that is a number. */
const CALLS: readonly (readonly [changes: Partial<StatementRecord>, calls: string])[] = [
  [
    {},
    "st_write transfer_integer_write 4 transfer_complex_write 8 transfer_character_write 3 st_write_done flush_i4",
  ],
  [{ form: "read", items: record.items.slice(0, 1) }, "st_read transfer_integer 4 st_read_done"],
  [{ unit: undefined, items: [] }, "st_write st_write_done"],
  [{ form: "open", items: [] }, "st_open"],
];

Deno.test("performStatement() begins, hands the values over, ends, and empties the buffer", () => {
  for (const [changes, expected] of CALLS) {
    const calls: string[] = [];
    assertEquals(performStatement(noting(calls), { ...record, ...changes }).iostat, 0);
    assertEquals(calls.join(" "), expected);
  }
  const texts = new Map([["internal", new Uint8Array(4)]] as const);
  assertEquals(performStatement(noting([]), { ...record, texts }).internal?.length, 4);
  const calls: string[] = []; // none for a value after one that failed
  const library = noting(calls, "_gfortran_transfer_integer_write");
  assertEquals(performStatement(library, record).iostat, 7);
  assertEquals(calls.join(" "), "st_write transfer_integer_write 4 st_write_done flush_i4");
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

type Place = readonly [text: string, byte: number, lengthByte: number];

/** The flags of statements as gfortran has them, beside those that are always asked for, and where their texts stand. */
const BLOCKS: readonly (readonly [
  statement: Partial<StatementRecord>,
  flags: number,
  unit: number,
  texts: Readonly<Record<string, Place>>,
])[] = [
  [{}, 128, 6, {}], // write(*,*,iostat=,iomsg=)
  [{}, 12288, 6, { format: ["(I5)", 80, 88], advance: ["no", 104, 96] }],
  [{ unit: undefined }, 20480, -1, { format: ["(I5)", 80, 88], internal: ["1234", 112, 120] }],
  [{ form: "open", unit: 10 }, 16794368, 10, {
    file: ["x.txt", 64, 56],
    status: ["replace", 72, 80],
    action: ["readwrite", 160, 152],
  }],
  [{ form: "open", unit: undefined }, 25166336, 0, { status: ["scratch", 72, 80] }],
  [{ form: "close" }, 128, 6, { status: ["delete", 48, 56] }],
  [{ form: "inquire" }, 8064, 6, {}],
  [{ recordNumber: 5, isUnformatted: true }, 512, 6, {}],
  [{ form: "rewind" }, 0, 6, {}],
];

Deno.test("ParameterBlock is laid out as gfortran lays its statements out", () => {
  for (const [statement, flags, unit, texts] of BLOCKS) {
    const given = Object.entries(texts).map(([name, [text]]) => [name, text]);
    const block = fieldsOf(blockOf(statement, Object.fromEntries(given)));
    assertEquals([block.flags, block.unit, block.line], [flags + 96, unit, 3]);
    for (const [text, byte, lengthByte] of Object.values(texts)) {
      assertEquals(textAt(block.pointer(byte), block.pointer(lengthByte)), text);
    }
  }
  assertNotEquals(fieldsOf(blockOf({ form: "open", unit: undefined })).pointer(296), 0n);
  assertEquals(fieldsOf(blockOf({ recordNumber: 5, isUnformatted: true })).pointer(48), 5n);
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
