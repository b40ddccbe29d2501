import { answerParent } from "../../../worker/worker_scope.ts";
import { WorkerLink } from "../../../worker/worker_link.ts";

/**
 * For a program whose module is its worker's, too: whether this thread is the worker, in which case `work`
 * answers what it is asked.
 */
export function servesAsWorker<Job>(work: (job: Job) => unknown): boolean {
  if (!("WorkerGlobalScope" in globalThis)) return false;
  answerParent(work);
  return true;
}

/** Starts the module as a worker for one job; settles with what its work returns or throws. */
export async function askOwnWorker<Job, Result = void>(url: string, job: Job): Promise<Result> {
  const link = new WorkerLink<Job>(url);
  try {
    return await link.ask<Result>(job);
  } finally {
    link.terminate();
  }
}
