/** The smallest initial window. */
const WAVES_MIN = 256;
/** Waves of a window per port: the one that holds it, the next one, and some that finish early. */
const WAVES_PER_PORT = 4;
/** By how much the window grows when ports are left over. */
const GROWTH = 4;
/** Epochs without progress of the first wave, after which later waves get ports first. */
const PATIENCE_EPOCHS = 64;

/** The outcome of an epoch for the waves of a window. */
export interface WindowOutcome {
  /** Whether a wave found no free port. */
  readonly starved: boolean;
  /** The first wave that has not finished; `undefined` if all have. */
  readonly firstUnfinished: number | undefined;
}

/**
 * Decides which waves an epoch runs. When ports are scarce, most waves would only find that out, epoch
 * after epoch. So a dispatch runs only some waves: from the first that has not finished, as many as
 * keep all ports busy. It includes every wave that has begun, because that may hold a port. Every wave
 * gets its turn: the window grows when ports are left over, and when the waves in it do not finish,
 * since they may wait for others.
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

  /** The first wave after those that run. */
  get end(): number {
    return this.#end;
  }

  get size(): number {
    return this.#end - this.#first;
  }

  /** Waves from this one on have not begun. */
  get begunBelow(): number {
    return this.#begunBelow;
  }

  /** The wave of the window that looks for a port first; changes while the first wave does not finish. */
  get rotation(): number {
    return this.#rotation;
  }

  /** Whether every wave has been in a window so far. */
  get hasBegunAll(): boolean {
    return this.#begunBelow === this.#waveCount;
  }

  /** Moves on to the waves of the next epoch. */
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
