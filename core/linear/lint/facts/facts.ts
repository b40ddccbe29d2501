import { Closures } from "./closures.ts";
import { Lists } from "./lists.ts";
import { Modes } from "./modes.ts";
import { Places } from "./places.ts";
import type { ts } from "../program/compiler.ts";
import { PortTypes } from "./port_types.ts";

/** What is known of a program without following a path: types, names, and what code does with them. */
export class Facts {
  readonly types: PortTypes;
  readonly places: Places;
  readonly modes: Modes;
  readonly closures: Closures;
  readonly lists: Lists;

  constructor(checker: ts.TypeChecker) {
    this.types = new PortTypes(checker);
    this.places = new Places(this.types);
    this.modes = new Modes(this.types, this.places);
    this.lists = new Lists(this.types, this.modes);
    this.closures = new Closures(this.types, this.places, this.modes);
  }
}
