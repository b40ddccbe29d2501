import type { ApiServer } from "../../signature/mod.ts";
import type { AuditSink } from "./audit_log.ts";
import type { Policy } from "./policy.ts";

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
  /** Bytes of one line of the log, at least 1536; 2048 when absent. */
  readonly lineBytes?: number;
  /** Bytes of the log, after which the guest is ended; 64 MiB when absent. */
  readonly logBytes?: number;
  /** How long it may take to start, in seconds; 30 when absent. */
  readonly startTimeoutSeconds?: number;
  /** How long it may take to answer, in seconds; 30 when absent. Then it is ended. */
  readonly timeoutSeconds?: number;
}

/** What a sandbox is made of. */
export interface SandboxOptions {
  /** Serves what there is for a guest, by `serveFiles(server)` for example. */
  readonly serve: (server: ApiServer) => void;
  /** Which of it the guest may call, and how; without a rule for it, a function does not exist. */
  readonly policy: Policy;
  /** Takes each line of the log; see `auditTo`. While it throws, no call is made. */
  readonly audit: AuditSink;
  /** How the log calls the guest; the end of its URL when absent. */
  readonly name?: string;
  /** What the guest may use up. */
  readonly limits?: SandboxLimits;
}
