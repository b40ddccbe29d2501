import {
  mpiLauncher,
  type MpiLibraryName,
} from "../../../core/services/emissary/mpi/mpi_library.ts";
import { compileNative } from "../../native/native_library.ts";
import { makePipes } from "../../processes/byte_ways.ts";
import source from "./mpi_calls.c" with { type: "text" };

/** Through the channel of a server worker, by Deno's FFI, or by C. */
export type MpiWay = "channel" | "direct" | "c";
/** A call that does nothing, or a message there and back. */
export type MpiCall = "empty" | "ping_pong";

export const MESSAGE_BYTES = 8;

export interface MpiWork {
  readonly way: MpiWay;
  readonly call: MpiCall;
  readonly library: MpiLibraryName;
}

/** What the compiler is told beside the text. */
const COMPILER_OPTIONS: Record<MpiLibraryName, readonly string[]> = {
  mpich: ["-l:libmpich.so.12"],
  openmpi: ["-DOPEN_MPI", "-l:libmpi.so.40"],
};

/**
 * Two processes that `mpiexec` has started, or one where a call needs no other. They sleep between the
 * numbers of calls that they are told, so that others can be measured on the same processors.
 */
export class MpiProcesses implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #orders: readonly Deno.FsFile[];
  readonly #answers: Deno.FsFile;
  /** What the processes said when they ended without being told. */
  #problem: string | undefined;

  private constructor(
    stack: AsyncDisposableStack,
    { orders, answers }: {
      readonly orders: readonly Deno.FsFile[];
      readonly answers: Deno.FsFile;
    },
  ) {
    this.#stack = stack;
    this.#orders = orders;
    this.#answers = answers;
  }

  /** Starts them; returns when each is ready. */
  static async start(work: MpiWork): Promise<MpiProcesses> {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir({ prefix: "portlab_mpi_" });
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    const ranks = work.call === "empty" ? [0] : [0, 1];
    const paths = ["answers", ...ranks.map((rank) => `orders_${rank}`)].map((name) =>
      `${folder}/${name}`
    );
    await makePipes(paths);
    // Opened in both directions, so that nobody waits for the other end to open.
    const pipes = paths.map((path) => Deno.openSync(path, { read: true, write: true }));
    const [answers, ...orders] = pipes.map((pipe) => stack.adopt(pipe, (file) => file.close()));
    const child = await spawn(stack, work, { folder, processCount: ranks.length });
    const processes = new MpiProcesses(stack.move(), { orders, answers: answers! });
    processes.#watch(child, `${folder}/answers`);
    try {
      await processes.#await();
      return processes;
    } catch (error) {
      await processes[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Has each process make so many calls; throws when one brought what it should not. */
  async run(callCount: number): Promise<void> {
    await this.#tell(callCount);
    await this.#await();
  }

  /** A process that ends by itself answers nothing any more: whoever waits is told instead of it. */
  #watch(child: Deno.ChildProcess, answers: string): void {
    const ended = child.output().then(async ({ success, stderr }) => {
      if (success) return;
      this.#problem = new TextDecoder().decode(stderr);
      // By another file: one that is read from is not written to meanwhile.
      await Deno.writeFile(answers, new Uint8Array(this.#orders.length), { create: false });
    });
    this.#stack.defer(() => ended);
  }

  async #tell(callCount: number): Promise<void> {
    const line = new TextEncoder().encode(`${callCount}\n`);
    await Promise.all(this.#orders.map((file) => file.write(line)));
  }

  async #await(): Promise<void> {
    const answer = new Uint8Array(1);
    for (let left = this.#orders.length; left > 0; left--) {
      await this.#answers.read(answer);
      if (answer[0] === 1) continue;
      const why = this.#problem ?? "a result was wrong";
      throw new Error(`Cannot trust the calls of MPI: ${why}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tell(0);
    await this.#stack.disposeAsync();
  }
}

async function spawn(
  stack: AsyncDisposableStack,
  { way, call, library }: MpiWork,
  { folder, processCount }: { readonly folder: string; readonly processCount: number },
): Promise<Deno.ChildProcess> {
  const launcher = mpiLauncher(library);
  if (typeof launcher === "string") throw new Error(`Cannot start processes as ${launcher}`);
  const program = new URL("./main.ts", import.meta.url).href;
  const rest: string[] = [library];
  if (way === "c") {
    rest.push(stack.use(await compileNative(source, COMPILER_OPTIONS[library])).path);
  }
  const deno = [Deno.execPath(), "run", "-A", "--no-check", program, way, call, folder, ...rest];
  return new Deno.Command(launcher.command, {
    args: [...launcher.args, "-n", String(processCount), ...deno],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
}
