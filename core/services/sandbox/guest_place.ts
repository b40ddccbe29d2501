import { Child } from "../../system/child.ts";
import { MappedChannel } from "../../system/mapped_channel.ts";
import type { WallLimits } from "../../system/wall.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import type { GuestCall, GuestRequest, GuestScript } from "./guest/guest_api.ts";

/** Who hears of a guest. */
export interface PlaceListeners {
  /** It has ended, or cannot go on. */
  readonly onEnd: (error: Error) => void;
  /** It printed past its console. */
  readonly onLine: (stream: string, line: string) => void;
}

/** It tells of each change of the memory, so that a host without work has nothing to do. */
const HOST_NAPS = { firstMilliseconds: 8, longestMilliseconds: 1000 };
/** So that V8 collects garbage before the system refuses memory. */
const HEAP_SHARE = 0.75;

/** A process behind a wall of the system's. */
export class GuestProcess {
  /** That it has ended, and that all was heard that it printed. */
  readonly ended: Promise<void>;
  readonly #shared: (MappedChannel & { readonly shape: ChannelShape })[] = [];
  readonly #limits: WallLimits;
  readonly #child: Child;

  /** @throws {Error} when the system starts no process */
  constructor(limits: WallLimits, { onEnd, onLine }: PlaceListeners) {
    this.#limits = limits;
    const heapMegabytes = Math.max(16, Math.floor(limits.memoryBytes * HEAP_SHARE / (1 << 20)));
    this.#child = new Child({
      program: new URL("./guest/deno_guest_process.ts", import.meta.url),
      flags: ["--allow-ffi", `--v8-flags=--max-old-space-size=${heapMegabytes}`],
      onRing: () => this.#shared.forEach(({ words }) => words.wakeSleepers()),
      onLine,
    });
    this.ended = this.#child.ended.then(({ signal, code }) => {
      for (const one of this.#shared) one[Symbol.dispose]();
      onEnd(new Error(`Cannot go on with the guest as ${endText(signal, code)}`));
    });
  }

  /** Memory that it shares with its host: two channels, one after the other. */
  open(shape: ChannelShape): Channel {
    const mapped = Object.assign(MappedChannel.create(shape), { shape });
    mapped.words.naps = HOST_NAPS;
    this.#shared.push(mapped);
    return mapped.channel;
  }

  /** Starts it, once, when both are served. */
  start(script: GuestScript): void {
    const [calls, own] = this.#shared.map(({ path, shape }) => ({ path, shape }));
    this.#post({ kind: "start", ...script, calls: calls!, own: own!, limits: this.#limits });
  }

  /** @throws {TypeError} when a value cannot be copied */
  post(request: GuestCall | { readonly kind: "leave" }): void {
    this.#post(request);
  }

  /** Ends it at once. */
  end(): void {
    this.#child.kill();
  }

  #post(request: GuestRequest): void {
    this.#child.post(request);
  }
}

/** What a signal says of the limits. */
const SIGNALS: Readonly<Record<string, string>> = {
  SIGXCPU: ": its time of processors is over",
  SIGTRAP: ": it gave up, as without memory",
  SIGABRT: ": it gave up, as without memory",
};

function endText(signal: string | null, code: number): string {
  if (signal === null) return `its process ended with code ${code}`;
  return `${signal} ended it${SIGNALS[signal] ?? ""}`;
}
