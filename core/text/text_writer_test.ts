import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { TextWriter } from "./text_writer.ts";

function written(work: (writer: TextWriter) => void): string {
  const writer = new TextWriter();
  work(writer);
  return new TextDecoder().decode(writer.written);
}

Deno.test("TextWriter grows with what is added, short or long", () => {
  const parts = [1, 31, 32, 33, 4000, 9000].map((size, at) => String(at).repeat(size));
  const text = written((writer) => {
    for (const part of parts) writer.add(new TextEncoder().encode(part));
    writer.addAscii("end");
    writer.addByte(0x21);
  });
  assertEquals(text, `${parts.join("")}end!`);
});

Deno.test("whatever is added may be what the memory grows by", () => {
  const ways: readonly (readonly [(writer: TextWriter) => void, string])[] = [
    [(writer) => writer.addByte(0x61), "a"],
    [(writer) => writer.addAscii("ab"), "ab"],
    [(writer) => writer.add(new Uint8Array([0x61, 0x62])), "ab"],
    [(writer) => writer.addInteger(12), "12"],
    [(writer) => writer.addBits(18, 4), "12"],
    [(writer) => writer.pad(writer.length, { width: 3, side: "-" }), "   "],
    [(writer) => writer.pad(writer.length, { width: 3, side: "" }), "   "],
  ];
  for (const [add, text] of ways) {
    const writer = new TextWriter(1);
    for (let count = 0; count < 9; count++) add(writer);
    assertEquals(new TextDecoder().decode(writer.written), text.repeat(9));
  }
});

Deno.test("addInteger() writes every digit of integers that a number holds", () => {
  const edges = [0, 9, 10, 99, 999_999_999, 1e9, 1e9 + 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53 - 1];
  const integer = fc.oneof(fc.constantFrom(...edges), fc.maxSafeNat());
  fc.assert(fc.property(integer, (value) => {
    assertEquals(written((writer) => writer.addInteger(value)), String(value));
  }));
});

Deno.test("addDigits() keeps zeros in front", () => {
  assertEquals(written((writer) => writer.addDigits(7, 3)), "007");
  assertEquals(written((writer) => writer.addDigits(0, 0)), "");
});

Deno.test("addBits() writes hexadecimal and octal of 32 bits", () => {
  for (const value of [0, 1, 7, 8, 255, 0x8000_0000, 0xffff_ffff]) {
    assertEquals(written((writer) => writer.addBits(value, 4)), value.toString(16));
    assertEquals(written((writer) => writer.addBits(value, 3)), value.toString(8));
  }
});

Deno.test("pad() fills at the side that is asked for, and zeros go behind the sign", () => {
  const cases = [["", "a  -5"], ["-", "a-5  "], ["0", "a-005"]] as const;
  for (const [side, wanted] of cases) {
    const text = written((writer) => {
      writer.addAscii("a-5");
      writer.pad(1, { width: 4, side });
    });
    assertEquals(text, wanted);
  }
  assertEquals(
    written((writer) => {
      writer.addAscii("1234");
      writer.pad(0, { width: 4, side: "0" });
      writer.pad(4, { width: 2, side: "0" });
    }),
    "123400",
  );
});

Deno.test("cut() forgets, and what is behind is written over", () => {
  const writer = new TextWriter();
  writer.addAscii("kept lost");
  writer.cut(4);
  writer.addAscii("!");
  assertEquals([new TextDecoder().decode(writer.written), writer.length], ["kept!", 5]);
  assertEquals(writer.byteAt(4), 0x21);
  writer.cut();
  assertEquals(writer.length, 0);
});
