import type { ts } from "../program/compiler.ts";
import type { Frame } from "./scope.ts";
import { Unknown, type Value } from "./value.ts";

/** An exception of the program. */
export class Thrown {
  readonly value: Value;
  /** Whether code from elsewhere threw, of which nobody knows whether it does. */
  readonly isForeign: boolean;
  /** The `throw` of the program. */
  readonly from: { readonly node: ts.Node; readonly frame: Frame } | undefined;

  constructor(value: Value, isForeign: boolean, from?: Thrown["from"]) {
    this.value = value;
    this.isForeign = isForeign;
    this.from = from;
  }

  /** The same, as an exception that a program has to count on. */
  asOwn(): Thrown {
    return new Thrown(this.value, false);
  }

  /** What code from elsewhere throws. */
  static foreign(): Thrown {
    const value = new Unknown();
    value.isForeignError = true;
    return new Thrown(value, true);
  }
}

/** Ends a generator that nobody asks any more. */
export class Closed {}

/** Ends a path that cannot be, or that takes too long. */
export class Abandoned {
  readonly isImpossible: boolean;

  constructor(isImpossible: boolean) {
    this.isImpossible = isImpossible;
  }
}
