import { CallError } from "../../call/call_error.ts";
import { OPCODE_MAX } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";
import { isPromise } from "../../memory/sync_result.ts";
import type { KernelText } from "../kernel/kernel_text.ts";
import { checkWordCount, type Service, servicesOf } from "../kernel/services.ts";
import { refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Call, Func } from "../text/syntax.ts";
import type { KernelFunction } from "./host_functions.ts";

/** A function of the host that a text calls without waiting, and the two that do it. */
export interface LaterCall {
  readonly service: Service;
  /** Takes the lane, the number of its call and the arguments, and gives nothing back. */
  readonly begin: Service;
  /** Takes the lane, the number, and how many calls the lane has begun; gives the answer back. */
  readonly end: Service;
}

/** Words that `begin_` and `end_` hand over beside the arguments: the lane, and the number of the call. */
const OWN_WORDS = 2;

/** What a lane goes by. */
const NAMES_OF_LANES = /^(?:lane_index|wave_index|LANE_COUNT)$/;

/**
 * Declares `begin_NAME` and `end_NAME` of each function of the host where a text calls these: a cast that
 * brings the arguments, and a call that asks for the answer. So a wave has no port while the host works.
 *
 * @param services those that the text declares
 * @returns the text to append, and the functions in the text that has it
 * @throws {TextFault} where that cannot be
 */
export function laterCalls(
  text: KernelText,
  services: readonly Service[],
  laneWords: number,
): { readonly text: string; readonly callsIn: (whole: KernelText) => readonly LaterCall[] } {
  const { module } = text;
  const called = new Map<string, Call>();
  for (const call of [...module.calls.values()].flat().toReversed()) {
    if (!call.callee.declared) called.set(call.text, call);
  }
  const callOf = ({ name }: Service) => called.get(`begin_${name}`) ?? called.get(`end_${name}`);
  const wanted = services.filter(callOf);
  if (wanted.length === 0) return { text: "", callsIn: () => [] };
  const taken = module.byName.values().find(({ name }) => NAMES_OF_LANES.test(name));
  if (taken) refuse(taken, `${taken.name} is what later calls go by: give yours another name`);
  const cast = wanted.find(({ isCast }) => isCast);
  if (cast) {
    const { name } = cast;
    const reason = `${name} is a @cast, which does not wait and gives nothing back: call ${name}`;
    refuse(callOf(cast)!, reason);
  }
  const prefix = module.freePrefix("later_");
  const opcodes = freeOpcodes(services);
  const declarations = wanted.map(({ of, name, parameters }) => {
    const wordCount = OWN_WORDS + parameters.reduce((sum, { words }) => sum + words.length, 0);
    const { nameStart } = of;
    checkWordCount({ name: `begin_${name}`, nameStart }, laneWords, { does: "takes", wordCount });
    return declared(module, of, { prefix, opcodes });
  });
  return {
    text: `
var<private> ${prefix}count: u32;
fn ${prefix}lane() -> u32 { return wave_index * LANE_COUNT + lane_index; }
${declarations.join("")}`,
    callsIn: (whole) => {
      const all = new Map(servicesOf(whole, laneWords).values().map((one) => [one.name, one]));
      return wanted.map((service) => ({
        service,
        begin: all.get(`begin_${service.name}_call`)!,
        end: all.get(`end_${service.name}_call`)!,
      }));
    },
  };
}

/** Opcodes that no function of the text has, from the largest down. */
function* freeOpcodes(services: readonly Service[]): Generator<number, never> {
  const taken = new Set(services.map(({ opcodeNumber }) => opcodeNumber));
  for (let opcode = OPCODE_MAX;; opcode--) if (!taken.has(opcode)) yield opcode;
}

function declared(
  module: Module,
  { name, list, parameters, result }: Func,
  { prefix, opcodes }: {
    readonly prefix: string;
    readonly opcodes: Generator<number, never>;
  },
): string {
  const handed = parameters.map(({ type }, at) => `, ${prefix}${at}: ${module.textOf(type!)}`);
  const given = parameters.map(({ name }) => `, ${name}`).join("");
  const back = result ? ` -> ${module.textOf(result)}` : "";
  const [count, lane] = [`${prefix}count`, `${prefix}lane`];
  const own = `${prefix}of: u32, ${prefix}number: u32`;
  return `@service(${opcodes.next().value}) @cast fn begin_${name}_call(${own}${handed.join("")});
@service(${opcodes.next().value}) fn end_${name}_call(${own}, ${count}_now: u32)${back};
fn begin_${name}(${module.textOf(list)}) -> u32 {
  ${count} += 1u;
  begin_${name}_call(${lane}(), ${count}${given});
  return ${count};
}
fn end_${name}(future: u32)${back} {
  ${back ? "return " : ""}end_${name}_call(${lane}(), future, ${count});
}
`;
}

