import { innerKind } from "../../../signature/declare/kind.ts";
import { functionsOf } from "../../../signature/declare/signature.ts";
import { FileBound } from "../../files/deno_file_bound.ts";
import { keepLoaded, openLibrary } from "../../library/foreign_library.ts";
import { FencePool } from "../../library/fenced_memory.ts";
import { ForeignCallMemory, foreignFunction, foreignValue } from "../../library/foreign_values.ts";
import { HDF5_LIST_CLASSES, HDF5_TYPES, hdf5Api, hdf5Error } from "./hdf5_api.ts";

/** Something of HDF5's, by its number there: what stands behind a handle. */
export class Hid {
  /** What it is: `Dataset`. */
  readonly name: string;
  readonly id: bigint;

  constructor(name: string, id: bigint) {
    this.name = name;
    this.id = id;
  }
}

const nameByIndex = {
  parameters: ["i64", "buffer", "i32", "i32", "u64", "buffer", "usize", "i64"],
  result: "isize",
} as const;

/** Functions that the API lacks, or has in another form than C. */
const SYMBOLS = {
  H5Eset_auto2: { parameters: ["i64", "pointer", "pointer"], result: "i32" },
  H5Eget_num: { parameters: ["i64"], result: "isize" },
  H5Ewalk2: { parameters: ["i64", "i32", "function", "pointer"], result: "i32" },
  H5get_libversion: { parameters: ["buffer", "buffer", "buffer"], result: "i32" },
  H5free_memory: { parameters: ["pointer"], result: "i32" },
  H5Idec_ref: { parameters: ["i64"], result: "i32" },
  H5Iis_valid: { parameters: ["i64"], result: "i32" },
  H5Lget_name_by_idx: nameByIndex,
  H5Aget_name_by_idx: nameByIndex,
  H5Sextent_equal: { parameters: ["i64", "i64"], result: "i32" },
  H5Sselect_valid: { parameters: ["i64"], result: "i32" },
  H5Tget_member_name: { parameters: ["i64", "u32"], result: "pointer" },
  H5Tget_super: { parameters: ["i64"], result: "i64" },
  H5Dvlen_reclaim: { parameters: ["i64", "i64", "i64", "buffer"], result: "i32" },
} as const;
type Symbols = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

const signatures = new Map(functionsOf(hdf5Api).map(([key, { signature }]) => [key, signature]));

/** HDF5 as the system has it, called by Deno's FFI. For one thread. */
export class Hdf5Library {
  readonly #library: Deno.DynamicLibrary<Deno.ForeignLibraryInterface>;
  readonly #errors: ErrorStack;
  readonly #pool = new FencePool();
  /** How many files callers have open. */
  readonly files = new FileBound();
  /** What callers may still close. */
  readonly #live = new Set<Hid>();

  /** @throws {Error} when no file can be opened, or the library is older than 1.10: it lacks functions */
  constructor(files: readonly string[]) {
    const source = { files, packageHint: "the Debian package libhdf5-103" };
    const first = openLibrary(source, { H5open: { parameters: [], result: "i32" } });
    try {
      // HDF5 has code that runs when a thread ends which used it: after the worker's libraries were closed.
      keepLoaded(files);
      // The variables of types have their values from now on, and are read by the dlopen that follows.
      first.symbols.H5open();
      this.#library = openLibrary(source, allSymbols());
    } finally {
      first.close();
    }
    this.#errors = new ErrorStack(this.#library.symbols as unknown as Symbols);
  }

  /** A type or a class of property lists, which HDF5 has in a variable. */
  constant(name: string): Hid {
    const isType = HDF5_TYPES.includes(name);
    return new Hid(isType ? "Datatype" : "PlistClass", this.#library.symbols[name] as never);
  }

  /** Calls a function as the API has it. */
  call(key: string, values: readonly unknown[]): unknown {
    const { parameters, result } = signatures.get(key)!;
    using memory = new ForeignCallMemory(this.#pool, `hdf5.${key}`);
    const given = parameters.map((parameter, index) =>
      innerKind(parameter).kind === "handle"
        ? idOf(values[index] as Hid | null)
        : foreignValue(parameter, values[index], memory)
    );
    const answer = this.raw(key, ...given);
    memory.takeBack();
    if (result.kind !== "handle") return answer;
    const hid = new Hid(result.name, answer as bigint);
    this.#live.add(hid);
    return hid;
  }

  /** Calls a function as C has it; throws what the error stack says when it fails. */
  raw(key: string, ...given: readonly unknown[]): unknown {
    const symbol = this.#library.symbols[key] as unknown as (...values: unknown[]) => unknown;
    const answer = symbol(...given);
    const hasFailed = answer === null || answer === 0n
      ? this.#errors.hasErrors
      : typeof answer !== "object" && (answer as number | bigint) < 0;
    if (hasFailed) throw hdf5Error(key, this.#errors.lines());
    return answer;
  }

  /** Whether it is open still: what HDF5 did not close, and what is its own. */
  isOpen(hid: Hid): boolean {
    if (!this.#live.has(hid) || this.raw("H5Iis_valid", hid.id) === 1) return true;
    this.#live.delete(hid);
    return false;
  }

  [Symbol.dispose](): void {
    const { H5Idec_ref } = this.#library.symbols as unknown as Symbols;
    // Files last in: what is in them was opened after them, and may end with them.
    for (const { id } of [...this.#live].reverse()) H5Idec_ref(id);
    this.#live.clear();
    this.files[Symbol.dispose]();
    this.#errors[Symbol.dispose]();
    this.#library.close();
    this.#pool[Symbol.dispose]();
  }
}

const DEFAULT_STACK = 0n;
const FROM_OUTSIDE = 1;
/** Where `H5E_error2_t` has the names of function and fault, in bytes. */
const FUNCTION_BYTE = 32;
const TEXT_BYTE = 48;

/** What went wrong in HDF5's last call of this thread. */
class ErrorStack {
  readonly #symbols: Symbols;
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
  constructor(symbols: Symbols) {
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

/** What a function of C takes for a handle; `H5P_DEFAULT` and `H5S_ALL` for none. */
export function idOf(value: Hid | null): bigint {
  return value === null ? 0n : value.id;
}

function allSymbols(): Deno.ForeignLibraryInterface {
  const variable = (name: string) => ({ name: `${name}_g`, type: "i64" } as const);
  const constants = [
    ...HDF5_TYPES.map((name) => [name, variable(name)] as const),
    ...HDF5_LIST_CLASSES.map((name) =>
      [name, variable(`${name.replace("H5P_", "H5P_CLS_")}_ID`)] as const
    ),
  ];
  const functions = [...signatures].map(([key, signature]) => {
    const { parameters, result } = foreignFunction(signature);
    const isHandle = signature.parameters.map((one) => innerKind(one).kind === "handle");
    return [key, {
      parameters: parameters.map((type, index) => isHandle[index] ? "i64" : type),
      result: signature.result.kind === "handle" ? "i64" : result,
    }] as const;
  });
  return Object.fromEntries([...functions, ...constants, ...Object.entries(SYMBOLS)]);
}
