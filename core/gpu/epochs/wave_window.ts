/** A window is not begun with fewer waves. */
const WAVES_MIN = 256;
/** Waves of a window for each port: one that has it, one that comes next, and some that finish early. */
const WAVES_PER_PORT = 4;
/** Where ports are left over, the next window is so many times as long. */
const GROWTH = 4;
/** Epochs in which the first wave does not finish, after which those behind it are no longer last. */
const PATIENCE_EPOCHS = 64;

/** How the waves of a window have fared in an epoch. */
export interface WindowOutcome {
  /** Some wave found no free port. */
  readonly starved: boolean;
  /** The first wave that has not finished; `undefined` when all of the window have. */
  readonly firstUnfinished: number | undefined;
}

/**
 * Which waves an epoch runs. Where ports are scarce, most waves could do nothing but find that out,
 * epoch after epoch. So a dispatch runs a part of the waves only: from the first that has not
 * finished, as many as keep all ports busy. No wave that has begun is left out, because it may hold a
 * port. Every wave has its turn: the window grows where ports are left over, and where the waves in
 * it do not finish, since they may wait for others.
 *
 * @example
 * ```ts
 * import { WaveWindow } from "./wave_window.ts";
 * const window = new WaveWindow({ waveCount: 4096, portCount: 8 });
 * if (window.size !== 256) throw new Error("8 ports are enough for a few waves at a time");
 * window.advance({ starved: true, firstUnfinished: 250 });
 * if (window.first !== 250 || window.end !== 282) throw new Error("32 waves for 8 ports");
 * ```
 */
export class WaveWindow {
  readonly #waveCount: number;
  readonly #portCount: number;
  #first = 0;
  #end: number;
  #begunBelow = 0;
  #rotation = 0;
  #waitedEpochs = 0;

  constructor({ waveCount, portCount }: {
    readonly waveCount: number;
    readonly portCount: number;
  }) {
    this.#waveCount = waveCount;
    this.#portCount = portCount;
    this.#end = this.#within(Math.max(WAVES_MIN, WAVES_PER_PORT * portCount));
  }

  /** The first wave that runs. */
  get first(): number {
    return this.#first;
  }

  /** The first wave behind those that run. */
  get end(): number {
    return this.#end;
  }

  get size(): number {
    return this.#end - this.#first;
  }

  /** Waves from here on have not begun. */
  get begunBelow(): number {
    return this.#begunBelow;
  }

  /** Which wave of the window looks for a port first; changes while the first wave does not finish. */
  get rotation(): number {
    return this.#rotation;
  }

  /** Whether every wave has been in a window of the epochs so far. */
  get hasBegunAll(): boolean {
    return this.#begunBelow === this.#waveCount;
  }

  /** Goes on to the waves of the next epoch. */
  advance({ starved, firstUnfinished = this.#end }: WindowOutcome): void {
    const { size } = this;
    this.#begunBelow = this.#end;
    this.#waitedEpochs = firstUnfinished > this.#first ? 0 : this.#waitedEpochs + 1;
    this.#first = firstUnfinished;
    const hasToShare = this.#waitedEpochs >= PATIENCE_EPOCHS;
    const isDue = hasToShare && this.#waitedEpochs % PATIENCE_EPOCHS === 0;
    const grown = !starved ? GROWTH * size : isDue ? 2 * size : 0;
    const wanted = this.#first + Math.max(grown, WAVES_PER_PORT * this.#portCount);
    this.#end = Math.max(this.#end, this.#within(wanted));
    this.#rotation = starved && hasToShare ? (this.#rotation + this.#portCount) % this.size : 0;
  }

  #within(count: number): number {
    return Math.min(count, this.#waveCount);
  }
}
