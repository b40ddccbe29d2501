import { lastLineOf, lineOf, type Tell, type Way } from "../finding.ts";
import type { Place } from "../facts/places.ts";
import { ts } from "../program/compiler.ts";
import { BITS, join, outside, type State } from "./state.ts";
import { isAssignment } from "../facts/syntax.ts";

const { OWNED, LOOSE, HELD, DRAINED, KEPT, UNSEEN, SUM } = BITS;

type Named = Pick<Place, "name">;

/** One way out of a piece of code. */
export interface Exit {
  readonly state: State;
  readonly kind: "return" | "throw" | "mayThrow" | "break" | "continue";
  /** The statement that leaves, or the call that may throw. */
  readonly node: ts.Node;
  readonly label?: string | undefined;
}

/** Where the walk through a function is: what is true now, and which ways lead out. */
export class Path {
  /** What is true here; nothing where no path leads. */
  now: State | undefined = new Map();
  exits: Exit[] = [];
  /** How many `try` statements of the function are around. */
  tryDepth = 0;
  /** The port of a handler under its names: the call is over when the handler returns. */
  readonly served = new Set<Place>();
  /** The port of a function whose throw refuses the call. */
  refused: Place | undefined;
  /** What `using` declares. */
  readonly using = new Set<Place>();
  readonly #tell: Tell;
  #quietCount = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  get isQuiet(): boolean {
    return this.#quietCount > 0;
  }

  /** Runs something without telling of what it finds. */
  quietly(work: () => void): void {
    this.#quietCount++;
    work();
    this.#quietCount--;
  }

  tell(way: Way, node: ts.Node, place?: Named, other?: ts.Node): void {
    this.#tellLine(way, node, place ?? {}, other && lineOf(other));
  }

  #tellLine(way: Way, node: ts.Node, { name }: Partial<Named>, line: number | undefined): void {
    if (!this.isQuiet) this.#tell(way, node, { name, line });
  }

  set(place: Place, bits: number, at?: ts.Node): void {
    if (this.now) this.now = new Map(this.now).set(place, { bits, at: at ?? this.atOf(place) });
  }

  bitsAt(place: Place | undefined): number | undefined {
    return place && this.now?.get(place)?.bits;
  }

  atOf(place: Place): ts.Node | undefined {
    return this.now?.get(place)?.at;
  }

  // ---- ways out

  exit(kind: Exit["kind"], node: ts.Node, label?: string): void {
    if (this.now) this.exits.push({ kind, state: this.now, node, label });
    this.now = undefined;
  }

  /** Code from elsewhere may throw; somebody has to see to it only where it is caught. */
  mayThrow(node: ts.Node, kind: "mayThrow" | "throw" = "mayThrow"): void {
    if (!this.now || (this.tryDepth === 0 && kind === "mayThrow")) return;
    const index = this.exits.findLastIndex((one) => one.kind === kind);
    const known = kind === "mayThrow" ? this.exits[index] : undefined;
    if (!known) this.exits.push({ kind, state: this.now, node });
    else this.exits[index] = { ...known, state: join(known.state, this.now)! };
  }

  /**
   * Goes on where exits of a kind lead.
   *
   * @param isExcused whether names may end there with what they hold: code from elsewhere throws
   */
  arrive(isHere: (exit: Exit) => boolean, outer: State | undefined, isExcused = false): void {
    const here = this.exits.filter(isHere);
    this.exits = this.exits.filter((one) => !isHere(one));
    for (const { state, node } of here) {
      if (!isExcused) this.leave(state, outer, lineOf(node));
      this.now = join(this.now, outside(state, outer));
    }
  }

  /** Runs something whose names end with it. */
  scope(node: ts.Node, work: () => void): void {
    const outer = this.now;
    work();
    this.leave(this.now, outer, lastLineOf(node));
    this.now = this.now && outside(this.now, outer);
  }

  /** Tells of ports whose names end on a path that leaves at a line. */
  leave(state: State | undefined, outer: State | undefined, line: number, isThrown = false): void {
    for (const [place, { bits, at }] of state ?? []) {
      if (outer?.has(place) || place.isShared || place.within || this.using.has(place)) continue;
      if ((outer && place.isHoisted) || (isThrown && place === this.refused)) continue;
      if (!(bits & OWNED) || bits & (LOOSE | HELD | KEPT | SUM)) continue;
      if (place.kind === "bag" && bits & DRAINED) continue;
      const isLater = place.kind === "port" && at && isAssignment(at.parent) &&
        at.parent.left === at;
      this.#tellLine(
        bits & UNSEEN ? "unlooked" : "lost",
        isLater ? at : nameOf(place.declaration),
        place,
        line,
      );
    }
  }
}

/** What a finding about a declaration points at. */
function nameOf(declaration: ts.Node): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.name : declaration;
}
