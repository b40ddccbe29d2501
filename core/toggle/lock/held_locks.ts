import type { Words } from "../../memory/words.ts";
import { ControlWord } from "../layout.ts";
import { OwnerLocks } from "./owner_locks.ts";
import type { LockView } from "./port_locks.ts";

/** No port is kept. */
const NONE = -1;

/**
 * `portLock: "held"`: like `OwnerLocks`, but a worker that is alone on its side keeps one port between
 * calls. It does not drop the lock, and so need not take it for the next call. To everybody else the port
 * is locked; the worst that can happen is that somebody waits for it.
 *
 * The port is dropped when another client or server joins the side, which this one notices at its next
 * call or search; at the end of a call during which somebody marked the lock; and at the latest when
 * the event loop turns. A thread that blocks elsewhere, without calling or turning, keeps it.
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
    // Sync: pairs with join() of another worker, which first counts itself and then changes the state.
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
    // If this look misses a mark, the exchange that drops the lock later finds it.
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
