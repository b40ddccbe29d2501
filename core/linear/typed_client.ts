import type { Client } from "../toggle/client/client.ts";
import type { CallOptions } from "../toggle/client/client_call.ts";
import type { ClientPort } from "../toggle/client/client_port.ts";
import type { LaneMask } from "../memory/lane_mask.ts";
import { invoke, type InvokeWork } from "./four_callbacks.ts";
import type { Maybe } from "./maybe.ts";
import { type Checks, PortMaker } from "./port/port_maker.ts";
import type { PartialPort } from "./port/typed_port.ts";

/**
 * A client whose ports have their state in the type, and are used once. It opens the same ports of
 * the same protocol as the `Client` it stands on; both may be used side by side.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `tryOpen` | yes | no | yes: an absent {@linkcode Maybe} |
 * | `open` | no | until a port is free | no |
 * | `rpcInvoke` | no | until a port is free, then until the reply if it is used | no |
 *
 * @example A call, one name a state
 * ```ts
 * import { Channel, Client, Server } from "../mod.ts";
 * import { TypedClient } from "./typed_client.ts";
 *
 * const channel = Channel.create({ portCount: 1, laneCount: 1 });
 * const server = new Server(channel);
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 *
 * using client = new TypedClient(new Client(channel));
 * const opened = client.open(40_000);
 * const sent = opened.send((packet) => packet.setUint32(0, 0, 41));
 * server.runOnce();
 * const back = sent.recv();
 * back.use((packet) => {
 *   if (packet.getUint32(0, 0) !== 42) throw new Error("41 + 1");
 * });
 * back.close();
 * ```
 */
export class TypedClient {
  readonly #client: Client;
  readonly #maker: PortMaker<ClientPort>;
  /** The object of a port that was closed, used again: opening a port then allocates half as much. */
  #spare: ClientPort | undefined;

  /**
   * Types the ports of a client.
   *
   * @param options `checks` is `on` when absent
   * @throws {TypeError} when checks are neither `on` nor `off`
   */
  constructor(client: Client, options: { readonly checks?: Checks } = {}) {
    this.#client = client;
    this.#maker = new PortMaker<ClientPort>(options.checks ?? "on", {
      onFailure(port) {
        if (port.isOpen) port.close();
      },
      onClosed: (port) => this.#spare = port,
    });
  }

  /** Opens a port, waiting until one is free. Blocks. Throws as `Client.open`. */
  open(opcode: number, options?: CallOptions): PartialPort<true> {
    return this.#maker.make(this.#openBare(opcode, options), "open()", this.open);
  }

  /** As {@linkcode open}, without blocking the event loop. */
  async openAsync(opcode: number, options?: CallOptions): Promise<PartialPort<true>> {
    const port = await this.#client.openAsync(opcode, options);
    return this.#maker.make(port, "openAsync()", this.openAsync);
  }

  /** Opens a port if one is free. Bounded. Throws as `Client.tryOpen`. */
  tryOpen(opcode: number, options?: { readonly mask?: LaneMask }): Maybe<PartialPort<true>> {
    return this.#maker.maybe(this.#client.tryOpen(opcode, options), "tryOpen()", this.tryOpen);
  }

  /**
   * hostrpc's call, for servers that use `TypedServer.rpcHandle`: `fill` writes the packet, the
   * server's `operate` works on it, `use` reads it, the server's `clear` cleans it up. Without `use`
   * the call is asynchronous: nobody waits, and the port is cleaned up when it is opened next.
   *
   * A channel carries either these calls or others: here the parity of a port tells whether its
   * packet is to be operated on or to be cleared.
   *
   * @throws as `Client.call`
   */
  rpcInvoke(work: InvokeWork, options?: CallOptions): void {
    invoke(this, work, options);
  }

  /**
   * Asserts that every port was closed. Without checks nobody knows, and it passes.
   *
   * @throws {InvariantError} that names each open port and the line that opened it
   */
  assertNoneOpen(): void {
    this.#maker.openPorts.assertNone();
  }

  /** As {@linkcode assertNoneOpen}, at the end of a block. */
  [Symbol.dispose](): void {
    this.assertNoneOpen();
  }

  #openBare(opcode: number, options: CallOptions | undefined): ClientPort {
    const port = this.#spare;
    if (!port) return this.#client.open(opcode, options);
    this.#spare = undefined; // the wait for a port may throw, and a callback may open another
    return this.#client.reopen(port, opcode, options);
  }
}
