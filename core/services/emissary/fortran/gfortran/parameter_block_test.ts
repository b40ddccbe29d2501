import { type BlockOptions, hasText, ParameterBlock, type TextName } from "./parameter_block.ts";
import { assertEquals, assertNotEquals } from "@std/assert";

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

function blockOf(options: Partial<BlockOptions>, texts: Record<string, string> = {}) {
  const encoded = Object.entries(texts).map(([name, text]) =>
    [name as TextName, new TextEncoder().encode(text)] as const
  );
  return new ParameterBlock({
    kind: "transfer",
    unit: 6,
    line: 3,
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
  const open = fieldsOf(blockOf({ kind: "open", unit: 10 }, texts));
  assertEquals([open.flags, open.unit], [16794400 + 64, 10]);
  assertEquals(textAt(open.pointer(64), open.pointer(56)), "x.txt");
  assertEquals(textAt(open.pointer(72), open.pointer(80)), "replace");
  assertEquals(textAt(open.pointer(160), open.pointer(152)), "readwrite");
  const scratch = fieldsOf(blockOf({ kind: "open", unit: undefined }, { status: "scratch" }));
  assertEquals([scratch.flags, scratch.unit], [25166336 + 96, 0]);
  assertNotEquals(scratch.pointer(296), 0n);
  const close = fieldsOf(blockOf({ kind: "close" }, { status: "delete" }));
  assertEquals([close.flags, textAt(close.pointer(48), close.pointer(56))], [128 + 96, "delete"]);
  assertEquals(fieldsOf(blockOf({ kind: "inquire" })).flags, 8064 + 96);
  const direct = fieldsOf(blockOf({ recordNumber: 5, isUnformatted: true }));
  assertEquals([direct.flags, direct.pointer(48)], [512 + 96, 5n]);
  assertEquals(fieldsOf(blockOf({ kind: "position" })).flags, 96);
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
  const open = blockOf({ kind: "open", unit: undefined });
  write(fieldsOf(open).pointer(296), Uint8Array.of(246, 255, 255, 255));
  assertEquals(open.newUnit, -10);
});

Deno.test("hasText() knows which statements have which options", () => {
  assertEquals(
    [hasText("transfer", "format"), hasText("open", "file"), hasText("close", "status")],
    [
      true,
      true,
      true,
    ],
  );
  assertEquals(
    [hasText("open", "format"), hasText("close", "file"), hasText("position", "status")],
    [
      false,
      false,
      false,
    ],
  );
});
