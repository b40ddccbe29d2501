import { checkSignature } from "../wgsl/kernel_compile.ts";
import { LANE_WORDS } from "../../memory/packet.ts";
import { declarationsOf } from "../syntax/declarations.ts";
import type { TextPosition } from "../syntax/text_position.ts";
import { tokensOf } from "../syntax/tokens.ts";
import { frameText } from "./frame/frame_text.ts";
import { resumableKernel } from "./resumable_kernel.ts";
import { BUILT_IN_NAMES, type ServiceName } from "./text/services.ts";

/** The steps of an author's text, whether written or made of `fn kernel()`. */
export interface AuthorSteps {
  /** As many lines as the author's text, which stand where they stood. */
  readonly authorText: string;
  readonly generated: string;
  /** The functions that are the steps, in the order of their numbers. */
  readonly names: readonly string[];
  /** Where in the author's text each of them begins, for messages. */
  readonly places: readonly string[];
  /** What the longest `printf` takes of a lane's stream; 0 where there is none. */
  readonly printfBytes: number;
  /** What the text calls the functions of the host, by their opcodes. */
  readonly serviceNames: ReadonlyMap<number, ServiceName>;
  /** Where in the author's text a place of `generated` comes from. */
  readonly authorPosition: (position: TextPosition) => TextPosition | undefined;
}

/**
 * Finds the steps of a text, or makes them.
 *
 * @param laneWords words that a lane has in a packet
 * @throws {KernelCompileError} at a step with parameters
 * @throws {TypeError} when there is no step, or a number is missing
 */
export function authorSteps(source: string, laneWords: number = LANE_WORDS): AuthorSteps {
  const { functions, structs, aliases } = declarationsOf(tokensOf(source));
  const names = functions.map(({ name }) => name.text);
  if (names.includes("kernel")) {
    const kernel = resumableKernel(source, laneWords);
    const generated = kernel.steps + frameText(source, kernel.fields);
    const places = kernel.stepLines.map((line) => `from line ${line} on`);
    return { ...kernel, authorText: kernel.plainText, generated, names: kernel.stepNames, places };
  }
  const steps = names.filter((name) => /^step_/.test(name));
  for (const name of steps) checkSignature(source, `fn ${name}()`);
  const isNumbered = steps.some((name) => /^step_\d+$/.test(name));
  const hasFrame = structs.has("Frame") || aliases.has("Frame");
  const generated = (isNumbered ? "" : numberConstants(steps)) +
    frameText(source, hasFrame ? "written" : []);
  const inOrder = isNumbered ? checkNumbers(steps) : checkNames(steps);
  return {
    authorText: source,
    generated,
    names: inOrder,
    places: inOrder.map((name) => `after ${name}`),
    printfBytes: 0,
    serviceNames: BUILT_IN_NAMES,
    authorPosition: () => undefined,
  };
}

/** `go(STEP_ASK)` leads to `step_ask`. */
function numberConstants(steps: readonly string[]): string {
  return steps.map((name, number) => `const ${name.toUpperCase()} = ${number}u;\n`).join("");
}

function checkNames(steps: readonly string[]): readonly string[] {
  if (steps.length === 0) {
    throw new TypeError(
      "Cannot make a kernel as its source has no step: write fn kernel() { ... }, or steps as fn step_0() { ... }",
    );
  }
  const seen = new Set<string>();
  for (const name of steps) {
    if (seen.has(name.toUpperCase())) {
      throw new TypeError(
        `Cannot make a kernel as its steps must have different names: ${name} is there twice`,
      );
    }
    seen.add(name.toUpperCase());
  }
  return steps;
}

/** Numbered steps count up from 0; functions of other names are not among them. */
function checkNumbers(names: readonly string[]): readonly string[] {
  const numbers = names.filter((name) => /^step_(?:0|[1-9]\d*)$/.test(name))
    .map((name) => Number(name.slice("step_".length))).sort((a, b) => a - b);
  const wrong = numbers.findIndex((number, index) => number !== index);
  if (wrong < 0) return numbers.map((number) => `step_${number}`);
  const reason = numbers[wrong - 1] === numbers[wrong]
    ? `step_${numbers[wrong]} is there twice`
    : `step_${wrong} is missing`;
  throw new TypeError(`Cannot make a kernel as its steps must count up from 0: ${reason}`);
}
