import { LIMIT_BYTES } from "../../call/limit.ts";
import { HANDLE_INDEXES } from "../../signature/wire/slot.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import { PORT_COUNT_MAX } from "../../toggle/layout.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../../wait/deadline.ts";
import { LINE_BYTES_MIN } from "./audit_log.ts";

/** What a guest may use up. */
export interface SandboxLimits {
  /** Calls at the same time; 4 when absent. */
  readonly callsInFlight?: number;
  /** Bytes of the arguments of one call, there and back, and of an answer; 1 MiB when absent. */
  readonly callBytes?: number;
  /** Handles, open files for example, at the same time; 64 when absent. */
  readonly handles?: number;
  /** Bytes of the guest's script; 4 MiB when absent. */
  readonly sourceBytes?: number;
  /** Bytes of one line of the log; 2048 when absent. */
  readonly lineBytes?: number;
  /** Bytes of the log, after which the guest is ended; 64 MiB when absent. */
  readonly logBytes?: number;
  /** How long it may take to start, in seconds; 30 when absent. */
  readonly startTimeoutSeconds?: number;
  /** How long it may take to answer, in seconds; 30 when absent. Then it is ended. */
  readonly timeoutSeconds?: number;
  /** Bytes of memory, beyond what its runtime takes; 512 MiB when absent. */
  readonly memoryBytes?: number;
  /** Time of processors in its whole life, in seconds; 600 when absent. */
  readonly cpuSeconds?: number;
}

/** Each limit. */
export type Limits = Required<SandboxLimits>;

/** Of a limit: what it is when absent, and what it may be; one in seconds may be no integer, and `Infinity`. */
export const LIMITS: {
  readonly [K in keyof Limits]: readonly [usual: number, least: number, most: number];
} = {
  callsInFlight: [4, 1, PORT_COUNT_MAX],
  callBytes: [LIMIT_BYTES, 0, 1 << 30],
  handles: [64, 0, HANDLE_INDEXES],
  sourceBytes: [1 << 22, 0, 1 << 30],
  lineBytes: [2048, LINE_BYTES_MIN, 1 << 20],
  logBytes: [1 << 26, LINE_BYTES_MIN, 2 ** 40],
  startTimeoutSeconds: [HANDLER_TIMEOUT_SECONDS, 0, 1e9],
  timeoutSeconds: [HANDLER_TIMEOUT_SECONDS, 0, 1e9],
  // The runtime itself takes some of it as it goes.
  memoryBytes: [1 << 29, 1 << 26, 2 ** 40],
  cpuSeconds: [600, 0.001, 1e9],
};

/**
 * The limits of a guest, with those that are absent.
 *
 * @throws {TypeError} for a name that is none, with the nearest one
 * @throws {RangeError} for a value that is out of its bounds
 */
export function limitsOf(limits: SandboxLimits): Limits {
  checkOptionNames("limit a guest", limits, Object.keys(LIMITS));
  const all = Object.entries(LIMITS).map(([name, [usual, least, most]]) => {
    const value: unknown = limits[name as keyof Limits] ?? usual;
    const isTime = name.endsWith("Seconds");
    const isKind = isTime ? typeof value === "number" : Number.isSafeInteger(value);
    const isEndless = isTime && value === Infinity;
    if (isKind && (isEndless || (value as number) >= least && (value as number) <= most)) {
      return [name, value as number] as const;
    }
    const kind = isTime ? "a number of seconds" : "an integer";
    throw new RangeError(
      `Cannot limit a guest as ${name} must be ${kind} from ${least} to ${most}${
        isTime ? ", or Infinity" : ""
      }: current value is ${String(value)}`,
    );
  });
  return Object.fromEntries(all) as unknown as Limits;
}
