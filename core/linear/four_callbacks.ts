import type { CallOptions } from "../toggle/client/client_call.ts";
import { Opcode } from "../memory/opcode.ts";
import type { PacketWork } from "../memory/packet.ts";
import type { Maybe } from "./maybe.ts";
import type { PartialPort, TypedPort } from "./port/typed_port.ts";

/** The part of `TypedClient` that a call needs. */
export interface Opener {
  open(opcode: number, options?: CallOptions): PartialPort<true>;
}

/** The client's two callbacks. */
export interface InvokeWork {
  /** Writes the packet. */
  readonly fill: PacketWork;
  /** Reads the reply; without it nobody waits for one. */
  readonly use?: PacketWork;
}

/** The server's two callbacks. */
export interface HandleWork {
  /** Works on a request, in place. */
  readonly operate: PacketWork;
  /** Cleans up the packet of a client that is done with it. */
  readonly clear: PacketWork;
}

/**
 * hostrpc's call, in which every mailbox goes from 0 to 1 and back. The parity of a port thus tells
 * what is in its packet:
 *
 * | state, as the client sees it | packet |
 * | --- | --- |
 * | `<0,0>` | clean: may be filled |
 * | `<0,1>` | with the server, to be operated on |
 * | `<1,1>` | the reply; when nobody holds the port, of an asynchronous call |
 * | `<1,0>` | with the server, to be cleared |
 */
export function invoke(
  client: Opener,
  { fill, use }: InvokeWork,
  options: CallOptions | undefined,
): void {
  const sent: TypedPort<0, 1> = openClean(client, options).send(fill);
  if (use) sent.recv(use, options).send().close();
  else sent.close();
}

/** Opens a port, and has what an asynchronous call left in it cleared first. */
function openClean(client: Opener, options: CallOptions | undefined): TypedPort<0, 0> {
  const port = client.open(Opcode.rpcInvoke, options);
  return port.inbox === 0 ? port : port.send().recv(undefined, options);
}

/** Works on the packet of a port, if there is one, and gives it back. */
export function handle(
  maybe: Maybe<PartialPort<true>>,
  { operate, clear }: HandleWork,
): boolean {
  if (!maybe.present) return false;
  const port = maybe.value;
  port.send(port.inbox === 0 ? operate : clear).close();
  return true;
}
