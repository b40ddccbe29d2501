import type * as Core from "./whole_core.ts";
import * as Tuning from "../../wait/tuning.ts";
import { edited, SourceCode, type TextEdit } from "./source_code.ts";

/** The core, as it is or with a fault planted. */
export type CoreModule = typeof Core;

/** A change of one declaration that makes the core wrong. Blind to comments and layout. */
export interface SourceFault {
  /** A path from `core/`, and a declaration there: `wait/hint.ts Hints.mark`. */
  readonly place: string;
  /** What it says, exactly once. */
  readonly from: string;
  /** Nothing when absent. */
  readonly to?: string;
}

/**
 * Where a model looks at what the core does. The core does the same with it and without: a statement
 * is told before or behind which the model is called, or a field whose value the model is to know.
 */
export type Look =
  | {
    /** As of a {@linkcode SourceFault}. */
    readonly place: string;
    /** How the statement begins. */
    readonly at: string;
    /** A call of the words of the program that runs. */
    readonly call: string;
    /** Whether it comes behind the statement. */
    readonly isBehind?: boolean;
  }
  | { /** As a place: `wait/hint.ts Hints.#hintWord`. */ readonly field: string };

/** Other values for the numbers of `wait/tuning.ts`. */
export type Tuned = Partial<Record<keyof typeof Tuning, number>>;

/** How a copy of the core differs from the product. */
export interface CoreChanges {
  readonly faults?: readonly SourceFault[];
  readonly looks?: readonly Look[];
  /** Numbers that decide how fast the core is, and not what it does. */
  readonly tuning?: Tuned;
  /**
   * Whether asynchronous functions are made synchronous, for programs that can be stopped anywhere and
   * run again. Functions that wait for anything but the words do not work then.
   */
  readonly isSynchronous?: boolean;
}

/**
 * Loads a copy of the core: the product's own code, with its own numbers for speed, which a model looks
 * at while it runs, and with a fault if there is one.
 *
 * @throws {Error} when the place of a fault or of a look is not there exactly once
 */
export function changedCore(changes: CoreChanges): Promise<CoreModule> {
  return changedModule(WHOLE, changes);
}

/** In the copy, what `whole_core.ts` exports. */
const WHOLE = "whole_core.ts";
const WHOLE_TEXT = `export * from "./mod.ts";\nexport * from "./internal.ts";\n`;

/** The core as it is, read once. */
let unchanged: Promise<ReadonlyMap<string, string>> | undefined;

/** As {@linkcode changedCore}, for another module of the core: a path from `core/`. */
export async function changedModule<Module>(path: string, changes: CoreChanges): Promise<Module> {
  const core = new Map(await (unchanged ??= readCore())).set(WHOLE, WHOLE_TEXT);
  return await import(addressOf(path, changedTexts(core, changes, withImports(path, core))));
}

/** What a module imports or exports again, but for types, from a file at a relative path. */
const IMPORT = /^((?:import|export) (?!type )(?:[^"';]*? from )?)"(\.[^"]+)"/gm;

function resolved(target: string, file: string): string {
  return new URL(target, `file:///${file}`).pathname.slice(1);
}

/** A file, and all that its module needs. */
function withImports(path: string, texts: ReadonlyMap<string, string>): Set<string> {
  const files = new Set([path]);
  for (const file of files) {
    for (const [, , target] of texts.get(file)!.matchAll(IMPORT)) {
      files.add(resolved(target!, file));
    }
  }
  return files;
}

/** Addresses of modules, by their texts: copies share what no change reaches, so most is loaded once. */
const addresses = new Map<string, string>();

function addressOf(path: string, texts: ReadonlyMap<string, string>): string {
  const known = new Map<string, string>();
  const addressIn = (file: string): string => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const text = texts.get(file)!.replaceAll(
      IMPORT,
      (_all, words: string, target: string) => `${words}"${addressIn(resolved(target, file))}"`,
    );
    let address = addresses.get(text);
    if (address === undefined) {
      address = URL.createObjectURL(new Blob([text], { type: "application/typescript" }));
      addresses.set(text, address);
    }
    known.set(file, address);
    return address;
  };
  return addressIn(path);
}

/**
 * The changed texts of all files of the core.
 *
 * @param loaded the files of which functions are made synchronous, if any are
 */
export function changedTexts(
  core: ReadonlyMap<string, string>,
  { faults = [], looks = [], tuning, isSynchronous = false }: CoreChanges,
  loaded: Iterable<string> = core.keys(),
): Map<string, string> {
  const texts = new Map(core);
  const change = (file: string, editsOf: (code: SourceCode) => readonly TextEdit[]) => {
    const text = texts.get(file);
    if (text === undefined) throw new Error(`Cannot change core/${file} as there is no such file`);
    try {
      texts.set(file, edited(text, editsOf(new SourceCode(text))));
    } catch (cause) {
      throw new Error(`Cannot change core/${file}: ${(cause as Error).message}`, { cause });
    }
  };
  for (const fault of faults) {
    const [file, declaration] = placeOf(fault);
    change(file, (code) => [{ ...code.rangeOf(declaration, fault.from), text: fault.to ?? "" }]);
  }
  for (const [file, ofFile] of Map.groupBy(looks, (look) => placeOf(look)[0])) {
    change(file, (code) => ofFile.flatMap((look) => editsOf(code, look)));
  }
  if (tuning) texts.set("wait/tuning.ts", tuningText({ ...Tuning, ...tuning }));
  if (isSynchronous) { for (const file of loaded) change(file, (code) => code.asyncWords()); }
  return texts;
}

/** The file of a place, and the declaration. */
export function placeOf(change: SourceFault | Look): readonly [file: string, declaration: string] {
  const [file, declaration] = ("field" in change ? change.field : change.place).split(" ");
  return [file!, declaration!];
}

/** Where the words of the program that runs are found: see `ScheduledWords`. */
const MODEL = "globalThis.portlabModel";

function editsOf(code: SourceCode, look: Look): TextEdit[] {
  const [, declaration] = placeOf(look);
  if ("field" in look) {
    return code.valuesHanded(declaration, `${MODEL}.remember("${declaration}", `);
  }
  const { start, end } = code.statementOf(declaration, look.at);
  const at = look.isBehind ? end : start;
  return [{ start: at, end: at, text: ` ${MODEL}.${look.call}; ` }];
}

function tuningText(tuning: Readonly<Record<string, number>>): string {
  return Object.entries(tuning).map(([name, value]) => `export const ${name} = ${value};\n`).join(
    "",
  );
}

/** Folders of `core/` that `core/mod.ts` does not reach, or that are tests themselves. */
const APART = ["gpu", "linear", "testing"];

/** The text of each file of the core, by its path from `core/`. */
export async function readCore(folder = ""): Promise<Map<string, string>> {
  const core = new URL("../../", import.meta.url);
  const texts = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder || ".", core))) {
    const path = folder + name;
    if (isDirectory && !APART.includes(path)) {
      for (const [file, text] of await readCore(`${path}/`)) texts.set(file, text);
    } else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
      texts.set(path, await Deno.readTextFile(new URL(path, core)));
    }
  }
  return texts;
}
