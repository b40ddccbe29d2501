import {
  addressOf,
  checked,
  type Libc,
  MAP_FAILED,
  MAP_FIXED,
  MAP_PRIVATE_ANONYMOUS,
  MAP_SHARED,
  mapPages,
  memoryFile,
  MREMAP_MAYMOVE_FIXED,
  openLibc,
  PROT_NONE,
  PROT_READ_WRITE,
} from "../../../system/libc.ts";

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
    using stack = new DisposableStack();
    const { symbols: libc } = stack.adopt(openLibc(), (it) => it.close());
    const own = addressOf(buffer);
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
    const nothing = { protection: PROT_NONE, flags: MAP_PRIVATE_ANONYMOUS };
    const start = unlessRefused(() => mapPages(libc, room, nothing));
    stack.defer(() => libc.munmap(start, room));
    const address = (start + unit - 1n) / unit * unit;
    // Of pages that are shared already, a length of 0 asks for a second view of the same.
    const again = libc.mremap(own, 0n, bytes, MREMAP_MAYMOVE_FIXED, address);
    if (again === MAP_FAILED) {
      unlessRefused(() => replacePages(libc, buffer, { own, other: address }));
    }
    this.address = address;
    this.bytes = buffer.byteLength;
    this.#stack = stack.move();
  }

  /** Takes the second view away; the buffer keeps its pages. */
  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}

function replacePages(
  libc: Libc,
  buffer: SharedArrayBuffer,
  { own, other }: { readonly own: bigint; readonly other: bigint },
): void {
  const file = memoryFile(libc);
  try {
    const bytes = BigInt(buffer.byteLength);
    checked(libc, `make a file of ${bytes} bytes`, libc.ftruncate(file, bytes));
    const shown = { protection: PROT_READ_WRITE, flags: MAP_SHARED | MAP_FIXED, file };
    mapPages(libc, bytes, { ...shown, address: other });
    const view = Deno.UnsafePointerView.getArrayBuffer(
      Deno.UnsafePointer.create(other)!,
      buffer.byteLength,
    );
    new Uint8Array(view).set(new Uint8Array(buffer));
    mapPages(libc, bytes, { ...shown, address: own });
  } finally {
    libc.close(file);
  }
}

function unlessRefused<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new DOMException(
      `Cannot import memory, and a buffer of the device's own works without: ${
        (error as Error).message
      }`,
      "NotSupportedError",
    );
  }
}
