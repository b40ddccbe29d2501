import { type AssertCall, assertOf, type PrintCall, printOf } from "../print/print_calls.ts";
import type { Types } from "../text/inference.ts";
import { TextFault } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Call, Func, Node } from "../text/syntax.ts";
import { FAILURE_VALUES } from "../wgsl/kernel_error.ts";
import type { KernelText } from "./kernel_text.ts";
import { type Service, servicesOf } from "./services.ts";

/** Functions of `kernel_api.wgsl` that make a request, and what becomes statements of a step. */
const REQUESTS: ReadonlySet<string> = new Set(
  "call cast_call begin send recv close call_with_stream exchange_streams print printf printf_if assert"
    .split(" "),
);
/** Functions of WGSL by which lanes wait for each other. */
export const BARRIERS: ReadonlySet<string> = new Set([
  "workgroupBarrier",
  "storageBarrier",
  "workgroupUniformLoad",
]);

/** What calls the host in a kernel, and how. */
export class Kernel {
  readonly text: KernelText;
  readonly module: Module;
  readonly types: Types;
  /** Words of a lane in a packet. */
  readonly laneWords: number;
  /** Whether barriers and workgroup memory mean something. */
  readonly meets: boolean;
  /** The functions of the host that the text declares. */
  readonly services: ReadonlyMap<Func, Service>;
  readonly prints = new Map<Call, PrintCall>();
  readonly asserts = new Map<Call, AssertCall>();
  /** Functions that call the host; `kernel` first, and each after its callers. */
  readonly suspending: ReadonlySet<Func>;
  readonly #suspends = new Map<Node, boolean>();

  /** @throws {TextFault} at what cannot be a kernel */
  constructor(
    text: KernelText,
    { laneWords, meets }: { readonly laneWords: number; readonly meets: boolean },
  ) {
    this.text = text;
    this.module = text.module;
    this.types = text.types;
    this.laneWords = laneWords;
    this.meets = meets;
    this.services = servicesOf(text, laneWords);
    this.suspending = this.#suspendingOf();
    for (const { body } of this.suspending) if (body?.fault) throw body.fault;
    for (const call of [...this.module.calls.values()].flat()) {
      if (call.callee.declared) continue;
      if (call.text === "printf" || call.text === "printf_if") {
        this.prints.set(call, sized(printOf(this.types, call)));
      }
      if (call.text === "assert") this.asserts.set(call, told(sized(assertOf(this.types, call))));
    }
  }

  #suspendingOf(): ReadonlySet<Func> {
    const found = new Map<Func, boolean>();
    const order: Func[] = [];
    const visit = (one: Func, way: readonly Func[]): boolean => {
      if (this.services.has(one)) return true;
      if (way.includes(one)) {
        throw new TextFault(
          one.nameStart,
          `${one.name} calls itself, which no function of WGSL may`,
        );
      }
      const known = found.get(one);
      if (known !== undefined) return known;
      let suspends = one.name === "kernel";
      for (const { callee: { declared, text } } of this.module.calls.get(one)!) {
        const calls = declared?.kind === "function"
          ? visit(declared, [...way, one])
          : !declared && this.isRequest(text);
        if (calls) suspends = true;
      }
      found.set(one, suspends);
      if (suspends) order.unshift(one);
      return suspends;
    };
    const { functions } = this.module;
    for (const one of functions) if (one.name !== "kernel") visit(one, []);
    const kernel = functions.find(({ name }) => name === "kernel");
    if (kernel) visit(kernel, []);
    return new Set(order);
  }

  /** Functions that `kernel` reaches and that suspend: stubs may add many others. */
  get reached(): readonly Func[] {
    const reached = this.module.reached(
      [...this.suspending].filter(({ name }) => name === "kernel"),
    );
    return [...this.suspending].filter((one) => reached.has(one));
  }

  /** The functions of the text that are replaced by generated ones. */
  get dissolved(): ReadonlySet<Func> {
    return new Set([...this.services.keys(), ...this.suspending]);
  }

  /** Whether a call by this name makes a request, without a declaration. */
  isRequest(name: string): boolean {
    return REQUESTS.has(name) || (this.meets && BARRIERS.has(name));
  }

  /** Whether a call itself asks the host, or a function that does. */
  isSuspending({ callee: { declared, text } }: Call): boolean {
    if (declared?.kind !== "function") return !declared && this.isRequest(text);
    return this.services.has(declared) || this.suspending.has(declared);
  }

  /** Whether a node calls the host. */
  suspends = (node: Node): boolean => {
    const known = this.#suspends.get(node);
    if (known !== undefined) return known;
    const found = (node.kind === "call" && this.isSuspending(node)) ||
      node.parts.some(this.suspends);
    this.#suspends.set(node, found);
    return found;
  };
}

/** Refuses arrays whose length a kernel's format, which the host reads, cannot have. */
function sized<T extends PrintCall>(call: T): T {
  if (!call.pieces.some((piece) => typeof piece !== "string" && piece.elements)) return call;
  const reason = "%v of a kernel takes no array whose length is known when it runs";
  throw new TextFault(call.call.start, `${reason}: print elements, and arrayLength()`);
}

function told(assert: AssertCall): AssertCall {
  const count = assert.parameters.flatMap(({ parts }) => parts).length;
  if (count < FAILURE_VALUES) return assert;
  const reason = `an assert of a kernel tells at most ${FAILURE_VALUES - 1} numbers`;
  throw new TextFault(assert.call.start, `${reason}: current value is ${count}`);
}
