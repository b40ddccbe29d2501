/**
 * What packages do where users complain: every case with every peer, as a table. Each runs in a program of
 * its own, for some end it or hang: `deno run -A bench/peers/behaviours/main.ts`.
 *
 * @module
 */
import { type ReadOptions, runCommand } from "../../cli/options/command_options.ts";
import { namesOf } from "../../cli/options/option_values.ts";
import { ended } from "../../machine/ended.ts";
import { BEHAVIOUR_PEERS, type BehaviourPeerName } from "./behaviour_peers.ts";
import { type CaseName, CASES } from "./cases.ts";

const LIMIT_SECONDS = 60;
/** In front of the outcome, of what a program writes. */
const MARK = "outcome: ";

function write(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/**
 * Runs a case in a program of its own.
 *
 * @returns what happened; "no: ..." also where it hung or went down
 */
export async function outcomeOf(name: CaseName, peer: BehaviourPeerName): Promise<string> {
  const args = ["run", "-A", "--no-check", import.meta.url, "--case", name, peer];
  const signal = AbortSignal.timeout(LIMIT_SECONDS * 1000);
  const { code, out } = await ended(Deno.execPath(), args, { env: { NO_COLOR: "1" }, signal });
  const said = out.split("\n").find((line) => line.startsWith(MARK));
  if (signal.aborted) return said ? "no: it goes on for ever behind that" : "no: it hangs";
  return said?.slice(MARK.length) ?? `no: the program ended with code ${code} in the middle`;
}

const COMMAND = {
  usage: ["deno run -A bench/peers/behaviours/main.ts [PEER...]"],
  words: [0, Infinity],
  does:
    "Prints as a table what each package does in each case, of all that are known when none is named.",
  options: { case: { value: "NAME", help: "runs this one alone, in this process, with one peer" } },
  ends: "It ends with 0, and with 2 when the command line is wrong.",
} as const;

const ALL = Object.keys(BEHAVIOUR_PEERS) as readonly BehaviourPeerName[];

async function main(
  { given, rest }: ReadOptions<typeof COMMAND.options>,
): Promise<void> {
  const peers = rest.length === 0 ? ALL : namesOf("peer", { text: rest.join(), known: ALL });
  if (given.case !== undefined) {
    const known = Object.keys(CASES) as CaseName[];
    const [name] = namesOf("case", { text: given.case, known });
    return write(MARK + await CASES[name!].run(BEHAVIOUR_PEERS[peers[0]!]));
  }
  write(`| case | ${peers.join(" | ")} |\n| --- |${" --- |".repeat(peers.length)}`);
  for (const [name, { question }] of Object.entries(CASES)) {
    const cells: string[] = [];
    for (const peer of peers) cells.push(await outcomeOf(name as CaseName, peer));
    write(`| ${question} | ${cells.join(" | ")} |`);
  }
}

// Not ended from here: whether a case ends by itself is a part of what it shows.
if (import.meta.main) Deno.exitCode = await runCommand(COMMAND, main);
