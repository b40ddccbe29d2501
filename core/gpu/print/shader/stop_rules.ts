import type { Types } from "../../text/inference.ts";
import type { Module } from "../../text/module.ts";
import type { Piece } from "../../text/printer.ts";
import {
  type Block,
  type Call,
  type Expression,
  expressionsOf,
  type Func,
  type If,
  type Loop,
  type Node,
  nodesIn,
  type Statement,
  statementsOf,
} from "../../text/syntax.ts";
import { PRINTING } from "../print_calls.ts";
import { behind, concrete, isVector, typeText } from "../../text/value_type.ts";

/** What all lanes of a workgroup, or of a subgroup, have to arrive at. */
const MEETING =
  /^(?:(?:workgroup|storage|texture|subgroup)Barrier|workgroupUniformLoad|subgroup[A-Z]\w*|quad[A-Z]\w*)$/;

/** What keeps rules of a text. */
export interface StopOptions {
  readonly types: Types;
  /** The calls of `assert`. */
  readonly asserts: Iterable<Call>;
  /** The variable that says that the invocation has stopped. */
  readonly flag: string;
}

/**
 * How an invocation stops at a failed `assert`. A fragment is discarded. In compute stages the functions of the
 * chain of calls return one after the other, behind each statement that calls one that may stop. Where lanes
 * meet, which all of them have to reach, nothing stops.
 */
export class StopRules {
  /** Checks at the beginning of functions and blocks, by their characters. */
  readonly inserted = new Map<number, string>();
  readonly #types: Types;
  readonly #flag: string;
  readonly #owners = new Map<Call, Func>();
  /** Functions that only fragments reach. */
  readonly #discarding: ReadonlySet<Func>;
  /** Functions in which the flag may be set, or in what they call. */
  readonly #stopping: ReadonlySet<Func>;
  /** Asserts in `continuing`, out of which nothing returns. */
  readonly #late = new Set<Node>();
  /** Statements behind which the flag is looked at. */
  readonly #checked = new Map<Node, Func>();

  constructor(module: Module, { types, asserts, flag }: StopOptions) {
    this.#types = types;
    this.#flag = flag;
    const calls = new Set(asserts);
    const [compute, fragment] = ["compute", "fragment"].map((stage) =>
      module.reached(module.entries(stage))
    );
    this.#discarding = fragment!.difference(compute!);
    const live = compute!.union(fragment!);
    for (const one of live) {
      if (one.body) this.#noteAsserts(one, one.body, { calls, isLate: false });
    }
    const bound = unstoppable(module);
    const flagging = [...this.#owners].filter(([call, of]) =>
      !bound.has(of) && (!this.#discarding.has(of) || this.#late.has(call))
    );
    this.#stopping = module.reaching(flagging.map(([, of]) => of)).intersection(live)
      .difference(bound);
    for (const one of this.#stopping) {
      for (const statement of one.body!.statements) this.#visit(statement, one);
      const isEntry = one.attributes.some(({ name }) => /^(?:compute|fragment)$/.test(name));
      if (!isEntry) this.#open(one.body!, one);
    }
  }

  /** What says that the invocation has stopped; nothing if none does. */
  get stopped(): string | undefined {
    const isStopping = this.#owners.values().some((of) =>
      this.#stopping.has(of) || this.#discarding.has(of)
    );
    return isStopping ? this.#flag : undefined;
  }

