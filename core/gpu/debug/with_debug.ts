import { insertion, type TextEdit, type TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import { textProblem } from "../compile/text_problem.ts";
import { bodyStart, entryPoints, hasAttribute, notePlace } from "../printf/entry_points.ts";
import {
  printfCalls,
  PrintfError,
  PRINTING,
  refuseAt,
  refuseStrings,
} from "../printf/printf_calls.ts";
import type { RingOptions } from "../printf/ring/printf_ring.ts";
import { type BindingPlace, ringBinding } from "../printf/ring_place.ts";
import { printingModule } from "../printf/with_printf.ts";
import { freePrefix } from "../syntax/tokens.ts";
import { checkChoice, checkOptionNames } from "../../text/nearest.ts";
import { assertCalls } from "./rewrite/assert_calls.ts";
import { CallGraph } from "./rewrite/call_graph.ts";
import { DebugRing } from "./debug_ring.ts";
import { type InstrumentedText, instrumentFunctions } from "./rewrite/instrument_functions.ts";
import { type Watch, WATCHES } from "./rewrite/value_watch.ts";
import { PICK_WORDS, type TwinnedText, withVertexTwins } from "./rewrite/vertex_twin.ts";

/** What to put into a shader, and where to bind the ring. */
export interface DebugOptions extends Partial<BindingPlace> {
  /**
   * What a failed `assert` does to its invocation. `stop`, the default, ends it where that is possible:
   * where lanes meet at barriers, it goes on.
   */
  readonly onFailure?: "stop" | "continue";
  /** Whether accesses beyond the end of arrays, vectors and matrices are recorded; false when absent. */
  readonly bounds?: boolean;
  /** The values to look out for; none when absent. */
  readonly watch?: readonly Watch[];
  /** Whether one invocation, chosen by `pick` or `traceVertex`, can be traced; false when absent. */
  readonly trace?: boolean;
}

/** A shader that tells what goes wrong in it. */
export interface DebugModule extends BindingPlace {
  /** The text for `createShaderModule`, with the author's lines first. */
  readonly source: string;
  /** Creates the ring that all pipelines of the shader write to. */
  readonly attach: (device: GPUDevice, options?: RingOptions) => DebugRing;
  /**
   * Compiles `source`.
   *
   * @throws {PrintfError} at the author's line and column when it does not compile
   */
  readonly compile: (device: GPUDevice) => Promise<GPUShaderModule>;
}

/**
 * Lets an ordinary shader check itself: `assert(x < 4u, "x is %u", x)` may stand in any function, and
 * options look for accesses out of bounds, for NaN, infinity and division by zero, and trace one
 * invocation. `printf` works as in `withPrintf`. `core/gpu/debug/README.md` describes what is recorded.
 *
 * @throws {PrintfError} at the line and column of an invalid `assert` or `printf`
 * @throws {TypeError} when an option is unknown
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { failureText } from "./debug_report.ts";
 * import { withDebug } from "./with_debug.ts";
 * const { compile, attach } = withDebug(`
 *   fn check(lane: u32) { assert(lane < 2u, "lane is %u", lane); }
 *   @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) { check(lane); }`);
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const { device } = gpu;
 *   const module = await compile(device);
 *   const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
 *   const ring = attach(device);
 *   const encoder = device.createCommandEncoder();
 *   const pass = encoder.beginComputePass();
 *   pass.setPipeline(pipeline);
 *   ring.bind(pass, pipeline);
 *   pass.dispatchWorkgroups(1);
 *   pass.end();
 *   device.queue.submit([encoder.finish()]);
 *   const { failures } = await ring.report();
 *   const text = failureText(failures[0]!, "check.wgsl");
 *   const wanted = `assertion failed: lane < 2u: lane is 2 [lane 2 of workgroup 0]
 *     at check (check.wgsl:2:32)
 *     at main (check.wgsl:3:85)
 * `;
 *   if (failures.length !== 2 || text !== wanted) throw new Error(text);
 *   await ring.destroy();
 * }
 * ```
 */
export function withDebug(written: string, options: DebugOptions = {}): DebugModule {
  checkOptions(options);
  const { onFailure = "stop", bounds = false, watch = [], trace = false, group, binding } = options;
  const text = new WgslText(written);
  checkText(text, trace);
  const place = ringBinding(text, {
    ...group !== undefined && { group },
    ...binding !== undefined && { binding },
  });
  const pick = freePrefix(text.tokens, "pick_");
  const twinned = trace ? withVertexTwins(text, pick) : plainText(text);
  const isStopping = onFailure === "stop";
  const made = instrumentFunctions(new WgslText(twinned.source), {
    isStopping,
    bounds,
    watch: new Set(watch),
    trace,
  });
  const edits = [...trace ? traceEdits(made, pick) : [], ...made.rewrite.edits];
  const debugged = [
    made.rewrite.text.edited(edits),
    variablesText(
      made,
      trace ? { name: pick, group: place.group, binding: place.binding + 1 } : undefined,
    ),
    made.rewrite.generated,
  ].join("\n");
  const positionAt = (index: number) => text.positionAt(twinned.authorIndex(index));
  const asAuthors = (error: unknown) => authorsError(error, { text, made, edits, positionAt });
  const printing = attempt(
    () => printingModule(debugged, { group: place.group, binding: place.binding }),
    asAuthors,
  );
  const nameOf = (name: string) => {
    const twin = twinned.twins.find((one) => one.copyName === name || one.entryName === name);
    return twin ? twin.copyName === name ? twin.name : "" : name;
  };
  return {
    group: place.group,
    binding: place.binding,
    source: printing.source,
    compile: (device) =>
      printing.compile(device).catch((error) => {
        throw asAuthors(error);
      }),
    attach: (device, ring = {}) =>
      new DebugRing(device, {
        printing,
        options: ring,
        reader: { ...made, positionAt, nameOf },
        twins: twinned.twins,
        isTracing: trace,
        isGroupShared: place.isGroupShared,
        source: printing.source,
      }),
  };
}

const OPTIONS = ["onFailure", "bounds", "watch", "trace", "group", "binding"];

function checkOptions(options: DebugOptions): void {
  const what = "debug a shader";
  checkOptionNames(what, options, OPTIONS);
  const { onFailure, watch = [], bounds, trace } = options;
  checkChoice(what, { onFailure }, ["stop", "continue"]);
  if (!Array.isArray(watch)) {
    throw new TypeError(
      `Cannot ${what} as watch must be a list such as ["nan"]: current value is ${watch}`,
    );
  }
  for (const one of watch) checkChoice(what, { watch: one }, WATCHES);
  for (const [name, value] of Object.entries({ bounds, trace })) {
    if (value === undefined || typeof value === "boolean") continue;
    throw new TypeError(
      `Cannot ${what} as ${name} must be true or false: current value is ${value}`,
    );
  }
}

function plainText({ source }: WgslText): TwinnedText {
  return { source, twins: [], authorIndex: (index) => index };
}

/** @throws {PrintfError} at what no later step would report in the author's own words */
function checkText(text: WgslText, isTracing: boolean): void {
  const problem = textProblem(text);
  if (problem) refuseAt(text, problem.token, problem.reason);
  const calls = printfCalls(text);
  refuseStrings(text, [...PRINTING, "assert"]);
  entryPoints({ text, calls, prefix: freePrefix(text.tokens, "printf_") });
  if (!isTracing) checkVertexAsserts(text);
}

function checkVertexAsserts(text: WgslText): void {
  const asserts = [...assertCalls(text).keys()];
  if (asserts.length === 0) return;
  const graph = new CallGraph(text);
  const reached = (stage: RegExp) =>
    graph.calledBy(
      graph.functions.filter(({ attributes }) => attributes.some(({ name }) => stage.test(name))),
    );
  const only = reached(/^vertex$/).difference(reached(/^(?:compute|fragment)$/));
  const at = asserts.find((at) => [...only].some(({ body }) => at >= body.start && at < body.end));
  if (at === undefined) return;
  refuseAt(
    text,
    text.tokens[at]!,
    "only a vertex stage reaches it, which writes no storage buffers in WebGPU: check in a fragment or compute stage, or use the option trace, and traceVertex() runs the stage as compute",
  );
}

/** Lets each entry point find out whether its invocation is the traced one. */
function traceEdits({ rewrite, functions }: InstrumentedText, pick: string): TextEdit[] {
  const { text, prefix } = rewrite;
  const stages = ["compute", "fragment"] as const;
  return [...functions].flatMap((one) => {
    const stage = stages.find((name) => hasAttribute(one, name));
    if (!stage) return [];
    const look = ` ${prefix}traced = ${pick}[0].z == 1u && all(${prefix}place == ${pick}[0].xy);`;
    return [
      ...notePlace({ text, prefix }, one, stage),
      insertion(bodyStart({ text }, one), look),
    ];
  });
}

function variablesText(
  { rewrite: { prefix } }: InstrumentedText,
  pick: (BindingPlace & { readonly name: string }) | undefined,
): string {
  const lines = [
    `var<private> ${prefix}seen: u32;`,
    `var<private> ${prefix}stopped: bool;`,
    ...pick
      ? [
        `@group(${pick.group}) @binding(${pick.binding}) var<uniform> ${pick.name}: array<vec4u, ${
          PICK_WORDS / 4
        }>;`,
        `var<private> ${prefix}place: vec2u;`,
        `var<private> ${prefix}traced: bool;`,
      ]
      : [],
  ];
  return lines.join("\n");
}

function attempt<T>(does: () => T, asAuthors: (error: unknown) => unknown): T {
  try {
    return does();
  } catch (error) {
    throw asAuthors(error);
  }
}

/** The error of the rewritten text, at the author's line and column. */
function authorsError(error: unknown, { text, made, edits, positionAt }: {
  readonly text: WgslText;
  readonly made: InstrumentedText;
  readonly edits: readonly TextEdit[];
  readonly positionAt: (index: number) => TextPosition;
}): unknown {
  if (!(error instanceof PrintfError)) return error;
  const { rewrite } = made;
  if (error.line > rewrite.text.lineCount) {
    const reason = `what is generated around the text does not fit: ${error.reason}`;
    return new PrintfError(reason, text, { line: 1, column: 1 });
  }
  const position = rewrite.text.originalPosition(edits, error);
  return new PrintfError(error.reason, text, positionAt(rewrite.text.indexAt(position)));
}
