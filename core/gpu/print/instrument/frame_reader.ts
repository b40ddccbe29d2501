import { underScopes } from "../../device/error_scopes.ts";
import type { RingBuffer } from "../ring/ring_buffer.ts";
import { readRing, type RingContent } from "../ring/ring_records.ts";
import { type PrintedLine, printedLines } from "./printed_lines.ts";
import type { RingOwner, RingUse } from "./ring_owner.ts";

/** Where lines go. */
export interface LineSink {
  /** The most lines of one submit. */
  readonly linesMax: number;
  readonly write: (line: PrintedLine) => void;
  readonly warn: (text: string) => void;
}

/** The methods that are not followed. */
export interface RealDevice {
  readonly createCommandEncoder: () => GPUCommandEncoder;
  readonly submit: (buffers: Iterable<GPUCommandBuffer>) => void;
}

/** What was used of one ring. */
interface RingPart {
  readonly ring: RingBuffer;
  readonly uses: readonly RingUse[];
  readonly staging: GPUBuffer;
  readonly mapped: Promise<void>;
}

/** Readings under way; what is submitted then waits in its ring. */
const PENDING_MAX = 8;

/** Reads rings behind what was submitted, and writes the lines in the order of submits. */
export class FrameReader {
  readonly #device: GPUDevice;
  readonly #real: RealDevice;
  readonly #sink: LineSink;
  readonly #spare = new Map<number, GPUBuffer[]>();
  #waiting: RingUse[] = [];
  #pendingCount = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice, real: RealDevice, sink: LineSink) {
    this.#device = device;
    this.#real = real;
    this.#sink = sink;
  }

  /** Reads what these dispatches and draws print, which were just submitted. */
  read(uses: readonly RingUse[]): void {
    this.#waiting.push(...uses);
    if (this.#pendingCount < PENDING_MAX) this.#begin();
  }

  /** Waits until all lines of what was submitted are written. */
  async settled(): Promise<void> {
    while (this.#pendingCount > 0) await this.#last;
  }

  #begin(): void {
    const uses = this.#waiting;
    if (uses.length === 0) return;
    this.#waiting = [];
    this.#pendingCount++;
    for (const [owner, own] of Map.groupBy(uses, ({ owner }) => owner)) owner.release(own.length);
    const parts = [...Map.groupBy(uses, ({ ring }) => ring)]
      .map(([ring, uses]) => this.#copyOut(ring, uses));
    this.#last = this.#last.then(() => this.#show(parts, uses)).finally(() => {
      this.#pendingCount--;
      this.#begin();
    });
  }

  #copyOut(ring: RingBuffer, uses: readonly RingUse[]): RingPart {
    const { buffer, buffer: { size } } = ring;
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const { result } = underScopes(this.#device, () => {
      const staging = this.#spare.get(size)?.pop() ??
        this.#device.createBuffer({ size, usage, label: "printf reading" });
      const encoder = this.#real.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
      ring.encodeClear(encoder);
      this.#real.submit([encoder.finish()]);
      return { staging, mapped: staging.mapAsync(GPUMapMode.READ) };
    });
    result.mapped.catch(() => {}); // told when it is awaited
    return { ring, uses, ...result };
  }

  async #show(parts: readonly RingPart[], uses: readonly RingUse[]): Promise<void> {
    const ranked: { readonly rank: number; readonly line: PrintedLine }[] = [];
    const order = new Map(uses.map((use, at) => [use, at]));
    let leftCount = 0;
    for (const part of parts) {
      const found = await this.#linesOf(part, order);
      if (!found) continue;
      leftCount += found.leftCount;
      ranked.push(...found.ranked);
    }
    const { linesMax, write, warn } = this.#sink;
    ranked.sort((one, other) => one.rank - other.rank);
    for (const { line } of ranked.slice(0, linesMax)) write(line);
    const hiddenCount = leftCount + Math.max(0, ranked.length - linesMax);
    if (hiddenCount === 0) return;
    warn(
      `printf: ${hiddenCount} calls more are not shown, beyond ${linesMax} lines a submit: set a filter, or raise linesMax`,
    );
  }

  async #linesOf(part: RingPart, order: ReadonlyMap<RingUse, number>) {
    const { ring, uses, staging, mapped } = part;
    const { owner } = uses[0]!;
    // A lost device has nothing to read, and its user knows.
    const isMapped = await mapped.then(() => true, () => false);
    if (!isMapped) return undefined;
    const ranks = new Map<number, number>();
    const labels: string[] = [];
    for (const use of uses) {
      labels[use.number] = use.label;
      if (!ranks.has(use.number)) ranks.set(use.number, order.get(use)!);
    }
    // The order of first use, in numbers that sorting by digits takes.
    const places = new Map(
      [...ranks].toSorted(([, one], [, other]) => one - other).map(([number], at) => [number, at]),
    );
    const dispatches = { labels, rankOf: (number: number) => places.get(number) ?? 0 };
    const content = readRing(new Uint32Array(staging.getMappedRange()), owner.formats, dispatches);
    staging.unmap();
    const spare = this.#spare.get(ring.buffer.size) ?? [];
    this.#spare.set(ring.buffer.size, [...spare, staging]);
    return this.#tell(owner, content, { ranks, bytes: ring.bytes });
  }

  #tell(
    owner: RingOwner,
    content: RingContent,
    { ranks, bytes }: { readonly ranks: ReadonlyMap<number, number>; readonly bytes: number },
  ) {
    const { linesMax, warn } = this.#sink;
    const { records, lostCount, damagedWords } = content;
    const counts = { callCount: records.count, linesMax };
    const { lines, leftCount } = printedLines(
      owner.file,
      records.inOrder("invocation").calls(),
      counts,
    );
    if (lostCount > 0) {
      warn(`printf: ${lostCount} calls of ${owner.file} found no room in ${bytes} bytes`);
    }
    if (damagedWords > 0) {
      warn(`printf: something else wrote into the ring of ${owner.file}: ${damagedWords} words`);
    }
    // More room would only show what is not shown anyway.
    if (lostCount > 0 && leftCount === 0) owner.grow(bytes, { lostCount, count: records.count });
    const ranked = lines.map((line) => ({ rank: ranks.get(line.dispatch.index) ?? 0, line }));
    return { ranked, leftCount };
  }
}