  #noteAsserts(
    of: Func,
    statement: Statement,
    { calls, isLate }: { readonly calls: ReadonlySet<Call>; readonly isLate: boolean },
  ): void {
    if (statement.kind === "do" && calls.has(statement.call)) {
      this.#owners.set(statement.call, of);
      if (isLate) this.#late.add(statement.call);
    }
    for (const inner of statementsOf(statement)) {
      const isInContinuing = statement.kind === "loop" && statement.continuing.includes(inner);
      this.#noteAsserts(of, inner, { calls, isLate: isLate || isInContinuing });
    }
  }

  /** Whether the flag may be set when a node has been evaluated. */
  #maySet(node: Node | undefined): boolean {
    if (!node) return false;
    for (const one of nodesIn(node)) {
      if (one.kind !== "call") continue;
      const { declared } = one.callee;
      if (declared?.kind === "function" && this.#stopping.has(declared)) return true;
      if (this.#late.has(one)) return true;
    }
    return false;
  }

  #visit(statement: Statement, of: Func): void {
    switch (statement.kind) {
      case "block":
        return statement.statements.forEach((one) => this.#visit(one, of));
      case "if":
        if (this.#visitIf(statement, of, false)) this.#checked.set(statement, of);
        return;
      case "loop":
        return this.#visitLoop(statement, of);
      case "switch": {
        const isHot = this.#maySet(statement.selector);
        if (isHot) this.#checked.set(statement, of);
        for (const { body } of statement.clauses) {
          if (isHot) this.#open(body, of);
          this.#visit(body, of);
        }
        return;
      }
      case "return":
        return;
    }
    if (expressionsOf(statement).some((one) => this.#maySet(one))) {
      this.#checked.set(statement, of);
    }
  }

  /** Begins the blocks of a chain of `if`; returns whether one of its conditions may set the flag. */
  #visitIf({ condition, then, otherwise }: If, of: Func, isHotBefore: boolean): boolean {
    const isHot = isHotBefore || this.#maySet(condition);
    if (isHot) this.#open(then, of);
    this.#visit(then, of);
    if (otherwise?.kind === "if") return this.#visitIf(otherwise, of, isHot);
    if (otherwise) {
      if (isHot) this.#open(otherwise, of);
      this.#visit(otherwise, of);
    }
    return isHot;
  }

  #visitLoop(loop: Loop, of: Func): void {
    // Nothing stands behind the heads of a loop, and nothing returns from `continuing`: its body begins with a check.
    const heads = [loop.init, loop.condition, ...loop.continuing, loop.breakIf];
    if (heads.some((one) => this.#maySet(one))) {
      this.#open(loop.body, of);
      this.#checked.set(loop, of);
    }
    this.#visit(loop.body, of);
  }

  #open({ open }: Block, of: Func): void {
    this.inserted.set(open + 1, this.#check(of));
  }

  #leave(of: Func): string {
    if (this.#discarding.has(of)) return "discard;";
    return of.result ? `return ${typeText(this.#types.named(of.result))}();` : "return;";
  }

  #check(of: Func): string {
    return ` if ${this.#flag} { ${this.#leave(of)} }`;
  }

  /** The statements behind a failed `assert`; none where nothing stops. */
  stopText(call: Call): string {
    const of = this.#owners.get(call)!;
    const isLate = this.#late.has(call);
    // Where a discarded fragment goes on as a helper, it prints no more.
    if (this.#discarding.has(of) && !isLate) return `${this.#flag} = true; discard;`;
    if (!this.#stopping.has(of)) return "";
    return `${this.#flag} = true;${isLate ? "" : ` ${this.#leave(of)}`}`;
  }

  /** Adds the check behind a statement that calls what may stop; an assignment then does not happen. */
  rewrite(node: Node): readonly Piece[] | undefined {
    const of = this.#checked.get(node);
    if (!of) return undefined;
    if (node.kind === "do" && !isPrint(node.call)) return this.#calling(node.call, of);
    const target = node.kind === "assign" || node.kind === "increment" ? node.target : undefined;
    const kept = target && this.#keeping(target, of);
    if (kept && node.kind === "increment" && kept.first.length > 0) {
      return ["{ ", ...kept.first, ...kept.place, `${node.operator}; }`];
    }
    if (!kept || node.kind !== "assign") return [{ as: node }, this.#check(of)];
    const { value, operator } = node;
    const { first, place, type } = kept;
    const whole: readonly Piece[] = operator === "="
      ? [value]
      : [...place, ` ${operator.slice(0, -1)} (`, value, ")"];
    const made = `${this.#flag}_value`;
    const store: readonly Piece[] = [...place, ` = ${made}; }`];
    return ["{ ", ...first, `let ${made}: ${type} = `, ...whole, `;${this.#check(of)} `, ...store];
  }

  /** A call whose arguments are known, and looked at, before it happens. */
  #calling(call: Call, of: Func): readonly Piece[] {
    const last = call.operands.findLastIndex((one) => this.#maySet(one));
    const first: Piece[] = [];
    const args = call.operands.map((one, at): Piece => {
      const type = this.#types.of(one);
      // A constant without a type of its own takes the parameter's, and a texture is no value.
      const stays = at > last || !type ||
        /\b(?:int|float|texture_\w+|sampler\w*)\b/.test(typeText(type));
      if (stays && !this.#maySet(one)) return one;
      const name = `${this.#flag}_${at}`;
      first.push(`let ${name} = `, one, "; ");
      return name;
    });
    if (first.length === 0) return [call, `;${this.#check(of)}`];
    const parts = args.flatMap((one, at) => at === 0 ? [one] : [", ", one]);
    return [
      "{ ",
      ...first,
      this.#check(of),
      ` `,
      call.callee,
      "(",
      ...parts,
      `);${this.#check(of)} }`,
    ];
  }

  /** How a target keeps what it has until the value is known; `undefined` where it cannot. */
  #keeping(target: Expression, of: Func) {
    const type = this.#types.of(target);
    if (!type) return undefined;
    const shown = { type: typeText(concrete(type)) };
    const base = target.kind === "member" || target.kind === "index"
      ? behind(this.#types.of(target.operands[0]!))
      : undefined;
    // An index is evaluated before the value. Of a component, no pointer can be taken.
    const isMoving = nodesIn(target).some((one) =>
      one.kind === "index" && one.operands[1]!.kind !== "literal"
    );
    const isComponent = base !== undefined && isVector(base);
    const isStopping = this.#maySet(target);
    if (!isStopping && (!isMoving || isComponent)) {
      return { ...shown, first: [], place: [target] };
    }
    const name = `${this.#flag}_place`;
    const check = isStopping ? `;${this.#check(of)} ` : "; ";
    if (!isComponent || target.kind === "name") {
      return { ...shown, first: [`let ${name} = &(`, target, `)${check}`], place: [`(*${name})`] };
    }
    const [vector, index] = target.operands;
    const sign = this.#types.of(vector!)?.name === "ptr" ? "" : "&";
    const first: Piece[] = [`let ${name} = ${sign}(`, vector!, ")"];
    if (!index) return { ...shown, first: [...first, check], place: [`(*${name}).${target.text}`] };
    first.push(`; let ${name}_at = `, index, check);
    return { ...shown, first, place: [`(*${name})[${name}_at]`] };
  }
}

function isPrint({ callee: { declared }, text }: Call): boolean {
  return !declared && PRINTING.has(text);
}

/** Functions that a compute stage reaches in which lanes meet somewhere. */
function unstoppable(module: Module): ReadonlySet<Func> {
  const meeting = module.reaching(
    module.functions.filter((one) =>
      module.calls.get(one)!.some(({ callee: { declared }, text }) =>
        !declared && MEETING.test(text)
      )
    ),
  );
  return module.reached(module.entries("compute").filter((one) => meeting.has(one)));
}
