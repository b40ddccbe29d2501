import type { Words } from "../../memory/words.ts";
import { ControlWord } from "../layout.ts";
import { OwnerLocks } from "./owner_locks.ts";
import type { LockView } from "./port_locks.ts";

/** No port is kept. */
const NONE = -1;

/**
 * `portLock: "held"`: as `OwnerLocks`, and as long as its side has nobody else, a worker keeps one port
 * between its calls: it does not drop the lock, and so has not to take it for the next call. For
 * everybody else the port is locked, so that nothing can go wrong but that somebody waits for it.
 *
 * The port is dropped when another client or server comes to the side, which this one sees at its next
 * call or search; at the end of a call during which somebody marked the lock; and in any case when
 * the event loop has its turn. A thread that blocks elsewhere, and neither calls nor turns, keeps it.
 */
export class HeldLocks extends OwnerLocks {
  readonly #countWord: number;
  #kept = NONE;
  #isSole = false;
  #isTurnAwaited = false;

  constructor(words: Words, view: LockView) {
    super(words, view);
    const count = view.side === "client" ? ControlWord.clientCount : ControlWord.serverCount;
    this.#countWord = view.layout.controlWord + count;
  }

  override join(): boolean {
    this.#isSole = this.words.add(this.#countWord, 1) === 0;
    return !this.#isSole;
  }

  override lookAgain(): void {
    // Sync: pairs with join() of another, which counts first and changes the state then.
    this.#isSole &&= this.words.load(this.#countWord) === 1;
    if (!this.#isSole) this.release();
  }

  override tryLock(index: number): boolean {
    if (index !== this.#kept) return super.tryLock(index);
    this.#kept = NONE;
    return true;
  }

  override looksLocked(index: number): boolean {
    return index !== this.#kept && super.looksLocked(index);
  }

  override holds(index: number): boolean {
    return index !== this.#kept && super.holds(index);
  }

  override watch(index: number): boolean {
    return index !== this.#kept && super.watch(index);
  }

  override keep(index: number): boolean {
    // A mark that this look misses is found by the exchange that drops the lock later.
    const isWanted = this.words.peek(this.lockWord + index) !== this.ownerId;
    if (!this.#isSole || this.#kept !== NONE || isWanted) return false;
    this.#kept = index;
    if (!this.#isTurnAwaited) this.#awaitTurn();
    return true;
  }

  override release(): void {
    const index = this.#kept;
    this.#kept = NONE;
    if (index !== NONE) this.unlock(index);
  }

  #awaitTurn(): void {
    this.#isTurnAwaited = true;
    setTimeout(() => this.#takeTurn(), 0);
  }

  #takeTurn(): void {
    this.#isTurnAwaited = false;
    this.release();
  }
}
