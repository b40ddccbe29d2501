import { errorReport } from "../../call/error_report.ts";
import { Opcode } from "../../memory/opcode.ts";
import {
  ApiServer,
  type ApiServerOptions,
  type AsyncHostFunctions,
  type Functions,
  type HostApi,
  type HostFunctions,
  type ServedApi,
} from "../../signature/mod.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import type { Server } from "../../toggle/server/server.ts";
import { registerReserved } from "../../toggle/server/service_registry.ts";
import { AuditError, type AuditLog } from "./audit_log.ts";
import { type GuardContext, GuardedFunction } from "./guarded_function.ts";
import { isAdmitted, type Policy } from "./policy.ts";

/** What a gate lets through, and where it says so. */
export interface GateOptions extends ApiServerOptions {
  /** Which calls are made. */
  readonly policy: Policy;
  /** Where each call has a line. */
  readonly log: AuditLog;
}

/**
 * Serves functions as an `ApiServer`, as far as a policy goes, and logs each call. Functions that no rule
 * lets through are not served at all: nobody finds them by name or opcode.
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../mod.ts";
 * import { f64, fn, hostApi } from "../../signature/mod.ts";
 * import { AuditLog } from "./audit_log.ts";
 * import { Gate } from "./gate.ts";
 * import { allow } from "./policy.ts";
 * const math = hostApi("math", { hypot: fn([f64, f64], f64), sqrt: fn([f64], f64) });
 * const server = new Server(Channel.create({ portCount: 1, laneCount: 1 }));
 * const log = new AuditLog("guest", () => {}, { lineBytes: 2048, logBytes: 1 << 20 });
 * const gate = new Gate(server, { policy: [allow("math.sqrt")], log });
 * gate.serve(math, { hypot: Math.hypot, sqrt: Math.sqrt });
 * if (Object.keys(gate.apis[0]!.functions).join() !== "sqrt") throw new Error("hypot is not let through");
 * ```
 */
export class Gate extends ApiServer {
  /** What may be called. */
  readonly apis: HostApi[] = [];
  /** The names of all functions, also of those that nobody may call. */
  readonly names: string[] = [];
  readonly #context: GuardContext;

  constructor(server: Server, { policy, log, ...options }: GateOptions) {
    super(server, options);
    const numbers = new WeakMap<object, number>();
    let count = 0;
    const numberOf = (object: object) => numbers.get(object) ?? ++count;
    this.#context = {
      policy,
      log,
      told: new WeakSet(),
      nameOf(kind, object) {
        if (!isObject(object)) return kind;
        const number = numberOf(object);
        numbers.set(object, number);
        return `${kind} ${number}`;
      },
    };
    // Every server answers it, and nobody would hear of it.
    server[registerReserved](Opcode.noop, undefined);
  }

  override serve<Fs extends Functions>(api: HostApi<Fs>, functions: HostFunctions<Fs>): ServedApi {
    const admitted = this.#admit(api);
    const guards = this.#guards(admitted, functions).map(([key, guard]) =>
      [key, (...values: unknown[]) => guard.call(values)] as const
    );
    return super.serve(admitted, Object.fromEntries(guards) as HostFunctions<Functions>);
  }

  override serveAsync<Fs extends Functions>(
    api: HostApi<Fs>,
    functions: AsyncHostFunctions<Fs>,
  ): ServedApi {
    const admitted = this.#admit(api);
    const guards = this.#guards(admitted, functions).map(([key, guard]) =>
      [key, (...values: unknown[]) => guard.callAsync(values)] as const
    );
    return super.serveAsync(admitted, Object.fromEntries(guards) as AsyncHostFunctions<Functions>);
  }

  /** Logs a call that reached no function, or failed after it: for `onFault` of the server. */
  logFault({ opcode, status, cause }: FaultReport): void {
    const { log, told } = this.#context;
    if (cause instanceof AuditError || (isObject(cause) && told.has(cause))) return;
    const error = cause === undefined ? `status ${status}` : errorReport(cause).message;
    log.write({ time: log.time(), call: `opcode ${opcode}`, verdict: "refuse", error });
  }

  /** The part of an API that some rule lets through. */
  #admit(api: HostApi): HostApi {
    const entries = Object.entries(api.functions);
    this.names.push(...entries.map(([, { name }]) => name));
    const admitted = entries.filter(([, { name }]) => isAdmitted(this.#context.policy, name));
    const part = { name: api.name, functions: Object.fromEntries(admitted) };
    this.apis.push(part);
    return part;
  }

  #guards(
    { functions }: HostApi,
    work: Readonly<Record<string, unknown>>,
  ): (readonly [key: string, guard: GuardedFunction])[] {
    return Object.entries(functions).map(([key, target]) => {
      const one = Object.hasOwn(work, key) ? work[key] : undefined;
      if (typeof one !== "function") {
        throw new TypeError(`Cannot serve ${target.name} as there is no function: ${one}`);
      }
      return [key, new GuardedFunction(target, one as () => unknown, this.#context)] as const;
    });
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
