import { WorkerLink } from "../../../worker/worker_link.ts";
import type { CaseReport } from "../cases/case.ts";

/** Runs every case of the suite in a worker, which starts workers of its own. */
export function runSuite(): Promise<CaseReport[]> {
  const link = new WorkerLink<"run">(new URL("./suite_worker.ts", import.meta.url));
  return link.ask("run");
}
