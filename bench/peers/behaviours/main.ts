/**
 * What packages do where users complain: every case with every peer, as a table. Each runs in a program of
 * its own, for some end it or hang.
 *
 * ```sh
 * deno run -A bench/peers/behaviours/main.ts [peer...]
 * ```
 *
 * @module
 */
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
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", import.meta.url, "--case", name, peer],
    stdout: "piped",
    stderr: "null",
    env: { NO_COLOR: "1" },
  }).spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, LIMIT_SECONDS * 1000);
  const { stdout, code } = await child.output();
  clearTimeout(timer);
  const said = new TextDecoder().decode(stdout).split("\n").find((line) => line.startsWith(MARK));
  if (isLate) return said ? "no: it goes on for ever behind that" : "no: it hangs";
  return said?.slice(MARK.length) ?? `no: the program ended with code ${code} in the middle`;
}

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "--case") {
    const [name, peer] = args.slice(1) as [CaseName, BehaviourPeerName];
    return write(MARK + await CASES[name].run(BEHAVIOUR_PEERS[peer]));
  }
  const all = Object.keys(BEHAVIOUR_PEERS) as BehaviourPeerName[];
  const peers = args.length > 0 ? args as BehaviourPeerName[] : all;
  write(`| case | ${peers.join(" | ")} |`);
  write(`| --- |${" --- |".repeat(peers.length)}`);
  for (const [name, { question }] of Object.entries(CASES)) {
    const cells: string[] = [];
    for (const peer of peers) cells.push(await outcomeOf(name as CaseName, peer));
    write(`| ${question} | ${cells.join(" | ")} |`);
  }
}

if (import.meta.main) await main(Deno.args);
