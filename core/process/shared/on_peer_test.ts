/** What starts processes for tests, and ends them. */
import { assertEquals } from "@std/assert";
import { endProcess } from "../../system/child.ts";

/** Bounds everything that a test waits for: a hang is then a failure that says where. */
export const WAIT = { timeoutSeconds: 30 };

/** A process of `testdata/peer.ts`, which ends with its block at the latest. */
export class Peer implements AsyncDisposable {
  readonly process: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(...args: readonly string[]) {
    const script = new URL("../testdata/peer.ts", import.meta.url);
    this.process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", script.href, ...args],
      stdout: "piped",
      stderr: "inherit",
      stdin: "null",
    }).spawn();
    this.#lines = this.process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next line that it prints. */
  async line(): Promise<string> {
    while (!this.#text.includes("\n")) {
      const { value, done } = await this.#lines.read();
      if (done) throw new Error(`it ended after ${this.#text}`);
      this.#text += value;
    }
    const [line, ...rest] = this.#text.split("\n");
    this.#text = rest.join("\n");
    return line!;
  }

  async ready(): Promise<this> {
    assertEquals(await this.line(), "ready");
    return this;
  }

  signal(name: Deno.Signal): void {
    this.process.kill(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    endProcess(this.process);
    await this.process.status;
    await this.#lines.cancel();
  }
}
