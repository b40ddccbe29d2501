/** Functions of the library that this needs. */
export const ERROR_STACK_SYMBOLS = {
  H5Eset_auto2: { parameters: ["i64", "pointer", "pointer"], result: "i32" },
  H5Eget_num: { parameters: ["i64"], result: "isize" },
  H5Ewalk2: { parameters: ["i64", "i32", "function", "pointer"], result: "i32" },
} as const;

const DEFAULT_STACK = 0n;
const FROM_OUTSIDE = 1;
/** Where `H5E_error2_t` has the names of function and fault, in bytes. */
const FUNCTION_BYTE = 32;
const TEXT_BYTE = 48;

/** What went wrong in HDF5's last call of this thread. */
export class ErrorStack {
  readonly #symbols: Deno.DynamicLibrary<typeof ERROR_STACK_SYMBOLS>["symbols"];
  readonly #lines: string[] = [];
  readonly #walker = new Deno.UnsafeCallback(
    { parameters: ["u32", "pointer", "pointer"], result: "i32" },
    (_index, error) => {
      const view = new Deno.UnsafePointerView(error!);
      this.#lines.push(`${textAt(view, FUNCTION_BYTE)}: ${textAt(view, TEXT_BYTE)}`);
      return 0;
    },
  );

  /** Turns off that HDF5 prints errors by itself, for this thread. */
  constructor(symbols: Deno.DynamicLibrary<typeof ERROR_STACK_SYMBOLS>["symbols"]) {
    this.#symbols = symbols;
    symbols.H5Eset_auto2(DEFAULT_STACK, null, null);
  }

  /** Whether the last call left an error: of functions whose results have no value for it. */
  get hasErrors(): boolean {
    return this.#symbols.H5Eget_num(DEFAULT_STACK) > 0n;
  }

  /** Each function that passed the error on, the one that was called first, and what it says. */
  lines(): readonly string[] {
    this.#lines.length = 0;
    this.#symbols.H5Ewalk2(DEFAULT_STACK, FROM_OUTSIDE, this.#walker.pointer, null);
    return [...this.#lines];
  }

  [Symbol.dispose](): void {
    this.#walker.close();
  }
}

function textAt(view: Deno.UnsafePointerView, byte: number): string {
  const text = view.getPointer(byte);
  // Texts with the time of day in them have a newline there.
  return text ? new Deno.UnsafePointerView(text).getCString().replace(/\s+/g, " ") : "";
}
