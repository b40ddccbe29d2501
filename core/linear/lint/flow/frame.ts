import type { Block, Procedure } from "./graph.ts";
import type { LocalFunction, Scope } from "../syntax/scope.ts";

/** Something that a jump can end at, or has to pass on its way out. */
export type Frame =
  | { readonly kind: "scope"; readonly scope: Scope }
  | {
    readonly kind: "target";
    readonly label: string;
    readonly breakTo: Block;
    /** Absent for `switch` and labelled blocks. */
    readonly continueTo?: Block;
    /** Whether a bare `break` ends here; false for a labelled block. */
    readonly takesBareBreak: boolean;
  }
  | { readonly kind: "catch"; readonly entry: Block }
  | {
    readonly kind: "finally";
    /** Where an exception comes in. */
    readonly entry: Block;
    readonly finalizer: Procedure;
  }
  | {
    readonly kind: "function";
    readonly returnTo: Block;
    /** Absent for the file itself and for what runs in its place. */
    readonly local: LocalFunction | undefined;
  }
  | {
    /** The outermost frame of a `finally`: a jump goes on where its `try` stands. */
    readonly kind: "outside";
    readonly frames: Frame[];
    readonly scope: Scope;
    readonly procedure: Procedure;
  };
