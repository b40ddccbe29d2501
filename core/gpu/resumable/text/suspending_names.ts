import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import type { KernelModule } from "./kernel_module.ts";

/** Functions of `kernel_api.wgsl` after which a lane waits, or lets its wave do something. */
export const REQUESTS: ReadonlySet<string> = new Set([
  "call",
  "cast_call",
  "begin",
  "send",
  "recv",
  "close",
  "call_with_stream",
  "exchange_streams",
  "print",
]);

type Text = Pick<
  KernelModule,
  "tokens" | "declarations" | "services" | "refuse" | "refuseAt" | "printfs"
>;

/** The names that a function calls, each with the token of its first call. */
export function calledNames(
  { tokens }: Pick<KernelModule, "tokens">,
  { body }: FunctionDeclaration,
): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (let at = body.start; at < body.end; at++) {
    const { kind, text } = tokens[at]!;
    const isCall = kind === "name" && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== ".";
    if (isCall && !names.has(text)) names.set(text, at);
  }
  return names;
}

/**
 * The author's functions that call the host, directly or through others; `kernel` is always the
 * first. A function is behind those that call it.
 *
 * @throws {KernelCompileError} when one of them calls itself, or takes a pointer
 */
export function suspendingNames(text: Text): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map(text.declarations.functions.map((one) => [one.name.text, one]));
  const found = new Map<string, boolean>();
  const order: FunctionDeclaration[] = [];
  const visit = (name: string, way: readonly string[]): boolean => {
    const declared = functions.get(name);
    if (REQUESTS.has(name) || name === "printf" || text.services.has(name)) return true;
    if (!declared) return false;
    if (way.includes(name)) {
      text.refuse(declared.name.index, `${name} calls itself, which no function of WGSL may`);
    }
    const known = found.get(name);
    if (known !== undefined) return known;
    let suspends = name === "kernel";
    for (const called of calledNames(text, declared).keys()) {
      if (visit(called, [...way, name])) suspends = true;
    }
    found.set(name, suspends);
    if (suspends) order.unshift(declared);
    return suspends;
  };
  for (const name of functions.keys()) if (name !== "kernel") visit(name, []);
  visit("kernel", []);
  order.forEach((declared) => checkFunction(text, declared));
  return new Map(order.map((declared) => [declared.name.text, declared]));
}

function checkFunction(
  { tokens, refuse }: Text,
  { name, parameters, result }: FunctionDeclaration,
): void {
  const isKernel = name.text === "kernel";
  if (isKernel && result.end > result.start) {
    refuse(
      tokens[result.start]!.index,
      "kernel gives nothing back: it writes to a buffer, or calls the host",
    );
  }
  if (isKernel && parameters.length > 0) {
    refuse(
      parameters[0]!.name.index,
      "kernel has no parameters: it reads lane_index and wave_index",
    );
  }
  const pointer = parameters.find(({ type }) => tokens[type.start]?.text === "ptr");
  if (!pointer) return;
  refuse(
    pointer.name.index,
    `${name.text} calls the host and takes a pointer, which cannot be kept while it waits: hand over the value, and give the new one back`,
  );
}
