import { lostError, lostInfo } from "./device.ts";
import { allocated, refusedError, underScopes } from "./error_scopes.ts";
import type { DeviceRead } from "./readback.ts";

/** A receipt is in front of what is read, which begins where a mapping may begin. */
const RECEIPT_BYTES = 8;

/**
 * A buffer that the device copies into and the host maps. With what a submit copies comes a receipt,
 * another one than the time before: a device that has refused the submit leaves the old one, so that
 * what lies behind it is not taken for results.
 */
export class ReadbackBuffer {
  readonly #device: GPUDevice;
  readonly #mapped: GPUBuffer;
  readonly #receipts: GPUBuffer;
  /** The last receipt that has come; at first the zero of a new buffer. */
  #received = 0;
  #wanted = 0;
  #bytes = 0;
  #what = "";
  #refusal: (() => Promise<GPUError | undefined>) | undefined;
  #isDestroyed = false;

  private constructor(device: GPUDevice, mapped: GPUBuffer, receipts: GPUBuffer) {
    this.#device = device;
    this.#mapped = mapped;
    this.#receipts = receipts;
  }

  /**
   * Allocates a buffer, and maps it once.
   *
   * The first mapping is awaited whatever comes later: Deno 2.9.6 ends the process when
   * `getMappedRange` is called on a buffer of which no mapping was ever awaited.
   *
   * @param bytes of results, a multiple of 4
   * @throws {RangeError} when the device has no room for it
   */
  static async allocate(device: GPUDevice, bytes: number): Promise<ReadbackBuffer> {
    const { MAP_READ, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const size = RECEIPT_BYTES + bytes;
    const { mapped, receipts } = await allocated(device, "read back", () => {
      const usage = COPY_SRC | COPY_DST;
      const receipts = device.createBuffer({ size: 8, usage, label: "receipts" });
      device.queue.writeBuffer(receipts, 0, Uint32Array.of(1, 2));
      const label = "readback";
      return { mapped: device.createBuffer({ size, usage: MAP_READ | COPY_DST, label }), receipts };
    });
    try {
      await mapped.mapAsync(GPUMapMode.READ);
    } catch (error) {
      const lost = await lostInfo(device);
      throw lost ? lostError("read back", lost) : error;
    }
    mapped.unmap();
    return new ReadbackBuffer(device, mapped, receipts);
  }

  /** Submits the commands of a read, whose results are there when the mapping has come. */
  submit({ what, encode }: DeviceRead): void {
    this.#what = what;
    if (this.#isDestroyed) throw destroyedError(what);
    this.#wanted = this.#received === 1 ? 2 : 1;
    this.#bytes = 0;
    this.#refusal = underScopes(this.#device, () => {
      const encoder = this.#device.createCommandEncoder();
      encode(encoder, (source, sourceByte, targetByte, bytes) => {
        const placeByte = RECEIPT_BYTES + targetByte;
        encoder.copyBufferToBuffer(source, sourceByte, this.#mapped, placeByte, bytes);
        this.#bytes = Math.max(this.#bytes, targetByte + bytes);
      });
      const receiptByte = 4 * (this.#wanted - 1);
      encoder.copyBufferToBuffer(this.#receipts, receiptByte, this.#mapped, 0, 4);
      this.#device.queue.submit([encoder.finish()]);
    }).refusal;
  }

  /** Asks for the results. */
  map(): Promise<void> {
    return this.#mapped.mapAsync(GPUMapMode.READ, 0, RECEIPT_BYTES + this.#bytes);
  }

  /**
   * Uses the results.
   *
   * @throws {DOMException} when there are none: {@linkcode reasonOf} has more to say then
   */
  use({ what, use }: DeviceRead): void {
    const range = this.#mapped.getMappedRange(0, RECEIPT_BYTES + this.#bytes);
    try {
      const [receipt] = new Int32Array(range, 0, 1);
      if (receipt !== this.#wanted) throw notRun(what);
      this.#received = receipt;
      use(new Int32Array(range, RECEIPT_BYTES));
    } finally {
      this.#mapped.unmap();
    }
  }

  /** Why a read has failed: what was thrown, unless the device says more. */
  async reasonOf(thrown: unknown): Promise<unknown> {
    const error = await this.#refusal?.();
    this.#refusal = undefined;
    if (this.#isDestroyed) return destroyedError(this.#what);
    if (error) return refusedError(this.#what, error);
    const lost = await lostInfo(this.#device);
    return lost ? lostError(this.#what, lost) : thrown;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#mapped.destroy();
    this.#receipts.destroy();
  }
}

function destroyedError(what: string): TypeError {
  return new TypeError(`Cannot ${what} as its memory was destroyed`);
}

function notRun(what: string): DOMException {
  return new DOMException(
    `Cannot ${what} as the device has not run it: the method that awaits tells why`,
    "OperationError",
  );
}
