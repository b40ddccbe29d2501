import { ts } from "../program/compiler.ts";
import { bare, isAssignment, ownerOf } from "./syntax.ts";
import type { Kind, PortTypes } from "./port_types.ts";

/** A name that can hold a port: a local one, a path into one, a field, or what functions share. */
export interface Place {
  readonly name: string;
  readonly declaration: ts.Node;
  readonly kind: "port" | "bag";
  /** A field or a variable that several functions use: what others do with it nobody knows. */
  readonly isShared: boolean;
  readonly isField: boolean;
  /** Declared by `var`: it lives as long as the function. */
  readonly isHoisted: boolean;
  /** Whether its type says that there may be none. */
  readonly isOptional: boolean;
  /** The local object or list that it is a part of: `call.port`, `ports[0]`. */
  readonly within: Place | undefined;
}

const PLAIN = {
  kind: "port",
  isShared: false,
  isField: false,
  isHoisted: false,
  within: undefined,
} as const;

/** Finds the place that a name, a field or a path stands for; each place is one object. */
export class Places {
  readonly #types: PortTypes;
  readonly #known = new Map<ts.Symbol, Map<string, Place>>();
  /** What was asked before: loops are gone round, and the compiler takes its time. */
  readonly #found = new Map<ts.Node, Place | undefined>();
  readonly #sharing = new Map<ts.Symbol, boolean>();

  constructor(types: PortTypes) {
    this.#types = types;
  }

  at(written: ts.Node): Place | undefined {
    if (!this.#found.has(written)) this.#found.set(written, this.#find(bare(written)));
    return this.#found.get(written);
  }

  #find(node: ts.Node): Place | undefined {
    if (ts.isIdentifier(node)) return this.#variable(node);
    if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return;
    if (this.#types.kindAt(node) !== "port") return undefined;
    const isDotted = ts.isPropertyAccessExpression(node);
    const member = isDotted ? this.#types.symbolAt(node.name) : undefined;
    const isMethod = member && !(member.flags & ts.SymbolFlags.Property);
    const key = isDotted ? node.name.text : keyOf(node.argumentExpression);
    if (isMethod || key === undefined) return undefined;
    if (node.expression.kind === ts.SyntaxKind.ThisKeyword) {
      const name = `this.${key}`;
      return member && this.#place(member, "", name, node, { isShared: true, isField: true });
    }
    return this.part(node.expression, key, node);
  }

  /** The part of a local object or list that has a key. */
  part(whole: ts.Node, key: string, node: ts.Node): Place | undefined {
    const within = this.at(whole);
    const symbol = this.#types.symbolAt(bare(whole));
    if (within?.kind !== "bag" || within.isShared || within.within || !symbol) return undefined;
    const name = /^\d/.test(key) ? `${within.name}[${key}]` : `${within.name}.${key}`;
    return this.#place(symbol, key, name, node, { within });
  }

  #variable(name: ts.Identifier): Place | undefined {
    const symbol = this.#types.symbolAt(name);
    const declared = symbol?.valueDeclaration;
    const isVariable = declared && ts.isVariableDeclaration(declared);
    const isName = isVariable ||
      (declared && (ts.isParameter(declared) || ts.isBindingElement(declared)));
    if (!isName) return undefined;
    const kind = this.#types.kindOf(this.#types.checker.getTypeOfSymbol(symbol!));
    if (!kind) return undefined;
    const isShared = this.#isCommon(symbol!, declared, kind);
    if (isShared && kind === "bag") return undefined;
    const isHoisted = isVariable === true &&
      !(declared.parent.flags & ts.NodeFlags.BlockScoped);
    return this.#place(symbol!, "", symbol!.name, declared, { kind, isShared, isHoisted });
  }

  #place(
    symbol: ts.Symbol,
    key: string,
    name: string,
    declaration: ts.Node,
    more: Partial<Place>,
  ): Place {
    const ofSymbol = this.#known.get(symbol) ?? new Map<string, Place>();
    this.#known.set(symbol, ofSymbol);
    const known = ofSymbol.get(key);
    if (known) return known;
    const types = this.#types;
    const type = key === "" ? types.checker.getTypeOfSymbol(symbol) : types.at(declaration);
    const place = { ...PLAIN, name, declaration, isOptional: types.mayBeNothing(type), ...more };
    ofSymbol.set(key, place);
    return place;
  }

  /** A variable that a function from outside assigns, or that functions of a module have in common. */
  #isCommon(symbol: ts.Symbol, declaration: ts.Node, kind: Kind): boolean {
    const known = this.#sharing.get(symbol);
    if (known !== undefined) return known;
    const home = ownerOf(declaration);
    const visit = (node: ts.Node): boolean => {
      if (ts.isIdentifier(node) && node.text === symbol.name && ownerOf(node) !== home) {
        const user = ownerOf(node);
        const isSet = isAssignment(node.parent) && node.parent.left === node;
        const isTop = ts.isSourceFile(home) && ts.isFunctionDeclaration(user);
        const isMember = ts.isMethodDeclaration(user) && ts.isClassLike(user.parent);
        const isUsed = kind === "bag" || isSet || isTop || isMember;
        if (isUsed && this.#types.symbolAt(node) === symbol) return true;
      }
      return ts.forEachChild(node, visit) ?? false;
    };
    const is = visit(home);
    this.#sharing.set(symbol, is);
    return is;
  }
}

/** The number or text in `list[0]` and `object["name"]`. */
export function keyOf(key: ts.Expression): string | undefined {
  return ts.isStringLiteralLike(key) || ts.isNumericLiteral(key) ? key.text : undefined;
}
