import directSource from "./wgsl/live_direct.wgsl" with { type: "text" };
import { calledNames, type FunctionDeclaration } from "../../syntax/declarations.ts";
import { expressionsIn, readBlock, type Statement, statementsIn } from "../../syntax/statements.ts";
import { plainText, TokenReader } from "../../syntax/tokens.ts";
import { typeText } from "../../syntax/value_type.ts";
import { insertion, type TextEdit, WgslText } from "../../syntax/wgsl_text.ts";
import { KernelModule } from "../../resumable/text/kernel_module.ts";
import { aroundWord, replyText, type Service } from "../../resumable/text/services.ts";
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
  { author, libraryWith, entryPoint, heapTexts, stepPlaces }: KernelSource,
  laneWords: number,
): string | undefined {
  const { tokens, declarations, called } = author;
  const isKernel = declarations.functions.some(({ name }) => name.text === "kernel");
  const isTaken = tokens.some(({ text }) => text.startsWith(PREFIX));
  if (!isKernel || isTaken || OF_STEPS.some((name) => called.has(name))) return undefined;
  const module = new KernelModule(author, laneWords, { meets: true });
  if (!callsByItself(module)) return undefined;
  const blanks = declarations.functions
    .filter(({ name: { text } }) => module.dissolved.has(text) && text !== "kernel")
    .map((one) => blank(author, one));
  const isKept = ({ index }: TextEdit) =>
    !blanks.some((one) => index >= one.index && index < one.end);
  const leaving = leavingEdits(module, stepPlaces);
  const check = heapTexts ? "lane_fail_if(heap_fault != 0u, ERROR_BAD_ADDRESS);" : "";
  const own = author.edited([...blanks, ...(heapTexts?.edits ?? []).filter(isKept), ...leaving]);
  const generated = [
    ...[...module.services.values()].map((one) => serviceText(module, one)),
    `fn ${PREFIX}check() { ${check} }`,
    libraryWith(directSource + FRAMES).replace("  wave_run(", `  ${PREFIX}run(`),
  ];
  return withoutUnreached([own, ...generated].join("\n"), own.length, entryPoint);
}

/** Leaves out the functions behind the author's text that nobody calls, such as those for steps. */
function withoutUnreached(code: string, ownEnd: number, entryPoint: string): string {
  const text = new WgslText(code);
  const functions = new Map(text.declarations.functions.map((one) => [one.name.text, one]));
  const own = [...functions.values()].filter(({ name }) => name.index < ownEnd);
  const reached = new Set([entryPoint, ...own.map(({ name }) => name.text)]);
  for (const name of reached) {
    const found = functions.get(name);
    if (found) calledNames(text.declarations, found).forEach((_, called) => reached.add(called));
  }
  const others = [...functions].filter(([name]) => !reached.has(name));
  return text.edited(others.map(([, one]) => blank(text, one)));
}

/**
 * Whether `kernel` makes all calls itself, few of them, and those of each function in one place: then an error is
 * of that place.
 */
function callsByItself(module: KernelModule): boolean {
  const { tokens, services, suspending } = module;
  const { body } = suspending.get("kernel")!;
  const called: string[] = [];
  for (let at = body.start; at < body.end; at++) {
    const { kind, text } = tokens[at]!;
    if (kind !== "name" || tokens[at + 1]?.text !== "(" || tokens[at - 1]?.text === ".") continue;
    if (module.isRequest(text) || suspending.has(text)) return false;
    if (services.has(text)) called.push(text);
  }
  return called.length <= CALLS_MAX && new Set(called).size === called.length;
}

/** Replaces a function by blanks, so that lines and columns do not move. */
function blank(author: WgslText, { whole }: FunctionDeclaration): TextEdit {
  const written = author.textOf(whole);
  const { index } = author.tokens[whole.start]!;
  return { index, end: index + written.length, text: written.replaceAll(/[^\n]/g, " ") };
}

/** Writes a function of the host. */
function serviceText(module: KernelModule, service: Service): string {
  const { name, parameters, result, isCast } = service;
  const opcode = plainText(module.tokens, service.opcode);
  const list = parameters.map(({ type }, at) => `${PREFIX}${at}: ${typeText(type)}`);
  const sets = parameters.flatMap(({ words }, at) =>
    words.map((word) => aroundWord(word).join(`${PREFIX}${at}`))
  ).map((word, at) => `${PREFIX}set(${at}u, ${word}); `).join("");
  const does = isCast ? "casts" : "calls";
  const calls =
    `if ${PREFIX}opens(${opcode}) { ${sets}let has_answer = ${PREFIX}${does}(${opcode});`;
  const head = `fn ${name}(${list.join(", ")})`;
  if (!result) return `${head} { ${calls} ${PREFIX}closes(); } }`;
  const type = typeText(result);
  const answer = replyText(module, result).replaceAll("reply(", `${PREFIX}get(`);
  return `${head} -> ${type} { var answer: ${type}; ${calls} ` +
    `if has_answer { answer = ${answer}; } ${PREFIX}closes(); } return answer; }`;
}

/**
 * Has the kernel return when its lane has ended: behind each statement that calls the host, and where a loop
 * or branch begins whose head does.
 */
function leavingEdits(module: KernelModule, stepPlaces: readonly string[]): readonly TextEdit[] {
  const { tokens, text, suspends } = module;
  const edits = new Map<number, TextEdit>();
  const leaveBehind = (token: number) => {
    const { index, text: last } = tokens[token]!;
    const at = index + last.length;
    const step = stepPlaces.indexOf(`from line ${text.positionAt(index).line} on`);
    const place = step < 0 ? "" : ` running_step = ${step + 1}u;`;
    edits.set(at, insertion(at, ` if ${PREFIX}ended() { return; }${place}`));
  };
  const visit = (statement: Statement, isElse = false) => {
    const { kind } = statement;
    const head = kind === "loop" ? [statement.init, ...statement.continuing] : [];
    const hasCalls = isElse || expressionsIn(statement).some(suspends) ||
      head.some((one) => one && module.suspendsIn(one));
    if (hasCalls && kind === "switch") {
      statement.clauses.forEach(({ body }) => leaveBehind(body.start));
    } else if (hasCalls && kind === "loop") leaveBehind(statement.body.start);
    else if (hasCalls && kind === "if") leaveBehind(statement.then.start);
    if (hasCalls && kind !== "return") leaveBehind(statement.end - 1);
    if (kind === "if") {
      visit(statement.then);
      const { otherwise } = statement;
      if (hasCalls && otherwise?.kind === "block") leaveBehind(otherwise.start);
      if (otherwise) visit(otherwise, hasCalls && otherwise.kind === "if");
    } else if (kind === "loop") visit(statement.body);
    else statementsIn(statement).forEach((one) => visit(one));
  };
  const { body } = module.suspending.get("kernel")!;
  visit(readBlock(new TokenReader(tokens, body.start - 1, module.refuse)));
  return [...edits.values()];
}
