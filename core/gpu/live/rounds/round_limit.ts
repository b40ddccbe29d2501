import { WgslText } from "../../syntax/wgsl_text.ts";
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

const LOOPS = new Set(["loop", "for", "while"]);

/**
 * A module whose loops count their rounds in `loop_rounds`. A software adapter runs what is not entered, too,
 * under a mask: so a round counts as many as loops are in it, of functions that it calls as well.
 */
export function countingRounds(code: string): string {
  const text = new WgslText(code);
  const { tokens, declarations } = text;
  const functions = new Map(declarations.functions.map((one) => [one.name.text, one]));
  const known = new Map<string, number>();
  const loopsOf = (name: string): number => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const { body } = functions.get(name)!;
    const count = loopsIn(body.start, body.end);
    known.set(name, count);
    return count;
  };
  const loopsIn = (start: number, end: number): number => {
    let count = 0;
    for (let at = start; at < end; at++) {
      const { kind, text } = tokens[at]!;
      if (LOOPS.has(text)) count++;
      const calls = kind === "name" && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== ".";
      if (calls && functions.has(text)) count += loopsOf(text);
    }
    return count;
  };
  const edits = declarations.functions.flatMap(({ body }) => {
    const found = [];
    for (let at = body.start; at < body.end; at++) {
      if (!LOOPS.has(tokens[at]!.text)) continue;
      const open = bodyOf(tokens, at);
      const weight = 1 + loopsIn(at + 1, closing(tokens, open));
      const index = tokens[open]!.index + 1;
      const before = tokens[at]!.index;
      found.push({ index: before, end: before, text: "loop_rounds++; " });
      found.push({ index, end: index, text: ` loop_rounds += ${weight}u; ` });
    }
    return found;
  });
  return text.edited(edits);
}

type Tokens = WgslText["tokens"];

/** The brace with which a loop's body begins. */
function bodyOf(tokens: Tokens, loop: number): number {
  let depth = 0;
  for (let at = loop + 1;; at++) {
    const { text } = tokens[at]!;
    if (text === "(") depth++;
    if (text === ")") depth--;
    if (text === "{" && depth === 0) return at;
  }
}

function closing(tokens: Tokens, open: number): number {
  let depth = 0;
  for (let at = open;; at++) {
    const { text } = tokens[at]!;
    if (text === "{") depth++;
    if (text === "}" && --depth === 0) return at;
  }
}
