import { Errno } from "../../signature/declare/errno.ts";
import { errorReport } from "../../call/error_report.ts";
import { Opcode } from "../../memory/opcode.ts";
import * as s from "../../signature/mod.ts";
import type {
  ApiFunction,
  Field,
  Functions,
  Parameter,
  Result,
} from "../../signature/declaration_types.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import type { Server } from "../../toggle/server/server.ts";
import { serveReserved } from "../../toggle/server/service_registry.ts";
import { type AuditEntry, AuditError, type AuditLog } from "./audit_log.ts";
import { isAdmitted, judge, type Policy, type Verdict } from "./policy.ts";
import { Pending } from "../../toggle/pending/pending.ts";

/** What a gate lets through, and where it says so. */
export interface GateOptions extends s.ApiServerOptions {
  readonly policy: Policy;
  /** Where each call has a line. */
  readonly log: AuditLog;
}

/**
 * Serves functions as an `ApiServer`, as far as a policy goes, and logs each call. Functions that no rule
 * lets through are not served at all: nobody finds them by name or opcode.
 */
export class Gate extends s.ApiServer {
  readonly apis: s.HostApi[] = [];
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
    server[serveReserved](Opcode.noop, undefined);
  }

  override serve<Fs extends Functions>(
    api: s.HostApi<Fs>,
    functions: s.HostFunctions<Fs>,
  ): s.ServedApi {
    const admitted = this.#admit(api);
    return super.serve(admitted, this.#guarded(admitted, functions, "call") as never);
  }

  override serveAsync<Fs extends Functions>(
    api: s.HostApi<Fs>,
    functions: s.AsyncHostFunctions<Fs>,
  ): s.ServedApi {
    const admitted = this.#admit(api);
    return super.serveAsync(admitted, this.#guarded(admitted, functions, "callAsync") as never);
  }

  /** Logs a call that reached no function, or failed after it: for `onFault` of the server. */
  logFault({ opcode, status, cause }: FaultReport): void {
    const { log, told } = this.#context;
    if (cause instanceof AuditError || (isObject(cause) && told.has(cause))) return;
    const error = cause === undefined ? `status ${status}` : errorReport(cause).message;
    log.write({ time: log.time(), call: `opcode ${opcode}`, verdict: "refuse", error });
  }

  /** The part of an API that some rule lets through. */
  #admit(api: s.HostApi): s.HostApi {
    const entries = Object.entries(api.functions);
    this.names.push(...entries.map(([, { name }]) => name));
    const admitted = entries.filter(([, { name }]) => isAdmitted(this.#context.policy, name));
    const part = { name: api.name, functions: Object.fromEntries(admitted) };
    this.apis.push(part);
    return part;
  }

  #guarded(
    { functions }: s.HostApi,
    work: Readonly<Record<string, unknown>>,
    by: "call" | "callAsync",
  ): Readonly<Record<string, Work>> {
    const entries = Object.entries(functions).map(([key, target]) => {
      const one = Object.hasOwn(work, key) ? work[key] : undefined;
      if (typeof one !== "function") {
        throw new TypeError(`Cannot serve ${target.name} as there is no function: ${one}`);
      }
      const guard = new GuardedFunction(target, one as Work, this.#context);
      return [key, (...values: unknown[]) => guard[by](values)] as const;
    });
    return Object.fromEntries(entries);
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

type Work = (...values: unknown[]) => unknown;

/** What the functions behind one gate have in common. */
export interface GuardContext {
  readonly policy: Policy;
  readonly log: AuditLog;
  /** What was thrown by calls that have their line in the log. */
  readonly told: WeakSet<object>;
  /** How the log calls the object of a handle. */
  nameOf(kind: string, object: unknown): string;
}

/** A call that was let through. */
interface MadeCall {
  readonly values: readonly unknown[];
  readonly entry: Omit<AuditEntry, "guest">;
  readonly beganMilliseconds: number;
}

/** A function behind a gate: judges each call, makes it, and writes its line. */
export class GuardedFunction {
  readonly #target: ApiFunction;
  readonly #work: Work;
  readonly #context: GuardContext;

  constructor(target: ApiFunction, work: Work, context: GuardContext) {
    this.#target = target;
    this.#work = work;
    this.#context = context;
  }

  /** Makes a call that the policy lets through. */
  call(values: readonly unknown[]): unknown {
    const call = this.#begin(values);
    const work = this.#work; // called as a function: `this` would be this object
    let result: unknown;
    try {
      result = work(...call.values);
    } catch (error) {
      throw this.#fail(call, error);
    }
    return result instanceof Pending ? this.#later(call, result) : this.#end(call, result);
  }

  /** As {@linkcode call}, for a function that may wait. */
  async callAsync(values: readonly unknown[]): Promise<unknown> {
    const call = this.#begin(values);
    const work = this.#work;
    let result: unknown;
    try {
      result = await work(...call.values);
    } catch (error) {
      throw this.#fail(call, error);
    }
    return this.#end(call, result);
  }

  /** A call whose function cannot answer yet has its line when it is over. */
  #later(call: MadeCall, pending: Pending): Pending {
    return new Pending({
      poll: () => {
        let result: unknown;
        try {
          result = pending.poll();
        } catch (error) {
          throw this.#fail(call, error);
        }
        return result === undefined ? undefined : this.#end(call, result);
      },
      cancel: (reason) => {
        pending.cancel(reason);
        this.#context.told.add(reason);
        try {
          this.#fail(call, reason);
        } catch {
          // The log counts what it loses, and nobody waits for this call.
        }
      },
    });
  }

  #begin(given: readonly unknown[]): MadeCall {
    const { log, policy } = this.#context;
    this.#logging(() => log.checkOpen());
    const { name, signature: { parameters } } = this.#target;
    const shown = (values: readonly unknown[]) =>
      values.map((value, index) => this.#shown(parameters[index], value));
    const entry = { time: log.time(), call: name, arguments: shown(given) };
    let verdict: Verdict;
    try {
      verdict = judge(policy, name, given);
    } catch (error) {
      const { message } = errorReport(error);
      return this.#deny({ ...entry, verdict: "deny", error: `the policy failed: ${message}` });
    }
    const { kind, values } = verdict;
    if (kind === "deny") return this.#deny({ ...entry, verdict: kind });
    const became = kind === "rewrite" ? { became: shown(values) } : {};
    const beganMilliseconds = performance.now();
    return { values, entry: { ...entry, verdict: kind, ...became }, beganMilliseconds };
  }

  #deny(entry: Omit<AuditEntry, "guest">): never {
    this.#write({ ...entry, errno: "EPERM" });
    throw this.#tell(new s.ErrnoError(Errno.EPERM, `call ${this.#target.name}`));
  }

  #end(call: MadeCall, value: unknown): unknown {
    const { result } = this.#target.signature;
    const shown = result.kind === "void" ? {} : { result: this.#shown(result, value) };
    this.#write({ ...call.entry, ...shown, microseconds: since(call) });
    return value;
  }

  /**
   * Says what failed in the log, and returns what the guest is told. Of a failure of the system, which
   * has a code, not the text: paths of the host's are in it.
   */
  #fail(call: MadeCall, error: unknown): Error {
    const microseconds = since(call);
    const { name, message } = errorReport(error);
    if (error instanceof s.ErrnoError) {
      this.#write({ ...call.entry, errno: error.code, microseconds });
      return this.#tell(new s.ErrnoError(error.errno, `call ${this.#target.name}`));
    }
    this.#write({ ...call.entry, error: `${name}: ${message}`, microseconds });
    const { code } = Object(error) as { readonly code?: unknown };
    return this.#tell(
      Object.assign(new Error(typeof code === "string" ? code : message), { name }),
    );
  }

  #write(entry: Omit<AuditEntry, "guest">): void {
    this.#logging(() => this.#context.log.write(entry));
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
    this.#context.told.add(error);
    return error;
  }

  /** What stands for a value in the log: the names of objects that the guest has handles of. */
  #shown(kind: Parameter | Result | Field | undefined, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    switch (kind?.kind) {
      case "nullable":
        return this.#shown(kind.of, value);
      case "handle":
        return { handle: this.#context.nameOf(kind.name, value) };
      case "callback":
        return { callback: (value as Work).name };
      case "reference":
        return this.#shown(kind.struct, value);
      case "array":
        return (value as unknown[]).map((one) => this.#shown(kind.of, one));
      case "struct": {
        const fields = value as Readonly<Record<string, unknown>>;
        const shown = (
          [name, one]: [string, Field],
        ) => [name, this.#shown(one, fields[name])];
        return Object.fromEntries(Object.entries(kind.fields).map(shown));
      }
      default:
        return value;
    }
  }
}

function since({ beganMilliseconds }: MadeCall): number {
  return Math.round(1000 * (performance.now() - beganMilliseconds));
}
