import { allocatedBytes } from "./heap.ts";
import type { PartnerModule, Work } from "./partner.ts";
import { ASLEEP, PartnerState } from "./partner_state.ts";
import { failedReply, type WorkerReply, workerScope } from "./worker_reply.ts";

/** What the measuring isolate asks of its partner. All but `work` are answered by a message. */
export type PartnerRequest =
  | { readonly kind: "attach"; readonly buffer: SharedArrayBuffer }
  | {
    readonly kind: "prepare";
    readonly shift: number;
    readonly moduleUrl: string;
    readonly init: unknown;
  }
  | { readonly kind: "work"; readonly shift: number }
  | { readonly kind: "allocatedBytes" };

const scope = workerScope<PartnerRequest, WorkerReply<number>>();
const works = new Map<number, Work>();
let state = new PartnerState();

scope.onmessage = async ({ data }) => {
  if (data.kind === "work") return work(data.shift);
  try {
    if (data.kind === "attach") state = new PartnerState(data.buffer);
    if (data.kind === "prepare") await prepare(data);
    scope.postMessage({ kind: "done", value: allocatedBytes() });
  } catch (error) {
    scope.postMessage(failedReply(error));
  }
};

async function prepare(request: PartnerRequest & { kind: "prepare" }): Promise<void> {
  const module: PartnerModule<unknown> = await import(request.moduleUrl);
  works.set(request.shift, module.prepareWork(request.init));
}

function work(shift: number): void {
  try {
    state.enter(shift);
    works.get(shift)!();
    state.enter(ASLEEP);
  } catch (error) {
    state.fail(error instanceof Error ? error.message : String(error));
  }
}
