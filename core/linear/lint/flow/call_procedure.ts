import type { Flow } from "./flow.ts";
import type { Call, Procedure } from "./graph.ts";

/** Runs a procedure here, then goes on; what it does not catch goes where this place's errors go. */
export function callProcedure(
  flow: Flow,
  procedure: Procedure,
  { node = procedure.node, references = [] }: Partial<Pick<Call, "node" | "references">> = {},
): void {
  const returnTo = flow.newBlock();
  flow.block.call = { procedure, references, node, returnTo, failTo: flow.handler() };
  procedure.callSites.push(flow.block);
  flow.procedure.uses.add(procedure);
  flow.procedure.calls.add(procedure);
  flow.block = returnTo;
}
