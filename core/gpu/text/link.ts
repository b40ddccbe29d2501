import { Module } from "./module.ts";
import { localOf, nodesIn } from "./syntax.ts";

/** Matches what a text declares, and comments, in which a declaration is none. */
const DECLARES =
  /\/\/.*|\b(?:fn|const|struct|alias|override|var(?:<[^>]*>)?)\s+([\p{XID_Start}_]\p{XID_Continue}*)/gu;

/** A text of a library, of which little is read where no name of it is an author's. */
class LibraryPart {
  readonly text: string;
  /** What it declares, in functions as well. */
  readonly names: ReadonlySet<string>;
  #module: Module | undefined;

  constructor(text: string) {
    this.text = text;
    this.names = new Set([...text.matchAll(DECLARES)].flatMap(([, name]) => name ?? []));
  }

  get module(): Module {
    return this.#module ??= new Module(this.text);
  }
}

/** How many texts are kept: most of a library are the same for each kernel. */
const KEPT_MAX = 64;
const kept = new Map<string, LibraryPart>();

function partOf(text: string): LibraryPart {
  const part = kept.get(text) ?? new LibraryPart(text);
  kept.delete(text);
  kept.set(text, part);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return part;
}

/** Appends a number to a name if it is taken, and marks the result as taken. */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}

/**
 * Joins the texts of a library, and gives what they declare other names where the author declares these:
 * they are the author's.
 *
 * @param texts each may name what others declare
 * @param given `changed` has names to change in any case, with those that generated steps use; `wanted` has
 * the names of the functions without which others may be left out
 */
export function linkLibrary(
  texts: readonly string[],
  author: Module,
  { changed = new Map(), wanted }: {
    readonly changed?: ReadonlyMap<string, string>;
    readonly wanted?: Iterable<string>;
  } = {},
): string {
  const parts = texts.map(partOf);
  const isTaken = author.byName.keys().some((name) => parts.some(({ names }) => names.has(name)));
  if (!isTaken && changed.size === 0 && !wanted) return texts.join("\n");
  const read = parts.map(({ module }) => module);
  const used = new Set([...author.words, ...read.flatMap(({ words }) => [...words])]);
  const names = new Map(changed);
  for (const name of author.byName.keys()) {
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
