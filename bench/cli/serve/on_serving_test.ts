import { endProcess } from "../../../core/system/child.ts";

/** How long a test waits for the command at most. */
export const WAIT = { timeoutSeconds: 30 };

/** The command, which ends with its block at the latest. */
export class Serving implements AsyncDisposable {
  readonly path = `/dev/shm/portlab-test-${crypto.randomUUID()}`;
  readonly #process: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;

  constructor(...args: readonly string[]) {
    const main = new URL("./main.ts", import.meta.url).pathname;
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", main, "--memory", this.path, ...args],
      stdout: "piped",
      stdin: "null",
    }).spawn();
    this.#lines = this.#process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Reads until it has printed a text behind what was read before; returns that. */
  async text(expected: string): Promise<string> {
    let text = "";
    while (text.length < expected.length) {
      const { value, done } = await this.#lines.read();
      if (done) break;
      text += value;
    }
    return text;
  }

  /** Ends it by a signal, and returns its exit status. */
  async end(signal: Deno.Signal): Promise<number> {
    this.#process.kill(signal);
    return (await this.#process.status).code;
  }

  async status(): Promise<number> {
    return (await this.#process.status).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    endProcess(this.#process);
    await this.#process.status;
    await this.#lines.cancel();
    await Deno.remove(this.path).catch(() => {}); // of one that was killed
  }
}
