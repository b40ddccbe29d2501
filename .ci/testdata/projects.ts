/** Projects that use the package as others would, from a registry of this machine. */
import { assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { packForNpm } from "../pack.ts";
import { ended } from "../../bench/machine/ended.ts";

/** What npm says of itself, and of how this machine has configured it; not of what it publishes. */
const OF_NPM = /^npm (?:warn|notice)(?! publish).*\n/gm;

/** Runs commands in the folders of projects, with the tools, the registry and a recent Node. */
export class Projects implements AsyncDisposable {
  readonly #folder: string;
  readonly #env: Record<string, string>;
  readonly #registry: Deno.ChildProcess;

  private constructor(folder: string, env: Record<string, string>, registry: Deno.ChildProcess) {
    this.#folder = folder;
    this.#env = env;
    this.#registry = registry;
  }

  /** Starts the registry, and publishes the package. */
  static async start(tools: string, node: string): Promise<Projects> {
    const folder = await Deno.makeTempDir({ prefix: "pack-" });
    const { port } = freePort();
    const url = `http://localhost:${port}/`;
    const config = {
      storage: `${folder}/storage`,
      packages: { "**": { access: "$all", publish: "$all" } },
      web: { enable: false },
      log: { type: "stdout", level: "fatal" },
    };
    await Deno.writeTextFile(`${folder}/registry.yaml`, JSON.stringify(config));
    const account =
      `registry=${url}\n//localhost:${port}/:_authToken=anyone\ncache=${folder}/npm\n`;
    await Deno.writeTextFile(`${folder}/npmrc`, account);
    const registry = new Deno.Command(node, {
      args: [
        `${tools}/node_modules/verdaccio/bin/verdaccio`,
        ...["--config", `${folder}/registry.yaml`, "--listen", `localhost:${port}`],
      ],
      stdout: "null",
      stderr: "null",
    }).spawn();
    const projects = new Projects(folder, {
      PATH: `${dirname(node)}:${dirname(Deno.execPath())}:${tools}/node_modules/.bin:${
        Deno.env.get("PATH")
      }`,
      NPM_CONFIG_USERCONFIG: `${folder}/npmrc`,
      NPM_CONFIG_REGISTRY: url,
      DENO_DIR: `${folder}/deno`,
      NO_COLOR: "1",
    }, registry);
    await Deno.mkdir(`${folder}/package`);
    packForNpm(`${folder}/package`);
    await untilServed(url);
    const published = await projects.run("package", "npm publish --loglevel=warn");
    assertEquals(published.replace(/^\+ portlab@.*\n/, ""), "");
    return projects;
  }

  /** Writes the files of a project. */
  async write(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(`${this.path(name)}/${file}`), { recursive: true });
      await Deno.writeTextFile(`${this.path(name)}/${file}`, text);
    }
  }

  /** Runs a line of a shell: what it said, and its exit status where that is not 0. */
  async run(name: string, line: string): Promise<string> {
    const options = { cwd: this.path(name), env: this.#env };
    const { code, out, error } = await ended("sh", ["-c", line], options);
    const said = `${out}${error}`.replaceAll(OF_NPM, "");
    return `${said}${code === 0 ? "" : `${line} ends with ${code}`}`;
  }

  /** Starts a line of a shell that goes on until it is disposed of. */
  spawn(name: string, line: string): AsyncDisposable {
    const process = new Deno.Command("sh", {
      args: ["-c", `exec ${line}`],
      cwd: this.path(name),
      env: this.#env,
      stdout: "null",
      stderr: "null",
    }).spawn();
    return {
      async [Symbol.asyncDispose]() {
        process.kill();
        await process.status;
      },
    };
  }

  /** The folder of a project. */
  path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#registry.kill();
    await this.#registry.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** Waits until somebody listens. */
export async function untilServed(url: string): Promise<void> {
  while (!await fetch(url).then((answer) => answer.text(), () => undefined)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A port that nobody has. */
export function freePort(): Deno.NetAddr {
  using listener = Deno.listen({ port: 0 });
  return listener.addr;
}
