import { type Block, successorsOf, type Terminator } from "./basic_block.ts";
import type { KernelGraph } from "./graph_builder.ts";
import { reachableFrom } from "./liveness.ts";

/** Leads past blocks that do nothing but go on. */
export function skipEmptyBlocks(graph: KernelGraph): void {
  for (const [one, entry] of graph.entries) {
    for (const block of reachableFrom(entry)) {
      block.operations.forEach((operation, at) => {
        block.operations[at] = { ...operation, jumps: operation.jumps.map(behindEmpty) };
      });
      block.terminator = withTargets(block.terminator, behindEmpty);
    }
    graph.entries.set(one, behindEmpty(entry));
  }
  for (const [at, jump] of graph.jumps) {
    graph.jumps.set(at, { ...jump, target: jump.target && behindEmpty(jump.target) });
  }
}

function behindEmpty(start: Block): Block {
  const seen = new Set<Block>();
  let block = start;
  while (block.operations.length === 0 && block.terminator.kind === "goto") {
    if (seen.has(block)) break;
    seen.add(block);
    block = block.terminator.target;
  }
  return block;
}

function withTargets(terminator: Terminator, change: (block: Block) => Block): Terminator {
  switch (terminator.kind) {
    case "goto":
      return { ...terminator, target: change(terminator.target) };
    case "branch": {
      const { then, otherwise } = terminator;
      return { ...terminator, then: change(then), otherwise: change(otherwise) };
    }
    case "switch": {
      const clauses = terminator.clauses.map((one) => ({ ...one, target: change(one.target) }));
      return { ...terminator, clauses };
    }
    case "request":
    case "call":
      return { ...terminator, next: change(terminator.next) };
    case "return":
      return terminator;
  }
}

/**
 * The blocks of a function that have to be steps: where it begins, where it goes on after the host
 * or another function, and where several ways meet. Any other block is written into the one before.
 */
export function stepsOf(entry: Block): Block[] {
  const blocks = reachableFrom(entry);
  const wayCounts = new Map<Block, number>([[entry, 2]]);
  for (const block of blocks) {
    const { terminator, operations } = block;
    const waits = terminator.kind === "request" || terminator.kind === "call";
    const isLeft = new Set(operations.flatMap(({ jumps }) => jumps));
    for (const target of successorsOf(block)) {
      const isStep = waits && target === terminator.next || isLeft.has(target);
      wayCounts.set(target, (wayCounts.get(target) ?? 0) + (isStep ? 2 : 1));
    }
  }
  return blocks.filter((block) => wayCounts.get(block)! > 1);
}
