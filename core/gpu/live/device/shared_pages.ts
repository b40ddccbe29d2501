const LIBC = {
  __errno_location: { parameters: [], result: "pointer" },
  close: { parameters: ["i32"], result: "i32" },
  ftruncate: { parameters: ["i32", "i64"], result: "i32" },
  getpagesize: { parameters: [], result: "i32" },
  memfd_create: { parameters: ["buffer", "u32"], result: "i32" },
  mmap: { parameters: ["u64", "u64", "i32", "i32", "i32", "i64"], result: "u64" },
  mremap: { parameters: ["u64", "u64", "u64", "i32", "u64"], result: "u64" },
  munmap: { parameters: ["u64", "u64"], result: "i32" },
} as const;
type Libc = Deno.DynamicLibrary<typeof LIBC>["symbols"];

// Of Linux, the same for all processors that Deno runs on.
const PROT_NONE = 0;
const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_PRIVATE_ANONYMOUS = 0x22;
const MAP_FIXED = 0x10;
const MREMAP_MAYMOVE_FIXED = 3;
const MFD_CLOEXEC = 1;
const MAP_FAILED = 2n ** 64n - 1n;

/**
 * A second view of a SharedArrayBuffer's pages, for a driver whose threads may outlive the first. When a
 * program ends by an error, V8 takes the buffer's pages away while waves still look at them: that would
 * end the program by SIGSEGV, and its message would be lost. Pages of the second view stay until they are
 * unmapped or the process has ended.
 *
 * The first call for a buffer puts pages of a file in memory in place of its own, with the same contents:
 * no other thread may write to the buffer meanwhile. Later calls find those, whichever thread they are of.
 */
export class SharedPages {
  /** Where the second view begins. */
  readonly address: bigint;
  readonly bytes: number;
  readonly #stack: DisposableStack;

  /**
   * @param alignmentBytes what the view's address is to be a multiple of; at least a page
   * @throws {DOMException} `NotSupportedError` where the system is not Linux, or refuses
   * @throws {RangeError} when the buffer does not consist of whole pages
   */
  constructor(buffer: SharedArrayBuffer, alignmentBytes: number) {
    if (Deno.build.os !== "linux") {
      throw refused(`${Deno.build.os} has no way to map pages twice that this library knows`);
    }
    using stack = new DisposableStack();
    const { symbols: libc } = stack.adopt(Deno.dlopen("libc.so.6", LIBC), (it) => it.close());
    const own = Deno.UnsafePointer.value(Deno.UnsafePointer.of(new Uint8Array(buffer)));
    const pageBytes = BigInt(libc.getpagesize());
    const unit = BigInt(Math.max(alignmentBytes, Number(pageBytes)));
    const bytes = BigInt(buffer.byteLength);
    if (own % pageBytes !== 0n || bytes % unit !== 0n || bytes === 0n) {
      throw new RangeError(
        `Cannot import a SharedArrayBuffer of ${bytes} bytes at 0x${
          own.toString(16)
        } as its bytes must be ` +
          `a multiple of ${unit} and its address of ${pageBytes}: take that of a shared WebAssembly.Memory`,
      );
    }
    // More than needed, for the alignment; what is left over has no memory behind it.
    const room = bytes + unit;
    const start = map(libc, room, { protection: PROT_NONE, flags: MAP_PRIVATE_ANONYMOUS });
    stack.defer(() => libc.munmap(start, room));
    const address = (start + unit - 1n) / unit * unit;
    // Of pages that are shared already, a length of 0 asks for a second view of the same.
    const again = libc.mremap(own, 0n, bytes, MREMAP_MAYMOVE_FIXED, address);
    if (again === MAP_FAILED) replacePages(libc, buffer, { own, other: address });
    this.address = address;
    this.bytes = buffer.byteLength;
    this.#stack = stack.move();
  }

  /** Takes the second view away; the buffer keeps its pages. */
  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}

interface Mapping {
  readonly protection: number;
  readonly flags: number;
  /** Where to; wherever there is room when absent. */
  readonly address?: bigint;
  /** What to show; nothing when absent. */
  readonly file?: number;
}

function map(libc: Libc, bytes: bigint, { address = 0n, protection, flags, file = -1 }: Mapping) {
  const mapped = libc.mmap(address, bytes, protection, flags, file, 0n);
  if (mapped === MAP_FAILED) throw refused(`mmap of ${bytes} bytes failed: ${errorOf(libc)}`);
  return mapped;
}

function replacePages(
  libc: Libc,
  buffer: SharedArrayBuffer,
  { own, other }: { readonly own: bigint; readonly other: bigint },
): void {
  const file = libc.memfd_create(new TextEncoder().encode("portlab\0"), MFD_CLOEXEC);
  if (file < 0) throw refused(`memfd_create failed: ${errorOf(libc)}`);
  try {
    const bytes = BigInt(buffer.byteLength);
    if (libc.ftruncate(file, bytes) < 0) throw refused(`ftruncate failed: ${errorOf(libc)}`);
    const shown = { protection: PROT_READ_WRITE, flags: MAP_SHARED | MAP_FIXED, file };
    map(libc, bytes, { ...shown, address: other });
    const view = Deno.UnsafePointerView.getArrayBuffer(
      Deno.UnsafePointer.create(other)!,
      buffer.byteLength,
    );
    new Uint8Array(view).set(new Uint8Array(buffer));
    map(libc, bytes, { ...shown, address: own });
  } finally {
    libc.close(file);
  }
}

function errorOf(libc: Libc): string {
  return `errno ${new Deno.UnsafePointerView(libc.__errno_location()!).getInt32()}`;
}

function refused(reason: string): DOMException {
  return new DOMException(
    `Cannot import memory as ${reason}; a buffer of the device's own works without`,
    "NotSupportedError",
  );
}
