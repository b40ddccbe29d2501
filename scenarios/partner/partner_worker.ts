import { answerParent } from "../../core/worker/worker_scope.ts";
import { keepOnCpus } from "./affinity.ts";
import { allocatedBytes } from "./heap.ts";
import type { PartnerModule, Work } from "./partner.ts";
import { PartnerState } from "./partner_state.ts";

/** What the measuring isolate asks of its partner. Nobody waits for the answer to `work`. */
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

const works = new Map<number, Work>();
let state = new PartnerState();

answerParent<PartnerRequest>((request) => {
  if (request.kind === "attach") state = new PartnerState(request.buffer);
  else if (request.kind === "prepare") return prepare(request);
  else if (request.kind === "work") work(request.workId);
  else if (request.kind === "keepOnCpu") return keepOnCpus([request.cpu]);
  else return allocatedBytes();
});

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
