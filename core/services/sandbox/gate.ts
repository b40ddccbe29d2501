import { errorReport } from "../../call/error_report.ts";
import { Opcode } from "../../memory/opcode.ts";
import { Errno } from "../../signature/declare/errno.ts";
import * as s from "../../signature/mod.ts";
import type {
  ApiFunction,
  Field,
  Functions,
  Parameter,
  Result,
} from "../../signature/declaration_types.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import type { Server } from "../../toggle/server/server.ts";
import { serveReserved } from "../../toggle/server/service_registry.ts";
import { type AuditEntry, AuditError, type AuditLog, auditTime } from "./audit_log.ts";
import { isAdmitted, judge, type Policy } from "./policy.ts";

/** What a gate lets through, and where it says so. */
export interface GateOptions extends s.ApiServerOptions {
  readonly policy: Policy;
  /** Where each call has a line. */
  readonly log: AuditLog;
}

/** A function of a host, called without `this`, which would be an object of the gate's. */
type Work = (...values: unknown[]) => unknown;

/** A call that was let through, and its line so far. */
interface MadeCall {
  readonly target: ApiFunction;
  readonly values: readonly unknown[];
  readonly entry: AuditEntry;
  readonly beganMilliseconds: number;
}

/**
 * Serves functions as an `ApiServer`, as far as a policy goes, and logs each call. Functions that no rule
 * lets through are not served at all: nobody finds them by name or opcode.
 */
export class Gate extends s.ApiServer {
  readonly apis: s.HostApi[] = [];
  /** The names of all functions, also of those that nobody may call. */
  readonly names: string[] = [];
  readonly #policy: Policy;
  readonly #log: AuditLog;
  /** What was thrown by calls that have their line in the log. */
  readonly #told = new WeakSet<object>();
  /** How the log calls the objects that the guest has handles of. */
  readonly #numbers = new WeakMap<object, number>();
  #objectCount = 0;

  constructor(server: Server, { policy, log, ...options }: GateOptions) {
    super(server, options);
    this.#policy = policy;
    this.#log = log;
    // Every server answers it, and nobody would hear of it.
    server[serveReserved](Opcode.noop, undefined);
  }

