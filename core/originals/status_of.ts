import { CallError } from "../call_error.ts";
import { Status } from "../status.ts";

/** How a call ended: what its `CallError` says, or `ok`. */
export function statusOf(call: () => void): Status {
  try {
    call();
  } catch (error) {
    if (error instanceof CallError) return error.status;
    throw error;
  }
  return Status.ok;
}
