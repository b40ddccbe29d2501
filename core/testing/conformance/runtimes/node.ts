import { runProgram } from "./program.ts";

/** The first version that runs TypeScript, `using` and `Atomics.pause` without a flag. */
const MAJOR = 24;
/** For the download, the first time. */
const FETCH_LIMIT_SECONDS = 120;

/** The path of a Node that is new enough: the one on the machine, or the one that npm brings. */
export async function findNode(): Promise<string | undefined> {
  const print = ["-p", "process.versions.node + ' ' + process.execPath"] as const;
  return await pathFrom(["node", ...print]) ??
    await pathFrom(["npx", "-y", `node@${MAJOR}`, ...print]);
}

async function pathFrom(command: readonly [string, ...string[]]): Promise<string | undefined> {
  try {
    const { stdout } = await runProgram(command, { limitSeconds: FETCH_LIMIT_SECONDS });
    const [, major, path] = stdout.trim().match(/^(\d+)\.\S+ (.+)$/) ?? [];
    return Number(major) >= MAJOR ? path : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