  override serve<Fs extends Functions>(
    api: s.HostApi<Fs>,
    functions: s.HostFunctions<Fs>,
  ): s.ServedApi {
    const admitted = this.#admit(api);
    return super.serve(admitted, this.#guarded(admitted, functions) as never);
  }

  override serveAsync<Fs extends Functions>(
    api: s.HostApi<Fs>,
    functions: s.AsyncHostFunctions<Fs>,
  ): s.ServedApi {
    const admitted = this.#admit(api);
    return super.serveAsync(admitted, this.#guarded(admitted, functions) as never);
  }

  /** Logs a call that reached no function, or failed after it: for `onFault` of the server. */
  logFault({ opcode, status, cause }: FaultReport): void {
    if (cause instanceof AuditError || (isObject(cause) && this.#told.has(cause))) return;
    const error = cause === undefined ? `status ${status}` : errorReport(cause).message;
    this.#log.write({ call: `opcode ${opcode}`, verdict: "refuse", error });
  }

  /** The part of an API that some rule lets through. */
  #admit(api: s.HostApi): s.HostApi {
    const entries = Object.entries(api.functions);
    this.names.push(...entries.map(([, { name }]) => name));
    const admitted = entries.filter(([, { name }]) => isAdmitted(this.#policy, name));
    const part = { name: api.name, functions: Object.fromEntries(admitted) };
    this.apis.push(part);
    return part;
  }

  /** The functions of an API, each behind the gate. */
  #guarded(
    { functions }: s.HostApi,
    given: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, Work>> {
    const entries = Object.entries(functions).map(([key, target]) => {
      const work = Object.hasOwn(given, key) ? given[key] as Work : undefined;
      if (typeof work === "function") {
        return [key, (...values: unknown[]) => this.#call(target, work, values)] as const;
      }
      throw new TypeError(`Cannot serve ${target.name} as there is no function: ${work}`);
    });
    return Object.fromEntries(entries);
  }

  #call(target: ApiFunction, work: Work, values: readonly unknown[]): unknown {
    const call = this.#begin(target, values);
    const result = this.#orFail(call, () => work(...call.values));
    if (result instanceof Promise) return result.then((value) => this.#end(call, value));
    return result instanceof Pending ? this.#later(call, result) : this.#end(call, result);
  }

  /** A call whose function cannot answer yet has its line when it is over. */
  #later(call: MadeCall, pending: Pending): Pending {
    return new Pending({
      poll: () => {
        const result = this.#orFail(call, () => pending.poll());
        return result === undefined ? undefined : this.#end(call, result);
      },
      cancel: (reason) => {
        pending.cancel(reason);
        this.#told.add(reason);
        try {
          this.#fail(call, reason);
        } catch {
          // The log counts what it loses, and nobody waits for this call.
        }
      },
    });
  }

  /** Judges a call before anything is done for it. */
  #begin(target: ApiFunction, given: readonly unknown[]): MadeCall {
    const { name, signature: { parameters } } = target;
    this.#logging(() => this.#log.checkOpen());
    const time = auditTime();
    const shown = (values: readonly unknown[]) =>
      values.map((value, index) => this.#shown(parameters[index], value));
    const { kind: verdict, values, error } = judge(this.#policy, name, given);
    const entry = {
      time,
      call: name,
      arguments: shown(given),
      verdict,
      ...(verdict === "rewrite" && { became: shown(values) }),
      ...(error !== undefined && { error }),
    };
    if (verdict !== "deny") return { target, values, entry, beganMilliseconds: performance.now() };
    this.#write({ ...entry, errno: "EPERM" });
    throw this.#tell(new s.ErrnoError(Errno.EPERM, `call ${name}`));
  }

  #orFail<Made>(call: MadeCall, work: () => Made): Made {
    try {
      const made = work();
      if (!(made instanceof Promise)) return made;
      return made.catch((error) => {
        throw this.#fail(call, error);
      }) as Made;
    } catch (error) {
      throw this.#fail(call, error);
    }
  }

  #end(call: MadeCall, value: unknown): unknown {
    const { result } = call.target.signature;
    this.#finish(call, result.kind === "void" ? {} : { result: this.#shown(result, value) });
    return value;
  }

  /**
   * Says what failed in the log, and returns what the guest is told. Of a failure of the system, which
   * has a code, not the text: paths of the host's are in it.
   */
  #fail(call: MadeCall, error: unknown): Error {
    if (error instanceof s.ErrnoError) {
      this.#finish(call, { errno: error.code });
      return this.#tell(new s.ErrnoError(error.errno, `call ${call.target.name}`));
    }
    const { name, message } = errorReport(error);
    this.#finish(call, { error: `${name}: ${message}` });
    const { code } = Object(error) as { readonly code?: unknown };
    const text = typeof code === "string" ? code : message;
    return this.#tell(Object.assign(new Error(text), { name }));
  }

  #finish({ entry, beganMilliseconds }: MadeCall, more: Partial<AuditEntry>): void {
    const microseconds = Math.round(1000 * (performance.now() - beganMilliseconds));
    this.#write({ ...entry, ...more, microseconds });
  }

  #write(entry: AuditEntry): void {
    this.#logging(() => this.#log.write(entry));
  }

  /** What fails in the log needs no line there. */
  #logging(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw error instanceof AuditError ? this.#tell(error) : error;
    }
  }

  #tell<Thrown extends Error>(error: Thrown): Thrown {
    this.#told.add(error);
    return error;
  }

  /** What stands for a value in the log: the names of objects that the guest has handles of. */
  #shown(kind: Parameter | Result | Field | undefined, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    switch (kind?.kind) {
      case "nullable":
        return this.#shown(kind.of, value);
      case "handle":
        return { handle: this.#nameOf(kind.name, value) };
      case "callback":
        return { callback: (value as Work).name };
      case "reference":
        return this.#shown(kind.struct, value);
      case "array":
        return (value as unknown[]).map((one) => this.#shown(kind.of, one));
      case "struct": {
        const fields = value as Readonly<Record<string, unknown>>;
        return Object.fromEntries(
          Object.entries(kind.fields).map(([name, one]) => [name, this.#shown(one, fields[name])]),
        );
      }
      default:
        return value;
    }
  }

  #nameOf(kind: string, object: unknown): string {
    if (!isObject(object)) return kind;
    const number = this.#numbers.get(object) ?? ++this.#objectCount;
    this.#numbers.set(object, number);
    return `${kind} ${number}`;
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
