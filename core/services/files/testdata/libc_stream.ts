/** Streams of the C library of this machine, as the oracle of ours. */
/** What is in front of a buffer, behind it, and in it where nobody writes. */
const CANARY = 9;
const ROOM_BYTES = 16;

/** A buffer between canaries, and all of it. */
export function guarded(
  sizeBytes: number,
): { readonly memory: Uint8Array<ArrayBuffer>; readonly buffer: Uint8Array<ArrayBuffer> } {
  const memory = new Uint8Array(sizeBytes + 2 * ROOM_BYTES).fill(CANARY);
  return { memory, buffer: memory.subarray(ROOM_BYTES, ROOM_BYTES + sizeBytes) };
}

/** One call: what it is asked, and the bytes that it is given or gives room for. */
export interface Step {
  readonly name:
    | "fgets"
    | "fread"
    | "snprintf"
    | "fwrite"
    | "fputs"
    | "fgetc"
    | "fputc"
    | "fseek"
    | "clearerr";
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
  readonly whence: number;
}

/** What a call says, what it did to memory, and how the stream stands behind it. */
interface Effect {
  readonly result: number;
  readonly memory: string;
  readonly isAtEnd: boolean;
  readonly hasFailed: boolean;
  readonly place: number;
}

/** A stream of one of the implementations. */
export interface Stream {
  perform(step: Step): Effect;
  close(): void;
}

const SYMBOLS = {
  fopen: { parameters: ["buffer", "buffer"], result: "pointer" },
  fclose: { parameters: ["pointer"], result: "i32" },
  fgets: { parameters: ["buffer", "i32", "pointer"], result: "pointer" },
  fread: { parameters: ["buffer", "usize", "usize", "pointer"], result: "usize" },
  fwrite: { parameters: ["buffer", "usize", "usize", "pointer"], result: "usize" },
  fputs: { parameters: ["buffer", "pointer"], result: "i32" },
  fgetc: { parameters: ["pointer"], result: "i32" },
  fputc: { parameters: ["i32", "pointer"], result: "i32" },
  fseek: { parameters: ["pointer", "i64", "i32"], result: "i32" },
  ftell: { parameters: ["pointer"], result: "i64" },
  feof: { parameters: ["pointer"], result: "i32" },
  ferror: { parameters: ["pointer"], result: "i32" },
  clearerr: { parameters: ["pointer"], result: "void" },
  fflush: { parameters: ["pointer"], result: "i32" },
  snprintf: { parameters: ["buffer", "usize", "buffer", "buffer"], result: "i32" },
} as const;
/** C's library. */
export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>;

/** Opens it; nothing where it is absent. */
export function openLibc(): Libc | undefined {
  // Calls of snprintf as of any other function: so they are on this machine.
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") return undefined;
  try {
    return Deno.dlopen("libc.so.6", SYMBOLS);
  } catch {
    return undefined;
  }
}

function cText(text: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return Uint8Array.from([...bytes, 0]);
}

/** Without NUL, as a text that a caller has. */
export function textOf({ bytes }: Step): string {
  return new TextDecoder().decode(bytes.filter((byte) => byte > 0 && byte < 0x80));
}

/** A stream of C's. */
export function libcStream({ symbols: c }: Libc, path: string, mode: string): Stream {
  const file = c.fopen(cText(path), cText(mode));
  const call = (step: Step, buffer: Uint8Array<ArrayBuffer>): number => {
    const { name, bytes, size, whence } = step;
    switch (name) {
      case "fgets":
        return c.fgets(buffer, size, file) === null ? 0 : 1;
      case "fread":
        return Number(c.fread(buffer, 1n, BigInt(size), file));
      case "snprintf":
        return c.snprintf(buffer, BigInt(size), cText("<%s>"), cText(textOf(step)));
      case "fwrite":
        return Number(c.fwrite(bytes, 1n, BigInt(bytes.length), file));
      case "fputs":
        return c.fputs(cText(textOf(step)), file) < 0 ? -1 : 1;
      case "fgetc":
        return c.fgetc(file);
      case "fputc":
        return c.fputc(size, file);
      case "fseek":
        return c.fseek(file, BigInt(size - 20), whence);
      case "clearerr":
        return c.clearerr(file) ?? 0;
    }
  };
  return {
    perform(step) {
      const { memory, buffer } = guarded(step.size);
      const result = call(step, buffer);
      const flags = { isAtEnd: c.feof(file) !== 0, hasFailed: c.ferror(file) !== 0 };
      return { result, memory: memory.join(), ...flags, place: Number(c.ftell(file)) };
    },
    close: () => void c.fclose(file),
  };
}
