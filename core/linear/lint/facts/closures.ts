import type { Modes } from "./modes.ts";
import type { Place, Places } from "./places.ts";
import { ts } from "../program/compiler.ts";
import { bare, isFn, isInside } from "./syntax.ts";
import type { PortTypes } from "./port_types.ts";

/** What a function does with a name from around it. */
export interface Capture {
  readonly place: Place;
  readonly consumes: boolean;
  /** Whether more than the index of the port is used. */
  readonly uses: boolean;
  /** Where it is consumed, or else used. */
  readonly at: ts.Node;
}

/** Answers what functions use of the names around them. */
export class Closures {
  readonly #types: PortTypes;
  readonly #places: Places;
  readonly #modes: Modes;
  readonly #captures = new Map<ts.Node, readonly Capture[]>();

  constructor(types: PortTypes, places: Places, modes: Modes) {
    this.#types = types;
    this.#places = places;
    this.#modes = modes;
  }

  capturesOf(fn: ts.Node): readonly Capture[] {
    const before = this.#captures.get(fn);
    if (before) return before;
    this.#captures.set(fn, []); // a function that calls itself
    const found = new Map<Place, Capture>();
    const note = (one: Capture) => {
      if (one.place.isShared || isInside(one.place.declaration, fn)) return;
      const known = found.get(one.place);
      const at = !known || (one.consumes && !known.consumes) ? one.at : known.at;
      const [consumes, uses] = [one.consumes || known?.consumes, one.uses || known?.uses];
      found.set(one.place, { place: one.place, consumes: !!consumes, uses: !!uses, at });
    };
    const visit = (node: ts.Node): void => {
      const place = ts.isIdentifier(node) ? this.#places.at(node) : undefined;
      if (place) {
        const isIndex = ts.isPropertyAccessExpression(node.parent) &&
          node.parent.name.text === "index";
        const mode = this.#modes.of(node);
        const uses = !isIndex && mode !== "look";
        note({ place, consumes: mode === "move" || mode === "drain", uses, at: node });
      }
      const inner = this.named(node);
      if (inner && inner !== fn) {
        for (const one of this.capturesOf(inner)) note({ ...one, at: node });
      }
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(fn, visit);
    const captures = [...found.values()];
    this.#captures.set(fn, captures);
    return captures;
  }

  /** The local function that a name stands for. */
  named(name: ts.Node): ts.Node | undefined {
    const declared = ts.isIdentifier(name)
      ? this.#types.symbolAt(name)?.valueDeclaration
      : undefined;
    if (!declared) return undefined;
    if (ts.isFunctionDeclaration(declared)) {
      return ts.isSourceFile(declared.parent) ? undefined : declared;
    }
    const value = ts.isVariableDeclaration(declared) && declared.name !== name &&
      declared.initializer;
    return value && isFn(bare(value)) ? bare(value) : undefined;
  }
}
