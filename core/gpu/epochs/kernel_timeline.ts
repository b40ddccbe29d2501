import type { Packet, PacketWork } from "../../memory/packet.ts";
import { Pending } from "../../toggle/pending/pending.ts";

/** An event of the trace-event format, which Perfetto and Chrome's tracing page open. */
export interface TraceEvent {
  /** What is shown. */
  readonly name: string;
  /** `X` has a duration, `C` is a count, and `M` names a track. */
  readonly ph: "X" | "C" | "M";
  /** Microseconds since the timeline was created. */
  readonly ts: number;
  /** Microseconds. */
  readonly dur?: number;
  /** Always 1. */
  readonly pid: number;
  /** The track. */
  readonly tid: number;
  /** Counts of packets, lanes or waves, and names of tracks. */
  readonly args: Readonly<Record<string, number | string>>;
}

/** An epoch of a kernel. */
export interface TimedEpoch {
  readonly number: number;
  /** By `performance.now()`. */
  readonly startMilliseconds: number;
  /** When its results were there, and were served. */
  readonly readMilliseconds: number;
  /** Packets that it brought to the host. */
  readonly packetCount: number;
  /** Waves that have begun and not finished, at most. */
  readonly waveCount: number;
}

/** The track of epochs, that of serving, and the first of those of calls. */
const Track = { epochs: 1, serving: 2, calls: 3 } as const;
/** Events beyond these are counted only: a page that shows more becomes slow. */
const EVENTS_MAX = 200_000;

/**
 * Records when the epochs of a kernel run, how many waves are under way, and when the host serves their
 * calls: pass it as the option `timeline` of a run, and write it as JSON to a file for Perfetto.
 *
 * @example
 * ```ts
 * import { KernelTimeline, openGpu } from "../mod.ts";
 * const timeline = new KernelTimeline();
 * const gpu = await openGpu().catch(() => undefined); // a machine without an adapter
 * const source = "@service fn square(x: u32) -> u32; fn kernel() { _ = square(wave_index); }";
 * const functions = { square: (x: number) => x * x };
 * await gpu?.run(source, { functions, waveCount: 4, timeline });
 * const { traceEvents } = JSON.parse(JSON.stringify(timeline));
 * const calls = traceEvents.filter(({ name }: { name: string }) => name === "square");
 * if (gpu && calls.length !== 4) throw new Error("each wave calls once");
 * gpu?.[Symbol.dispose]();
 * ```
 */
export class KernelTimeline {
  readonly #startMilliseconds = performance.now();
  readonly #events: TraceEvent[] = [];
  /** Which tracks of calls are in use. */
  readonly #busy: boolean[] = [];
  #lostCount = 0;

  /** Events that are left out, as there are too many. */
  get lostCount(): number {
    return this.#lostCount;
  }

  /** The object of the trace-event format. */
  toJSON(): { readonly traceEvents: readonly object[]; readonly displayTimeUnit: "ms" } {
    const names = [
      [Track.epochs, "epochs"],
      [Track.serving, "serving"],
      ...this.#busy.map((_, at) => [Track.calls + at, `calls of the host ${at + 1}`] as const),
    ] as const;
    const named = names.map(([tid, name]) => ({
      name: "thread_name",
      ph: "M",
      ts: 0,
      pid: 1,
      tid,
      args: { name },
    }));
    return { traceEvents: [...named, ...this.#events], displayTimeUnit: "ms" };
  }

  /** @internal Records an epoch that was just served. */
  addEpoch(epoch: TimedEpoch): void {
    const { number, startMilliseconds, readMilliseconds, packetCount, waveCount } = epoch;
    const args = { packets: packetCount };
    const name = `epoch ${number}`;
    this.#span({ name, tid: Track.epochs, from: startMilliseconds, to: readMilliseconds, args });
    this.#add({
      name: "waves under way",
      ph: "C",
      ts: this.#microseconds(startMilliseconds),
      pid: 1,
      tid: Track.epochs,
      args: { waves: waveCount },
    });
    if (packetCount === 0) return;
    const to = performance.now();
    this.#span({ name: "serve", tid: Track.serving, from: readMilliseconds, to, args });
  }

  /** @internal A service that records when it is served, until it has answered. */
  timed(name: string, work: PacketWork): PacketWork {
    return (packet) => {
      const end = this.#begin(name, packet);
      try {
        const result = work(packet);
        if (!(result instanceof Pending)) return end(), result;
        return result.map((answer) => (end(), answer));
      } catch (error) {
        end();
        throw error;
      }
    };
  }

  #begin(name: string, packet: Packet): () => void {
    const from = performance.now();
    let laneCount = 0;
    packet.forEachLane(() => laneCount++);
    const free = this.#busy.indexOf(false);
    const track = free < 0 ? this.#busy.length : free;
    this.#busy[track] = true;
    return () => {
      this.#busy[track] = false;
      const to = performance.now();
      this.#span({ name, tid: Track.calls + track, from, to, args: { lanes: laneCount } });
    };
  }

  #span(
    { name, tid, from, to, args }: Pick<TraceEvent, "name" | "tid" | "args"> & {
      readonly from: number;
      readonly to: number;
    },
  ): void {
    const dur = Math.round((to - from) * 1000);
    this.#add({ name, ph: "X", ts: this.#microseconds(from), dur, pid: 1, tid, args });
  }

  #add(event: TraceEvent): void {
    if (this.#events.length < EVENTS_MAX) this.#events.push(event);
    else this.#lostCount++;
  }

  #microseconds(milliseconds: number): number {
    return Math.round((milliseconds - this.#startMilliseconds) * 1000);
  }
}
