import directSource from "./wgsl/live_direct.wgsl" with { type: "text" };
import type { Kernel } from "../../kernel/kernel.ts";
import { aroundWord, replyText, type Service } from "../../kernel/services.ts";
import { linkLibrary } from "../../text/link.ts";
import { blank, Printer } from "../../text/printer.ts";
import { expressionsOf, type Func, type Node, type Statement } from "../../text/syntax.ts";
import { typeText } from "../../text/value_type.ts";
import type { KernelSource } from "../../wgsl/kernel_source.ts";

/** Begins the names of `live_direct.wgsl`, and of what is generated here. */
const PREFIX = "direct_";
/** A compiler repeats a call's text wherever it stands: where that is often, one that all share is quicker. */
const CALLS_MAX = 4;
/** Nothing is kept; but the library says where it would be. */
const FRAMES = "struct Frame { unused: u32 }\nstruct SavedFrame { unused: u32 }\n";
/** Functions of kernels that only steps have. */
const OF_STEPS = ["packet_set", "reply"];

/**
 * The text of a kernel whose functions run as they are written, as nothing takes a wave off the device
 * between: without steps and a frame. `undefined` where lanes have to be brought together for what it asks
 * for, as for streams and barriers.
 *
 * @param source the kernel made of steps, whose text is right
 */
export function directCode(
  { kernel, library, changedNames, heapTexts, stepPlaces }: KernelSource,
): string | undefined {
  if (!kernel) return undefined;
  const { module } = kernel;
  const isTaken = module.words.values().some((word) =>
    word.startsWith(PREFIX) || OF_STEPS.includes(word)
  );
  const main = module.functions.find(({ name }) => name === "kernel")!;
  if (isTaken || !callsByItself(kernel, main)) return undefined;
  const check = heapTexts ? "lane_fail_if(heap_fault != 0u, ERROR_BAD_ADDRESS);" : "";
  const own = [
    authorText(kernel, main, stepPlaces),
    ...[...kernel.services.values()].map((one) => serviceText(kernel, one)),
  ].join("\n");
  const parts = [
    ...library.map((part) => part.replace("  wave_run(", `  ${PREFIX}run(`)),
    directSource,
    `${FRAMES}fn ${PREFIX}check() { ${check} }`,
  ];
  const called = [...own.matchAll(/(\w+)\s*\(/g)].map(([, name]) => name!);
  // Nothing calls the library's functions for steps.
  const wanted = ["portlab_entry", ...called];
  return `${own}\n${linkLibrary(parts, module, { changed: changedNames, wanted })}`;
}

/**
 * Whether `kernel` makes all calls itself, few of them, and those of each function in one place: then an error is
 * of that place.
 */
function callsByItself(kernel: Kernel, main: Func): boolean {
  const waiting = kernel.module.calls.get(main)!.filter((call) => kernel.isSuspending(call));
  const called = waiting.map(({ callee }) => callee.declared);
  return called.every((one) => one?.kind === "function" && kernel.services.has(one)) &&
    called.length <= CALLS_MAX && new Set(called).size === called.length;
}

/**
 * The author's text without other functions that call the host. The kernel returns when its lane has ended:
 * behind each statement that calls the host, and where a loop or branch begins whose head does.
 */
function authorText(
  { module, text, dissolved, suspends }: Kernel,
  main: Func,
  stepPlaces: readonly string[],
): string {
  const leave = (at: number) => {
    const step = stepPlaces.indexOf(`from line ${module.positionAt(at - 1).line} on`);
    const place = step < 0 ? "" : ` running_step = ${step + 1}u;`;
    return ` if ${PREFIX}ended() { return; }${place}`;
  };
  const inserted = new Map(text.inserted);
  const leaving = new Set<Node>();
  const visit = (node: Node): void => {
    if (!/^(?:do|declare|assign|increment|if|switch|loop)$/.test(node.kind)) {
      return node.parts.forEach(visit);
    }
    const statement = node as Statement;
    const late = statement.kind === "loop"
      ? [...statement.init ? [statement.init] : [], ...statement.continuing]
      : [];
    if (expressionsOf(statement).some(suspends) || late.some(suspends)) {
      leaving.add(node);
      for (const part of node.parts) {
        const block = part.kind === "clause" ? part.body : part;
        if (block.kind === "block") inserted.set(block.open + 1, leave(block.open + 1));
      }
    }
    for (const part of node.parts) if (!late.includes(part as Statement)) visit(part);
  };
  visit(main.body!);
  return text.printed((node) => {
    const isOther = node.kind === "function" && dissolved.has(node) && node !== main;
    if (isOther) return [blank(module.source, node)];
    return leaving.has(node) ? [{ as: node }, leave(node.end)] : text.rewrite(node);
  }, inserted).text;
}

/** Writes a function of the host. */
function serviceText({ module, types }: Kernel, service: Service): string {
  const { name, opcode, parameters, result, isCast } = service;
  const number = typeof opcode === "string"
    ? opcode
    : new Printer(module.source).print(opcode).text;
  const list = parameters.map(({ type }, at) => `${PREFIX}${at}: ${typeText(type)}`);
  const sets = parameters.flatMap(({ words }, at) =>
    words.map((word) => aroundWord(word).join(`${PREFIX}${at}`))
  ).map((word, at) => `${PREFIX}set(${at}u, ${word}); `).join("");
  const does = isCast ? "casts" : "calls";
  const calls =
    `if ${PREFIX}opens(${number}) { ${sets}let has_answer = ${PREFIX}${does}(${number});`;
  const head = `fn ${name}(${list.join(", ")})`;
  if (!result) return `${head} { ${calls} ${PREFIX}closes(); } }`;
  const type = typeText(result);
  const answer = replyText(types, result, { reply: `${PREFIX}get` });
  return `${head} -> ${type} { var answer: ${type}; ${calls} ` +
    `if has_answer { answer = ${answer}; } ${PREFIX}closes(); } return answer; }`;
}
