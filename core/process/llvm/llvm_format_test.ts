import { assertEquals, assertThrows } from "@std/assert";
import { LlvmFormat } from "./llvm_format.ts";

const TEXT = new TextEncoder();

/** Arguments as a structure has them: each at a multiple of its size, or one right behind the other. */
function laid(values: readonly (number | bigint | Float64Array)[], isPacked = false): Uint8Array {
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  let byte = 0;
  for (const value of values) {
    const byteCount = typeof value === "number" ? 4 : 8;
    if (!isPacked) byte = Math.ceil(byte / byteCount) * byteCount;
    if (typeof value === "number") view.setInt32(byte, value, true);
    else if (typeof value === "bigint") view.setBigInt64(byte, value, true);
    else view.setFloat64(byte, value[0]!, true);
    byte += byteCount;
  }
  return bytes.slice(0, byte);
}

function double(value: number): Float64Array {
  return new Float64Array([value]);
}

function printed(format: string, bytes: Uint8Array, isPacked = false, texts: string[] = []) {
  const one = new LlvmFormat(TEXT.encode(format), { isPacked });
  const made = one.print(bytes, texts.map((text) => TEXT.encode(text)));
  return new TextDecoder().decode(made);
}

// What glibc's snprintf makes of the same, but for null.
for (
  const [format, values, expected] of [
    ["%8ld\n", [-12n], "     -12\n"],
    ["%d%c%.1f", [1, 65, double(2.5)], "1A2.5"],
    ["%032b|%#b|%-6B|%.4b", [5, 5, 2, 1], "00000000000000000000000000000101|0b101|10    |0001"],
    ["%hhd %hhu %hd %hu", [-1, -1, 65537, -1], "-1 255 1 65535"],
    ["%lld %lu %jd %zu %td %qd", [-1n, -1n, 2n, 3n, 4n, 5n], "-1 18446744073709551615 2 3 4 5"],
    ["%w8d %w64d %wf16u", [511, 1n << 40n, 65537], "-1 1099511627776 1"],
    ["%+d % d %05d %x %#X %o %-4d|", [3, 4, 5, 255, 255, 8, 6], "+3  4 00005 ff 0XFF 10 6   |"],
    ["%*d|%-*d|%*d|%.*f", [4, 7, 3, 8, -3, 9, 2, double(1.005)], "   7|8  |9  |1.00"],
    ["%e %G %a %.0f", [1e3, 1e-5, 1, 2.5].map(double), "1.000000e+03 1E-05 0x1p+0 2"],
    ["%p %12p|", [0x10n, 0n], "0x10    (nullptr)|"],
    ["%s %8.4s|%%", [0n, 0n], "(null)     (nul|%"],
    ["%d%n%d", [1, 9n, 2], "12"],
  ] as const
) {
  Deno.test(`LlvmFormat prints ${JSON.stringify(format)}`, () => {
    for (const isPacked of [false, true]) {
      const bytes = laid(values, isPacked);
      assertEquals(printed(format, bytes, isPacked), expected);
      const { argumentBytes } = new LlvmFormat(TEXT.encode(format), { isPacked });
      assertEquals(argumentBytes, bytes.length);
    }
  });
}

Deno.test("LlvmFormat prints what is no conversion as it is written, and takes its arguments", () => {
  assertEquals(printed("%**d", laid([1])), "%**d");
  assertEquals(printed("%**d%6d", laid([1, 2])), "%**d     2");
  assertEquals(printed("%**.**f", laid([1])), "%**.**f");
  assertEquals(printed("50 % y, %", laid([])), "50 % y, %");
});

Deno.test("LlvmFormat asks for the texts that there are, and prints their bytes up to a NUL", () => {
  const format = new LlvmFormat(TEXT.encode("%s%*s%s\xff"), { isPacked: false });
  const values = laid([0x10n, 5, 0x20n, 0n]);
  assertEquals(format.textPointers(values), [0x10n, 0x20n]);
  const texts = [new Uint8Array([0xe9, 0, 65]), TEXT.encode("ab")];
  assertEquals(
    [...format.print(values, texts)],
    [0xe9, 32, 32, 32, 97, 98, ...TEXT.encode("(null)\xff")],
  );
});

Deno.test("LlvmFormat takes a long double in 16 bytes", () => {
  const bytes = new Uint8Array(32);
  bytes.set(laid([3]));
  // 1.5, as x86-64 has it.
  bytes.set([0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f], 16);
  assertEquals(printed("%d %Lg", bytes), "3 1.5");
});

Deno.test("LlvmFormat refuses fields that fill the memory, and arguments that end too early", () => {
  assertThrows(() => printed("%5000d", laid([1])), Error, "EOVERFLOW");
  assertThrows(() => printed("%5000s", laid([0n])), Error, "EOVERFLOW");
  assertEquals(printed("%.5000s", laid([0n])), "(null)");
  assertThrows(() => printed("%*d", laid([-(2 ** 31), 1])), Error, "EOVERFLOW");
  assertThrows(() => printed("%d %ld", laid([1])), Error, "EINVAL");
});
