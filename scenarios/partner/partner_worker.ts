import { keepOnCpus } from "./affinity.ts";
import { allocatedBytes } from "./heap.ts";
import type { PartnerModule, Work } from "./partner.ts";
import { PartnerState } from "./partner_state.ts";
import { failedReply, type WorkerReply, workerScope } from "./worker_reply.ts";

/** What the measuring isolate asks of its partner. All but `work` are answered by a message. */
export type PartnerRequest =
  | { readonly kind: "attach"; readonly buffer: SharedArrayBuffer }
  | {
    readonly kind: "prepare";
    readonly workId: number;
    readonly moduleUrl: string;
    readonly init: unknown;
  }
  | { readonly kind: "work"; readonly workId: number }
  | { readonly kind: "keepOnCpu"; readonly cpu: number }
  | { readonly kind: "allocatedBytes" };

const scope = workerScope<PartnerRequest, WorkerReply<number>>();
const works = new Map<number, Work>();
let state = new PartnerState();

scope.onmessage = async ({ data }) => {
  if (data.kind === "work") return work(data.workId);
  try {
    scope.postMessage({ kind: "done", value: await answer(data) });
  } catch (error) {
    scope.postMessage(failedReply(error));
  }
};

async function answer(request: PartnerRequest): Promise<number> {
  if (request.kind === "attach") state = new PartnerState(request.buffer);
  if (request.kind === "prepare") await prepare(request);
  if (request.kind === "keepOnCpu") return Number(keepOnCpus([request.cpu]));
  return allocatedBytes();
}

async function prepare(request: PartnerRequest & { kind: "prepare" }): Promise<void> {
  const module: PartnerModule<unknown> = await import(request.moduleUrl);
  works.set(request.workId, module.prepareWork(request.init));
}

function work(workId: number): void {
  try {
    state.begin(workId);
    works.get(workId)!();
    state.end();
  } catch (error) {
    state.fail(error instanceof Error ? error.message : String(error));
  }
}
