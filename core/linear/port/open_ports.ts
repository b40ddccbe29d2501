import { InvariantError } from "../../memory/assert.ts";
import type { BarePort } from "./bare_port.ts";
import type { Place } from "./consumption.ts";

/** The time from opening a port to closing it, when checks are on. */
export interface PortSession {
  readonly port: BarePort;
  readonly openedAt: Place;
}

/** The ports that a client or server with checks has opened and nobody has closed. */
export class OpenPorts {
  readonly #sessions = new Map<BarePort, PortSession>();

  begin(port: BarePort, openedAt: Place): PortSession {
    const session = { port, openedAt };
    this.#sessions.set(port, session);
    return session;
  }

  /** @returns whether the port was open */
  end(port: BarePort): boolean {
    return this.#sessions.delete(port);
  }

  isOpen(session: PortSession): boolean {
    return this.#sessions.get(session.port) === session;
  }

  /** @throws {InvariantError} that names each port that is open, and where it was opened */
  assertNone(): void {
    if (this.#sessions.size === 0) return;
    const leaks = [...this.#sessions.values()].map(({ port, openedAt }) =>
      `port ${port.index}, ${openedAt}`
    );
    throw new InvariantError(`every port was closed: still open are ${leaks.join("; ")}`);
  }
}
