import { underScopes } from "../../device/error_scopes.ts";
import type { RingBuffer } from "../ring/ring_buffer.ts";
import { readRing, type RingContent } from "../ring/ring_records.ts";
import type { RealMethods } from "./hooks.ts";
import { type PrintedLine, printedLines } from "./printed_lines.ts";
import type { RingOwner, RingUse } from "./ring_owner.ts";

/** Where lines go. */
export interface LineSink {
  /** The most lines of one submit. */
  readonly linesMax: number;
  readonly write: (line: PrintedLine) => void;
  readonly warn: (text: string) => void;
}

/** What was used of one ring. */
interface RingPart {
  readonly owner: RingOwner;
  readonly bytes: number;
  /** By the number of each dispatch or draw, its place among the others of its submits. */
  readonly ranks: ReadonlyMap<number, number>;
  /** Nothing where the device is gone. */
  readonly content: Promise<RingContent | undefined>;
}

interface RankedLine {
  readonly rank: number;
  readonly line: PrintedLine;
}

/** Readings under way; what is submitted then waits in its ring. */
const PENDING_MAX = 8;

/** Reads rings behind what was submitted, and writes the lines in the order of submits. */
export class FrameReader {
  readonly #device: GPUDevice;
  readonly #real: RealMethods;
  readonly #sink: LineSink;
  readonly #spare = new Map<number, GPUBuffer[]>();
  #waiting: RingUse[] = [];
  #pendingCount = 0;
  #last: Promise<void> = Promise.resolve();
  /** The first error of the author's own functions that nobody was told. */
  #thrown: { readonly error: unknown } | undefined;

  constructor(device: GPUDevice, real: RealMethods, sink: LineSink) {
    this.#device = device;
    this.#real = real;
    this.#sink = sink;
  }

  /** Reads what these dispatches and draws print, which were just submitted. */
  read(uses: readonly RingUse[]): void {
    for (const use of uses) this.#waiting.push(use);
    if (this.#pendingCount < PENDING_MAX) this.#begin();
  }

  /** Waits until all lines of what was submitted are written. Rejects, once, with what `write` threw. */
  async settled(): Promise<void> {
    while (this.#pendingCount > 0) await this.#last;
    const thrown = this.#thrown;
    this.#thrown = undefined;
    if (thrown) throw thrown.error;
  }

  #begin(): void {
    const uses = this.#waiting;
    if (uses.length === 0) return;
    this.#waiting = [];
    for (const [owner, own] of Map.groupBy(uses, ({ owner }) => owner)) owner.release(own.length);
    const order = new Map(uses.map((use, at) => [use, at]));
    const parts = [...Map.groupBy(uses, ({ ring }) => ring)]
      .map(([ring, uses]) => this.#copyOut(ring, uses, order));
    this.#pendingCount++;
    this.#last = this.#last.then(() => this.#show(parts)).finally(() => {
      this.#pendingCount--;
      this.#guard(() => this.#begin());
    });
  }

  #copyOut(
    ring: RingBuffer,
    uses: readonly RingUse[],
    order: ReadonlyMap<RingUse, number>,
  ): RingPart {
    const { owner } = uses[0]!;
    const labels: string[] = [];
    const ranks = new Map<number, number>();
    for (const use of uses) {
      labels[use.number] = use.label;
      if (!ranks.has(use.number)) ranks.set(use.number, order.get(use)!);
    }
    // The order of first use, in numbers that sorting by digits takes.
    const places = new Map(
      [...ranks].toSorted(([, one], [, other]) => one - other).map(([number], at) => [number, at]),
    );
    const { buffer, buffer: { size } } = ring;
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const { result: { staging, mapped } } = underScopes(this.#device, () => {
      const staging = this.#spare.get(size)?.pop() ??
        this.#device.createBuffer({ size, usage, label: "printf reading" });
      const encoder = this.#real.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
      ring.encodeClear(encoder);
      this.#real.submit([encoder.finish()]);
      return { staging, mapped: staging.mapAsync(GPUMapMode.READ) };
    });
    // Read at once: whoever waits for the same work may destroy the device next.
    const content = mapped.then(() => {
      const words = new Uint32Array(staging.getMappedRange());
      const rankOf = (number: number) => places.get(number) ?? 0;
      const read = readRing(words, owner.formats, { labels, rankOf, file: owner.file });
      staging.unmap();
      this.#spare.set(size, [...this.#spare.get(size) ?? [], staging]);
      return read;
    }).catch(() => undefined); // a lost device has nothing to read, and its user knows
    return { owner, bytes: ring.bytes, ranks, content };
  }

  async #show(parts: readonly RingPart[]): Promise<void> {
    const ranked: RankedLine[] = [];
    let leftCount = 0;
    for (const part of parts) {
      const content = await part.content;
      if (content) leftCount += this.#addLines(ranked, part, content);
    }
    const { linesMax, write } = this.#sink;
    ranked.sort((one, other) => one.rank - other.rank);
    let failedCount = 0;
    for (const { line } of ranked.slice(0, linesMax)) {
      if (!this.#guard(() => write(line))) failedCount++;
    }
    if (failedCount > 0) {
      const lines = failedCount === 1 ? "1 line was" : `${failedCount} lines were`;
      this.#warn(`${lines} not written, as write() threw: ${this.#thrown?.error}`);
    }
    const hiddenCount = leftCount + Math.max(0, ranked.length - linesMax);
    if (hiddenCount === 0) return;
    this.#warn(
      `${hiddenCount} calls more are not shown, beyond ${linesMax} lines a submit: set a filter, or raise linesMax`,
    );
  }

  /** Adds the lines of a ring; returns how many of its calls are left out. */
  #addLines(
    ranked: RankedLine[],
    { owner, bytes, ranks }: RingPart,
    { records, lostCount, damagedWords }: RingContent,
  ): number {
    const counts = { callCount: records.count, linesMax: this.#sink.linesMax };
    const calls = records.inOrder("invocation").calls();
    const { lines, leftCount } = printedLines(owner.file, calls, counts);
    if (lostCount > 0) {
      this.#warn(`${lostCount} calls of ${owner.file} found no room in ${bytes} bytes`);
    }
    if (damagedWords > 0) {
      this.#warn(`something else wrote into the ring of ${owner.file}: ${damagedWords} words`);
    }
    // More room would only show what is not shown anyway.
    if (lostCount > 0 && leftCount === 0) {
      this.#guard(() => owner.grow(bytes, { lostCount, count: records.count }));
    }
    for (const line of lines) ranked.push({ rank: ranks.get(line.dispatch.index) ?? 0, line });
    return leftCount;
  }

  #warn(sentence: string): void {
    this.#guard(() => this.#sink.warn(`printf: ${sentence}`));
  }

  /** Does what may throw: what comes later is read all the same. */
  #guard(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.#thrown ??= { error };
      return false;
    }
  }
}
