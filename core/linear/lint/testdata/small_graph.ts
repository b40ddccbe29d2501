import { type Act, BITS, Block, type Call, type NameEvent, Procedure } from "../flow/graph.ts";
import type { Graph } from "../solve/solve.ts";
import { ts } from "../program/compiler.ts";
import { Binding, Scope } from "../syntax/binding.ts";
import { linearType } from "../types/value_type.ts";

const NODES = ts.createSourceFile("nodes.ts", "a;".repeat(100), ts.ScriptTarget.ESNext, true);

/** A node without parts; a later one stands further down. */
export function nodeAt(index: number): ts.Node {
  return NODES.statements[index]!;
}

/** A graph that a test puts together by hand, with one procedure to begin with. */
export class SmallGraph implements Graph {
  readonly main = new Procedure(nodeAt(0));
  readonly procedures = new Set([this.main]);
  readonly handedOn = new Set<Procedure>();
  readonly scheduled = new Set<Procedure>();
  #offset = 0;

  procedure(): Procedure {
    const procedure = new Procedure(nodeAt(0));
    this.procedures.add(procedure);
    return procedure;
  }

  /** A port that a procedure declares. */
  port(owner: Procedure, declaredAs = "const"): Binding {
    const scope = new Scope();
    scope.owner = owner;
    const binding = new Binding(nodeAt(0), { scope, declaredAs });
    binding.type = linearType("port");
    return binding;
  }

  /** A block that does one thing after the other. */
  block(procedure: Procedure, ...events: readonly (readonly [Act, Binding])[]): Block {
    const block = new Block(procedure);
    this.add(block, ...events);
    return block;
  }

  add(block: Block, ...events: readonly (readonly [Act, Binding])[]): void {
    for (const [act, binding] of events) {
      const event: NameEvent = { act, binding, node: nodeAt(this.#offset++), by: act };
      block.events.push(event);
      block.procedure.hasPorts = true;
      if (!block.procedure.owns(binding)) block.procedure.touches.add(binding);
    }
  }

  /** Makes a procedure in a block. */
  create(block: Block, procedure: Procedure): void {
    const node = nodeAt(this.#offset++);
    block.events.push({ act: "create", procedure, node, isKept: false });
    block.hasProcedures = true;
    block.procedure.uses.add(procedure);
  }

  /** Ends a block with a call, after which `returnTo` runs. */
  call(block: Block, procedure: Procedure, references: Call["references"] = []): Block {
    const returnTo = new Block(block.procedure);
    const failTo = block.procedure.failed;
    block.call = { procedure, references, node: nodeAt(this.#offset++), returnTo, failTo };
    procedure.callSites.push(block);
    block.procedure.uses.add(procedure);
    block.procedure.calls.add(procedure);
    return returnTo;
  }
}

/** How many states a name from outside can come in with. */
export const ENTRY_COUNT = BITS.length;
