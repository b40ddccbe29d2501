/** Runs the suite on a page: in its main thread, and in a worker of it. */
import { WorkerLink } from "../../worker/worker_link.ts";
import { runSuite } from "./suite.ts";

export async function runOnPage(): Promise<unknown> {
  const link = new WorkerLink<string>(new URL("./suite_worker.ts", import.meta.url));
  const worker = await link.ask("run");
  await link.terminate();
  return { worker, main: await runSuite() };
}
