import { Module, tryModule } from "../../text/module.ts";
import { Printer } from "../../text/printer.ts";
import { type Node, nodesIn } from "../../text/syntax.ts";
import type { LiveDeviceInfo } from "../device/physical_device.ts";

/** Half of Mesa's 65 535: the rest is for what a lane runs between two looks at its count. */
export const ROUNDS_PAUSE = 32_000;

/**
 * Whether a device leaves all loops of an invocation once these have had a number of rounds together, as Mesa's
 * llvmpipe does: there waves count theirs, pause before, and go on in another dispatch.
 */
export function leavesLoops({ name }: Pick<LiveDeviceInfo, "name">): boolean {
  return name.startsWith("llvmpipe");
}

/** How often waves that pause go on by themselves, before the host has to see that they paused. */
export const PAUSED_TURNS = 256;

/** What a port is asked for where waves do not pause. */
const WHOLE = `
fn port_is_back(index: u32, mine: u32) -> bool { return side_inbox(index) == mine; }
fn port_obstacle(begins: bool, rounds: u32) -> u32 { return port_end(begins, rounds); }
`;

/** And where they do: rounds are scarce, so each looks often, by read-modify-writes, which no compiler merges. */
const PAUSING = `
fn port_is_back(index: u32, mine: u32) -> bool {
  var is_back = side_inbox(index) == mine;
  ${"is_back = is_back | (side_newest(index) == mine); ".repeat(7)}
  waited = select(waited, 0u, is_back);
  return is_back;
}
fn port_obstacle(begins: bool, rounds: u32) -> u32 {
  if loop_rounds > ROUNDS_PAUSE {
    waited += rounds;
    return END_PAUSED;
  }
  return port_end(begins, waited + rounds);
}
`;

/**
 * What `live_port.wgsl` rests on.
 *
 * @param lookMask how many rounds of a wait lie between two looks at what may end it: a power of two, minus 1
 */
export function roundsText(pauses: boolean, lookMask = pauses ? 7 : 255): string {
  return `const PAUSES = ${pauses};\nconst LOOK_MASK = ${lookMask}u;${pauses ? PAUSING : WHOLE}`;
}

/**
 * A module whose loops count their rounds in `loop_rounds`. A software adapter runs what is not entered, too,
 * under a mask: so a round counts as many as loops are in it, of functions that it calls as well.
 */
export function countingRounds(code: string): string {
  const module = tryModule(code);
  if (!(module instanceof Module)) return code; // which only a compiler knows
  const known = new Map<Node, number>();
  const loopsIn = (node: Node): number => {
    const found = known.get(node);
    if (found !== undefined) return found;
    const called = node.kind === "call" ? node.callee.declared : undefined;
    let count = node.kind === "loop" ? 1 : 0;
    if (called?.kind === "function" && called.body) count += loopsIn(called.body);
    for (const part of node.parts) count += loopsIn(part);
    known.set(node, count);
    return count;
  };
  const inserted = new Map<number, string>();
  for (const node of module.functions.flatMap((one) => [...nodesIn(one)])) {
    if (node.kind !== "loop") continue;
    inserted.set(node.body.open + 1, ` loop_rounds += ${loopsIn(node)}u; `);
  }
  return new Printer(
    module.source,
    (node) => node.kind === "loop" ? ["loop_rounds++; ", { as: node }] : undefined,
    inserted,
  ).module(module.globals).text;
}
