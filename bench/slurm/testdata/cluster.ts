// Debian's Slurm on this machine: a controller and nodes n1, n2 and so on, each a daemon of its own.
import { join } from "@std/path";
import { ended } from "../../machine/ended.ts";

const PORT = 17_002;

/** Looks at the cluster at most so often, with a pause between. */
const LOOKS_MAX = 3000;
const LOOK_MILLISECONDS = 100;

/** Why Slurm cannot be started here; undefined where it can. */
export function slurmIsMissing(): string | undefined {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return "needs root on Linux";
  const programs = ["slurmctld", "slurmd", "sbatch", "munged"];
  const missing = programs.filter((name) => !PATHS.some((path) => exists(`${path}/${name}`)));
  return missing.length > 0 ? `needs the packages slurm-wlm and munge` : undefined;
}

const PATHS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Waits until something holds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  throw new Error(`Cannot wait any longer until ${what}`);
}

/** A cluster in a folder; ends every process that it has started when it is disposed. */
export class Cluster implements AsyncDisposable {
  readonly folder: string;
  readonly nodes: readonly string[];

  private constructor(folder: string, nodes: readonly string[]) {
    this.folder = folder;
    this.nodes = nodes;
  }

  static async start(folder: string, nodeCount: number): Promise<Cluster> {
    const nodes = Array.from({ length: nodeCount }, (_, index) => `n${index + 1}`);
    const cluster = new Cluster(folder, nodes);
    for (const name of ["state", "log", ...nodes]) await Deno.mkdir(join(folder, name));
    await Deno.writeFile(join(folder, "munge.key"), crypto.getRandomValues(new Uint8Array(1024)), {
      mode: 0o400,
    });
    await Deno.writeTextFile(join(folder, "slurm.conf"), cluster.#config());
    await cluster.#daemon("munge", "munged", [
      "--force",
      ...["key-file=munge.key", "socket=munge.sock", "pid-file=munge.pid", "log-file=log/munge.log"]
        .map((option) => `--${option.replace("=", `=${folder}/`)}`),
      `--seed-file=${folder}/munge.seed`,
    ]);
    await cluster.#daemon("ctld", "slurmctld", ["-f", join(folder, "slurm.conf")]);
    for (const node of nodes) {
      await cluster.#daemon(node, "slurmd", ["-f", join(folder, "slurm.conf"), "-N", node]);
    }
    await until("every node is idle", async () => {
      const states = await cluster.run("sinfo", "--noheader", "--Node", "--format=%t");
      return states.split("\n").filter((state) => state === "idle").length === nodeCount;
    });
    return cluster;
  }

  #config(): string {
    const { folder } = this;
    const host = Deno.hostname().split(".")[0];
    return Object.entries({
      ClusterName: "lab",
      SlurmctldHost: `${host}(127.0.0.1)`,
      AuthType: "auth/munge",
      AuthInfo: `socket=${folder}/munge.sock,cred_expire=5`, // a requeued job waits so long
      SlurmUser: "root",
      SlurmdUser: "root",
      StateSaveLocation: `${folder}/state`,
      SlurmdSpoolDir: `${folder}/%n`,
      SlurmctldPidFile: `${folder}/ctld.pid`,
      SlurmdPidFile: `${folder}/%n.pid`,
      SlurmctldLogFile: `${folder}/log/ctld.log`,
      SlurmdLogFile: `${folder}/log/%n.log`,
      ProctrackType: "proctrack/pgid",
      TaskPlugin: "task/none",
      SwitchType: "switch/none",
      MpiDefault: "none",
      ReturnToService: 2,
      SelectType: "select/cons_tres",
      SelectTypeParameters: "CR_Core",
      SchedulerParameters: "batch_sched_delay=0,sched_interval=2",
      SlurmctldPort: PORT,
      SlurmdTimeout: 3,
      JobRequeue: 1,
      NodeName: `${this.#nodeRange()} NodeHostname=${host} NodeAddr=127.0.0.1 ` +
        `Port=[${PORT + 1}-${PORT + this.nodes.length}] CPUs=1 State=UNKNOWN`,
      PartitionName: `lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP`,
    }).map(([name, value]) => `${name}=${value}\n`).join("");
  }

  #nodeRange(): string {
    return `n[1-${this.nodes.length}]`;
  }

  async #daemon(name: string, program: string, args: readonly string[]): Promise<void> {
    const { success, stderr } = await new Deno.Command(program, {
      args: [...args],
      env: { PORTLAB_CLUSTER: `${this.folder}/${name}` },
      stdout: "null",
      stderr: "piped",
    }).output();
    if (!success) throw new Error(`Cannot start ${program}: ${new TextDecoder().decode(stderr)}`);
  }

  /** Runs a program of Slurm; returns what it prints. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const env = { SLURM_CONF: join(this.folder, "slurm.conf") };
    const { code, out, error } = await ended(program, args, { env });
    if (code !== 0 && program !== "sinfo") throw new Error(`Cannot run ${program}: ${error}`);
    return out.trim();
  }

  /**
   * Ends everything that runs on a node, as a failure of its power would: its daemons first, which could
   * still tell how the job ended. Then the controller is told what it would find out in half a minute.
   */
  async kill(node: string): Promise<void> {
    const [daemons, jobs] = [`PORTLAB_CLUSTER=${this.folder}/${node}`, `SLURMD_NODENAME=${node}`]
      .map((mark) => this.#pids((entries) => entries.includes(mark)));
    const steps = jobs!.map(parentOf).filter((pid) => pid > 1 && !jobs!.includes(pid));
    for (const pid of [...daemons!, ...steps, ...jobs!]) end(pid);
    await this.run("scontrol", "update", `nodename=${node}`, "state=down", "reason=power");
  }

  /** Processes of this cluster whose environment passes. */
  #pids(passes: (environment: readonly string[]) => boolean): number[] {
    return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
      const environment = Number.isInteger(pid) ? readEnvironment(pid) : [];
      return environment.some((entry) => entry.includes(this.folder)) && passes(environment);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const pid of this.#pids(() => true)) if (pid !== Deno.pid) end(pid);
    return Promise.resolve();
  }
}

function readEnvironment(pid: number): string[] {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0");
  } catch {
    return [];
  }
}

function parentOf(pid: number): number {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

function end(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
