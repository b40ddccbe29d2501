import type { BarePort, PortOwner } from "./bare_port.ts";
import { CheckedPort } from "./checked_port.ts";
import { OpenPorts, Place } from "./consumption.ts";
import { absent, type Maybe, present } from "../maybe.ts";
import type { Entry } from "./trusting_port.ts";
import { TrustingPort } from "./trusting_port.ts";
import type { PartialPort } from "./typed_port.ts";

/**
 * Whether typed ports check at run time that each is used once. `on` makes an object and takes a
 * stack trace for each operation; `off` trusts the compiler and the lint rules.
 */
export const CHECKS = ["on", "off"] as const;
/** One of {@linkcode CHECKS}. */
export type Checks = typeof CHECKS[number];

/** Where a Maybe keeps a port open there may be no name of the port to close. */
const MAYBE_HINT = ", in a Maybe: close its value, or declare it with 'using'";

/**
 * Makes typed ports of the core's, all of one kind: the choice is made once, so that the code that
 * uses them sees one class and the engine can inline it.
 */
export class PortMaker<P extends BarePort> {
  readonly openPorts = new OpenPorts();
  readonly #owner: PortOwner;
  /** Whether the ports check at run time that they are used once. */
  readonly isChecked: boolean;

  /** @throws {TypeError} when checks are neither `on` nor `off` */
  constructor(checks: Checks, owner: PortOwner<P>) {
    if (!CHECKS.includes(checks)) {
      throw new TypeError(
        `Cannot type ports as checks must be one of ${
          CHECKS.join(", ")
        }: current value is ${checks}`,
      );
    }
    this.isChecked = checks === "on";
    this.#owner = (this.isChecked ? keepingObjects(owner) : owner) as PortOwner;
  }

  /**
   * @param port open, with its packet on this side
   * @param operation what opened the port, in messages
   * @param entry the function that the program called, in whose name `operation` opens the port
   */
  make(port: P, operation: string, entry: Entry): PartialPort<true> {
    return this.isChecked ? this.checked(port, new Place(operation, entry)) : this.trusting(port);
  }

  /** As {@linkcode make}, where checks are on and the place is known. */
  checked(port: P, openedAt: Place): PartialPort<true> {
    const { openPorts } = this;
    const session = openPorts.begin(port, openedAt);
    const context = { openPorts, owner: this.#owner };
    return new CheckedPort(context, session, true) as unknown as PartialPort<true>;
  }

  /** As {@linkcode make}, where checks are off. */
  trusting(port: P): PartialPort<true> {
    return new TrustingPort(port, this.#owner) as unknown as PartialPort<true>;
  }

  /** As {@linkcode make}, for a port that there may be. */
  maybe(port: P | undefined, operation: string, entry: Entry): Maybe<PartialPort<true>> {
    if (!port) return absent;
    if (!this.isChecked) return present(this.trusting(port));
    return present(this.checked(port, new Place(operation, entry, MAYBE_HINT)));
  }
}

/** With checks, the old names of a port know its object, which is not to be used again. */
function keepingObjects<P extends BarePort>(owner: PortOwner<P>): PortOwner<P> {
  return { onFailure: (port, cause) => owner.onFailure(port, cause), onClosed() {} };
}
