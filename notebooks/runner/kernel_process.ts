/** The process of a kernel, and the one place that knows how it ended. */
export class KernelProcess {
  readonly #child: Deno.ChildProcess;
  readonly #ended = new AbortController();
  #hasEnded = false;

  /** `connectionPath` is the connection file; cells have `folder` as their current folder. */
  constructor(connectionPath: string, folder: string) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["jupyter", "--kernel", "--conn", connectionPath],
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    this.#child.status.then(({ code, signal }) => {
      this.#hasEnded = true;
      const end = signal ?? `exit code ${code}`;
      this.#ended.abort(new Error(`Cannot go on as the kernel has ended: it ended with ${end}`));
    });
  }

  /** Aborts when the process ends, for whatever reason; the signal's reason says how. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Waits for the end, and brings it about where it does not come in time. */
  async end({ graceMilliseconds }: { readonly graceMilliseconds: number }): Promise<void> {
    const timer = setTimeout(() => this.#kill(), graceMilliseconds);
    await this.#child.status;
    clearTimeout(timer);
  }

  #kill(): void {
    if (!this.#hasEnded) this.#child.kill("SIGKILL");
  }
}
