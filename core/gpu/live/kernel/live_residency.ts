import type { SharedWords } from "../../../memory/words.ts";
import { LiveWord, WAVE_STATE_BITS, WaveState } from "./live_source.ts";

/** How long nothing has to change until it is a deadlock: devices begin a wave in microseconds. */
const STILL_MILLISECONDS = 100;
const STATE_MASK = (1 << WAVE_STATE_BITS) - 1;

/**
 * Notices waves that wait for each other for ever: a device runs some at a time, and begins others when
 * these end.
 */
export class LiveResidency {
  readonly #words: SharedWords;
  readonly #waveCount: number;
  /** Which waves wait for which, and how often they had looked when that began to be so. */
  #seen = "";
  #looks: readonly number[] = [];
  #sinceMilliseconds = 0;

  /** @param words the words of a run, followed by the states of its waves */
  constructor(words: SharedWords, waveCount: number) {
    this.#words = words;
    this.#waveCount = waveCount;
  }

  /**
   * Who waits for whom, if for a tenth of a second all waves that run have looked for others in vain, and
   * some waves have not begun.
   *
   * @param nowMilliseconds of a clock that only goes forward
   */
  deadlock(nowMilliseconds: number): string | undefined {
    if (this.#words.load(LiveWord.waits) === 0) return undefined;
    const told = Array.from(
      { length: this.#waveCount },
      (_, wave) => this.#words.load(LiveWord.states + wave),
    );
    const states = told.map((word) => word & STATE_MASK);
    const here = [...states.keys()].filter((wave) =>
      states[wave] !== WaveState.notBegun && states[wave] !== WaveState.ended
    );
    const otherOf = (wave: number) => states[wave]! - WaveState.waits;
    // Waves that wait for an ended one are about to go on.
    const isStuck = here.every((wave) =>
      otherOf(wave) >= 0 && states[otherOf(wave)] !== WaveState.ended
    );
    const wave = here.find((wave) => states[otherOf(wave)] === WaveState.notBegun);
    const seen = isStuck ? here.map((wave) => `${wave}:${states[wave]}`).join() : "";
    const looks = here.map((wave) => told[wave]!);
    if (wave === undefined || seen === "" || seen !== this.#seen) {
      this.#begin(seen, looks, nowMilliseconds);
    } else if (nowMilliseconds - this.#sinceMilliseconds >= STILL_MILLISECONDS) {
      if (looks.every((count, at) => count !== this.#looks[at])) {
        return `wave ${wave} waits for wave ${
          otherOf(wave)
        }, not begun; ${here.length} of ${this.#waveCount} resident`;
      }
      // One has gone on since, and is busy with something else.
      this.#begin(seen, looks, nowMilliseconds);
    }
    return undefined;
  }

  #begin(seen: string, looks: readonly number[], nowMilliseconds: number): void {
    this.#seen = seen;
    this.#looks = looks;
    this.#sinceMilliseconds = nowMilliseconds;
  }
}
