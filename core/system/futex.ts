import type { Futex, MappedWords } from "../memory/words.ts";
import { addressOf } from "./libc.ts";

// Of Linux: `futex` by its number, as C's library has no function of that name.
const FUTEX_CALL = { x86_64: 202n, aarch64: 98n } as const;
const FUTEX_WAIT = 0;
const FUTEX_WAKE = 1;
const EVERYBODY = 0x7fff_ffff;
const NANOSECONDS_PER_MILLISECOND = 1e6;

const PARAMETERS = ["i64", "u64", "i32", "u32", "buffer"] as const;
const SYMBOLS = {
  sleep: { name: "syscall", parameters: PARAMETERS, result: "i64" },
  sleepAside: { name: "syscall", parameters: PARAMETERS, result: "i64", nonblocking: true },
} as const;

/**
 * Sleeps and wakes between the processes that map a buffer, by the system's own `futex`.
 *
 * @returns nothing where that cannot be had: on another system, or without permission
 */
export function openFutex(buffer: SharedArrayBuffer): (Futex & Disposable) | undefined {
  if (Deno.build.os !== "linux" || !(Deno.build.arch in FUTEX_CALL)) return undefined;
  if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return undefined;
  const library = Deno.dlopen("libc.so.6", SYMBOLS);
  const { sleep, sleepAside } = library.symbols;
  const call = FUTEX_CALL[Deno.build.arch];
  const first = addressOf(buffer);
  const place = (word: number) => first + BigInt(word * 4);
  return {
    wait(word, value, milliseconds) {
      return sleep(call, place(word), FUTEX_WAIT, value >>> 0, timeOf(milliseconds)) === 0n;
    },
    async waitAsync(word, value, milliseconds) {
      const time = timeOf(milliseconds);
      return await sleepAside(call, place(word), FUTEX_WAIT, value >>> 0, time) === 0n;
    },
    wake: (word) => void sleep(call, place(word), FUTEX_WAKE, EVERYBODY, null),
    [Symbol.dispose]: () => library.close(),
  };
}

/** A `struct timespec`. */
function timeOf(milliseconds: number): BigInt64Array<ArrayBuffer> {
  const seconds = Math.floor(milliseconds / 1000);
  const nanoseconds = Math.round((milliseconds - seconds * 1000) * NANOSECONDS_PER_MILLISECOND);
  return new BigInt64Array([BigInt(seconds), BigInt(nanoseconds)]);
}

/** What a Worker does with the words of a channel that it attached to: it is not closed before the Worker ends. */
export function prepareWords(words: MappedWords): void {
  words.futex = openFutex(words.plain.buffer);
}
