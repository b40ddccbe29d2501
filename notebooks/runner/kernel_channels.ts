import type { Connection } from "./wire/connection_file.ts";
import { type JupyterMessage, MessageCodec } from "./wire/jupyter_message.ts";
import { MessageQueue } from "./wire/message_queue.ts";
import { ZmtpSocket } from "./wire/zmtp.ts";

const CONNECT_PAUSE_MILLISECONDS = 25;
const ANSWER_MILLISECONDS = 100;

/** The three of a kernel's five channels that a runner uses, with all answers in one queue. */
export class KernelChannels implements Disposable {
  readonly incoming = new MessageQueue<JupyterMessage>();
  readonly #codec: MessageCodec;
  readonly #iopub: ZmtpSocket;
  readonly #shell: ZmtpSocket;
  readonly #control: ZmtpSocket;

  private constructor(codec: MessageCodec, sockets: readonly [ZmtpSocket, ZmtpSocket, ZmtpSocket]) {
    this.#codec = codec;
    [this.#iopub, this.#shell, this.#control] = sockets;
    this.#listen(this.#iopub);
    this.#listen(this.#shell);
  }

  /**
   * Connects to a kernel that is starting, and asks until an answer is published: what a kernel
   * publishes before it knows its subscriber is lost. Rejects with the signal's reason once that aborts.
   */
  static async connect(connection: Connection, signal: AbortSignal): Promise<KernelChannels> {
    const codec = await MessageCodec.create(connection.secret);
    using opened = new DisposableStack();
    const iopub = opened.use(await connectSocket(connection.iopubPort, "SUB", signal));
    const shell = opened.use(await connectSocket(connection.shellPort, "DEALER", signal));
    const control = opened.use(await connectSocket(connection.controlPort, "DEALER", signal));
    const channels = new KernelChannels(codec, [iopub, shell, control]);
    while (!await channels.#isHeard()) signal.throwIfAborted();
    opened.move();
    return channels;
  }

  /** Asks the kernel to run code. Returns the id that the answers carry as their parent. */
  async execute(code: string): Promise<string> {
    return await this.#request(this.#shell, "execute_request", {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    });
  }

  async shutDown(): Promise<void> {
    await this.#request(this.#control, "shutdown_request", { restart: false });
  }

  [Symbol.dispose](): void {
    for (const socket of [this.#iopub, this.#shell, this.#control]) socket[Symbol.dispose]();
  }

  async #isHeard(): Promise<boolean> {
    await this.#request(this.#shell, "kernel_info_request", {});
    for (;;) {
      const message = await this.incoming.next(ANSWER_MILLISECONDS);
      if (!message) return false;
      // The reply on the shell channel proves nothing: only the status is published.
      if (message.type === "status") return true;
    }
  }

  async #request(
    socket: ZmtpSocket,
    type: string,
    content: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const { id, parts } = await this.#codec.encode(type, content);
    await socket.send(parts);
    return id;
  }

  async #listen(socket: ZmtpSocket): Promise<void> {
    try {
      for (;;) this.incoming.push(await this.#codec.decode(await socket.receive()));
    } catch (error) {
      // A closed connection is the end of the process, which knows better how it ended.
      if (error instanceof SyntaxError) this.incoming.fail(error);
    }
  }
}

async function connectSocket(
  port: number,
  type: "DEALER" | "SUB",
  signal: AbortSignal,
): Promise<ZmtpSocket> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await ZmtpSocket.connect(port, type);
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
    }
    await new Promise((done) => setTimeout(done, CONNECT_PAUSE_MILLISECONDS));
  }
}
