import { parseArgs } from "@std/cli/parse-args";
import { exitStatusOf, refuseOthers, refuseTwice, write } from "../command_line.ts";

/** An option of a command. */
export interface CommandOption {
  /** What the value is called; absent when the option takes none. */
  readonly value?: string;
  /** Whether it may be given several times. */
  readonly isList?: boolean;
  readonly help: string;
}

/** The options of a command, by their names without the dashes; `help` is one of each. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

type ValueOf<Option extends CommandOption> = Option extends { readonly isList: true }
  ? readonly string[]
  : Option extends { readonly value: string } ? string | undefined
  : boolean;

/** What a command line says. */
export interface ReadOptions<Options extends CommandOptions> {
  /** The text of each option with a value, the texts of one that may be there again, or whether it is there. */
  readonly given: { readonly [Name in keyof Options]: ValueOf<Options[Name]> };
  /** What is no option, in its order. */
  readonly rest: readonly string[];
  /** What stands behind `--`. */
  readonly behind: readonly string[];
  /** Whether it asks for help: then nothing else of it counts. */
  readonly isHelp: boolean;
}

/**
 * Reads the options of a command: the one way for all of them.
 *
 * @param lastCounts whether an option that is there twice counts as the last says; it is refused when
 * absent
 * @throws {SyntaxError} for an option that there is not, one that is there twice, and one without its value
 *
 * @example
 * ```ts
 * import { readOptions } from "./command_options.ts";
 * const options = { out: { value: "FILE", help: "where it goes" } };
 * const { given, rest } = readOptions(["--out", "a.txt", "b.txt"], options);
 * if (given.out !== "a.txt" || rest[0] !== "b.txt") throw new Error("an option and a file");
 * ```
 */
export function readOptions<const Options extends CommandOptions>(
  args: readonly string[],
  options: Options,
  { lastCounts = false }: { readonly lastCounts?: boolean } = {},
): ReadOptions<Options> {
  const names = [...Object.keys(options), "help"];
  const isList = (name: string) => options[name]?.isList === true;
  const texts = names.filter((name) => options[name]?.value !== undefined);
  if (!lastCounts) refuseTwice(args, names.filter(isList).map((name) => `--${name}`));
  const parsed = parseArgs([...args], {
    string: [...texts, "_"],
    boolean: names.filter((name) => !texts.includes(name)),
    collect: names.filter(isList),
    alias: { help: "h" },
    "--": true,
    unknown: refuseOthers(names.map((name) => `--${name}`)),
  }) as Record<string, unknown>;
  for (const name of texts) {
    if ([parsed[name]].flat().every((text) => String(text ?? " x").trim() !== "")) continue;
    throw new SyntaxError(`Cannot read the command line as --${name} has no value`);
  }
  const { _: rest, help, h: _short, "--": behind, ...given } = parsed;
  return {
    behind: behind as string[],
    given: given as ReadOptions<Options>["given"],
    rest: (rest as string[]).map(String),
    isHelp: !!help,
  };
}

/** How a command is called, and what `--help` says of it. */
export interface Command<Options extends CommandOptions = CommandOptions> {
  /** Each way to call it, in a line. */
  readonly usage: readonly string[];
  readonly does: string;
  readonly options: Options;
  /** Examples, and how it ends. */
  readonly ends: string;
  /** How many words that are no option it takes, such as files, at least and at most; none when absent. */
  readonly words?: readonly [least: number, most: number];
}

/**
 * Runs a command whose whole command line {@linkcode readOptions} reads.
 *
 * @param work is not called when help is asked for; returns the exit status, 0 when it returns nothing
 * @returns the exit status: see {@linkcode exitStatusOf}
 */
export async function runCommand<const Options extends CommandOptions>(
  command: Command<Options>,
  work: (read: ReadOptions<Options>) => number | void | Promise<number | void>,
): Promise<number> {
  return await exitStatusOf(() => {
    const read = readCommand(Deno.args, command);
    return read.isHelp ? write(Deno.stdout, usageText(command)) : work(read);
  });
}

/**
 * Reads a command line by {@linkcode readOptions}, and counts its words unless it asks for help.
 *
 * @throws {SyntaxError} when it is wrong
 */
export function readCommand<const Options extends CommandOptions>(
  args: readonly string[],
  command: Command<Options>,
): ReadOptions<Options> {
  const read = readOptions(args, command.options);
  if (!read.isHelp) checkWords(read.rest, command);
  return read;
}

/** @throws {SyntaxError} when there are too many or too few */
function checkWords(
  rest: readonly string[],
  { usage, words: [least, most] = [0, 0] }: Pick<Command, "usage" | "words">,
): void {
  if (rest.length >= least && rest.length <= most) return;
  throw new SyntaxError(
    `Cannot read the command line as it must be ${usage[0]}: beside options there is ` +
      `${rest.join(" ") || "nothing"}, see --help`,
  );
}

const HELP_COLUMN = 22;

/** What `--help` prints: how the command is called, what it does, its options, how it ends. */
export function usageText({ usage, does, options, ends }: Command): string {
  const lines = Object.entries({ ...options, help: { help: "show this text" } }).map(optionLine);
  const [first, ...others] = usage;
  const calls = [`Usage: ${first}`, ...others.map((line) => `       ${line}`)];
  return [calls.join("\n"), does, lines.join("\n"), ends].join("\n\n") + "\n";
}

function optionLine([name, { value = "", help }]: [string, CommandOption]): string {
  const option = `  --${name} ${value}`.trimEnd();
  return (option.length < HELP_COLUMN ? option.padEnd(HELP_COLUMN) : `${option} `) + help;
}
