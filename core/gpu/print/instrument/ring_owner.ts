import { DISPATCH_COUNT } from "../ring/dispatch_numbers.ts";
import type { PrintfFilter } from "../ring/printf_filter.ts";
import { grownBytes, type RingBindingsShape, RingBuffer } from "../ring/ring_buffer.ts";
import { type RecordFormat, recordFormats } from "../ring/ring_records.ts";
import type { PrintingShader } from "../shader/printing_shader.ts";

/** One dispatch or draw that prints. */
export interface RingUse {
  readonly owner: RingOwner;
  /** The ring that it prints to, which may have grown since. */
  readonly ring: RingBuffer;
  readonly number: number;
  readonly label: string;
}

/** Numbers of draws in bundles, which are used again and again, begin here and go down. */
const BUNDLE_NUMBER = DISPATCH_COUNT - 2;
/** The last number of a dispatch: those beyond share it. */
const LAST_NUMBER = DISPATCH_COUNT / 2;

/** How large rings are. */
export interface RingSizes {
  readonly bytes: number;
  readonly bytesMax: number;
}

/** The ring of the pipelines of one shader that have it at the same binding, and its numbers. */
export class RingOwner {
  readonly file: string;
  readonly formats: readonly RecordFormat[];
  readonly #device: GPUDevice;
  readonly #shape: RingBindingsShape;
  readonly #bytesMax: number;
  #ring: RingBuffer;
  #next = 0;
  #nextOfBundle = BUNDLE_NUMBER;
  #pendingCount = 0;
  #filter: PrintfFilter = {};

  constructor(
    device: GPUDevice,
    { shader, file, binding }: {
      readonly shader: PrintingShader;
      readonly file: string;
      readonly binding: number;
    },
    { bytes, bytesMax }: RingSizes,
  ) {
    const visibility = GPUShaderStage.COMPUTE | GPUShaderStage.FRAGMENT;
    this.file = file;
    this.formats = recordFormats(shader.calls);
    this.#device = device;
    this.#shape = { binding, visibility, hasDispatch: true, callCount: shader.calls.length };
    this.#bytesMax = bytesMax;
    this.#ring = new RingBuffer(device, this.#shape, bytes);
  }

  get ring(): RingBuffer {
    return this.#ring;
  }

  setFilter(filter: PrintfFilter): void {
    this.#filter = filter;
    this.#ring.setFilter(filter);
  }

  /** Notes a dispatch or draw. */
  use(label: string, isInBundle: boolean): RingUse {
    const { ring } = this;
    if (isInBundle) {
      const number = this.#nextOfBundle;
      this.#nextOfBundle = Math.max(LAST_NUMBER + 1, number - 1);
      return { owner: this, ring, number, label };
    }
    const number = this.#next;
    this.#next = Math.min(number + 1, LAST_NUMBER);
    this.#pendingCount++;
    return { owner: this, ring, number, label: number === LAST_NUMBER ? "later ones" : label };
  }

  /** Gives back the numbers of what was submitted, as soon as nothing else waits to be. */
  release(useCount: number): void {
    this.#pendingCount = Math.max(0, this.#pendingCount - useCount);
    // Commands that are never submitted would keep their numbers forever.
    if (this.#pendingCount > 0 && this.#next < LAST_NUMBER) return;
    this.#pendingCount = 0;
    this.#next = 0;
  }

  /** Makes room for what was lost of so many bytes. The old ring stays, as commands may still name it. */
  grow(lostOf: number, counts: { readonly lostCount: number; readonly count: number }): void {
    const bytes = grownBytes(lostOf, counts, this.#bytesMax);
    if (bytes <= this.#ring.bytes) return;
    this.#ring = new RingBuffer(this.#device, this.#shape, bytes);
    this.#ring.setFilter(this.#filter);
  }
}