/** A call that was begun, or is waited for before it was seen to begin. */
interface Future {
  readonly service: Service;
  /** The answer, or a promise of it. */
  result: unknown;
  /** Begins what is waited for already. */
  readonly resolve?: (result: unknown) => void;
}

/** The calls of a lane: not more is kept than is open, however many there were. */
class LaneFutures {
  /** By number, from 1 on. */
  readonly open = new Map<number, Future>();
  /** All up to this one have begun. */
  #begunUpTo = 0;
  /** Others that have, as casts may overtake each other. */
  readonly #early = new Set<number>();

  note(number: number): void {
    this.#early.add(number);
    while (this.#early.delete(this.#begunUpTo + 1)) this.#begunUpTo++;
  }

  hasBegun(number: number): boolean {
    return number <= this.#begunUpTo || this.#early.has(number);
  }
}

function noFuture(name: string, number: number, reason: string): RangeError {
  return new RangeError(
    `Cannot wait for ${name} as ${reason}: current value is ${number}: hand over what begin_${name} gave, once`,
  );
}

function otherCall({ name }: Service, number: number, begun: Service): RangeError {
  return noFuture(name, number, `this is a call of ${begun.name}`);
}

/** The host's side of the calls of one run that do not wait. */
export class Futures {
  readonly #lanes = new Map<number, LaneFutures>();

  /** A function that begins calls of another. */
  begin(service: Service, work: KernelFunction): KernelFunction {
    return (lane: number, number: number, ...values: unknown[]) => {
      const result = settled(work, values);
      const future: Future = { service, result };
      // Once it is there, nothing waits. Of a failure hears who waits for it, else the run at its end.
      if (isPromise(result)) result.then((value) => future.result = value, () => {});
      const futures = this.#of(lane);
      futures.note(number);
      const waiting = futures.open.get(number);
      if (!waiting) return void futures.open.set(number, future);
      futures.open.delete(number);
      const isSame = waiting.service === service;
      waiting.resolve?.(
        isSame ? result : Promise.reject(otherCall(waiting.service, number, service)),
      );
    };
  }

  /** A function that gives the answers back. */
  end(service: Service): KernelFunction {
    const { name } = service;
    return (lane: number, number: number, count: number) => {
      const futures = this.#of(lane);
      const future = futures.open.get(number);
      if (number === 0 || number > count) {
        throw noFuture(name, number, `the lane has begun ${count} calls`);
      }
      if (future?.resolve || (!future && futures.hasBegun(number))) {
        throw noFuture(name, number, "the answer of this call is taken");
      }
      if (future && future.service !== service) throw otherCall(service, number, future.service);
      if (future) {
        futures.open.delete(number);
        return future.result;
      }
      // The cast may come by a port that is served later.
      const { promise, resolve } = Promise.withResolvers<unknown>();
      futures.open.set(number, { service, result: promise, resolve });
      return promise;
    };
  }

  #of(lane: number): LaneFutures {
    const known = this.#lanes.get(lane) ?? new LaneFutures();
    this.#lanes.set(lane, known);
    return known;
  }

  /**
   * Waits for the calls that no lane has waited for.
   *
   * @returns the errors of those that failed
   */
  async left(signal?: AbortSignal): Promise<CallError[]> {
    const left = [...this.#lanes.values()].flatMap(({ open }) => [...open.values()])
      .filter(({ result }) => isPromise(result));
    if (left.length === 0) return [];
    const { promise, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal!.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      const all = Promise.allSettled(left.map(({ result }) => result));
      const ends = await Promise.race([all, promise]);
      return ends.flatMap((end, at) =>
        end.status === "rejected" ? [failure(left[at]!.service, end.reason)] : []
      );
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

/** What a function gives back, or a promise that fails where it throws: the lanes of a call fail alone. */
function settled(work: KernelFunction, values: readonly unknown[]): unknown {
  try {
    return work(...values);
  } catch (error) {
    return Promise.reject(error);
  }
}

function failure({ name, opcodeNumber: opcode }: Service, thrown: unknown): CallError {
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  const reason = { opcode, name: `begin_${name}`, detail: cause.message, cause };
  return new CallError(Status.handlerFailed, reason);
}
