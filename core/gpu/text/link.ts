import { Module } from "./module.ts";
import { localOf, nodesIn } from "./syntax.ts";

/** How many texts that were read are kept: those of a library are the same for each kernel. */
const KEPT_MAX = 64;
const kept = new Map<string, Module>();

/** A text of a library, which is read once. */
function libraryModule(text: string): Module {
  const known = kept.get(text) ?? new Module(text);
  kept.delete(text);
  kept.set(text, known);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return known;
}

/** Appends a number to a name if it is taken, and marks the result as taken. */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}

/** What a library declares, by a glance: nearly no author has a name of these. */
const DECLARES =
  /\b(?:fn|const|struct|alias|override|var(?:<[^>]*>)?)\s+([\p{XID_Start}_]\p{XID_Continue}*)/gu;

/**
 * Joins the texts of a library, and gives what they declare other names where the author declares these:
 * they are the author's.
 *
 * @param parts texts that may name what others of them declare
 * @param given `changed` has names to change in any case, with those that generated steps use; `wanted` has
 * the names of the functions without which others may be left out
 */
export function linkLibrary(
  parts: readonly string[],
  author: Module,
  { changed = new Map(), wanted }: {
    readonly changed?: ReadonlyMap<string, string>;
    readonly wanted?: Iterable<string>;
  } = {},
): string {
  const declared = new Set(
    parts.flatMap((part) => [...part.matchAll(DECLARES)].map(([, name]) => name!)),
  );
  const taken = [...author.byName.keys()].filter((name) => declared.has(name));
  if (taken.length === 0 && changed.size === 0 && !wanted) return parts.join("\n");
  const read = parts.map(libraryModule);
  const used = new Set([...author.words, ...read.flatMap(({ words }) => [...words])]);
  const names = new Map(changed);
  for (const name of taken) {
    // A comment may look like a declaration.
    const isDeclared = read.some(({ byName }) => byName.has(name));
    if (isDeclared && !names.has(name)) names.set(name, freeName(`${name}_`, used));
  }
  const reached = wanted && reachedIn(read, wanted);
  return read.map((part) => linked(part, names, reached)).join("\n");
}

/** The functions of several texts that are reached from some of them. */
function reachedIn(parts: readonly Module[], wanted: Iterable<string>): ReadonlySet<string> {
  const functions = new Map(
    parts.flatMap((part) => part.functions.map((one) => [one.name, part.calls.get(one)!] as const)),
  );
  const reached = new Set(wanted);
  for (const name of reached) functions.get(name)?.forEach(({ text }) => reached.add(text));
  return reached;
}

/** A text in which what is declared outside of functions has other names; `kept` are the functions to keep. */
function linked(
  module: Module,
  names: ReadonlyMap<string, string>,
  kept: ReadonlySet<string> | undefined,
): string {
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const rename = (start: number, name: string) => {
    const text = names.get(name);
    if (text !== undefined) edits.push({ start, end: start + name.length, text });
  };
  for (const one of module.globals) {
    if (one.kind === "function" && kept && !kept.has(one.name)) {
      edits.push({ start: one.start, end: one.end, text: "" });
      continue;
    }
    if (one.kind !== "directive") rename(one.nameStart, one.name);
    for (const node of nodesIn(one)) {
      // A local variable of this name is another thing.
      const isOther = node.kind !== "name" || localOf(node);
      if (!isOther) rename(node.start, node.text);
    }
  }
  let [text, done] = ["", 0];
  for (const edit of edits.sort((one, other) => one.start - other.start)) {
    text += module.source.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return text + module.source.slice(done);
}
