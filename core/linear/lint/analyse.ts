import { Facts } from "./facts/facts.ts";
import { type Finding, findingOf, type Tell } from "./finding.ts";
import { follow, isPiece } from "./flow/flow.ts";
import { ts } from "./program/compiler.ts";
import { isOurs } from "./facts/port_types.ts";

/** Judges the functions of files one at a time, each by its own body and the signatures of others. */
export class Analysis {
  readonly #facts: Facts;

  constructor(program: ts.Program) {
    this.#facts = new Facts(program.getTypeChecker());
  }

  /** What is wrong in a file, from top to bottom. */
  findingsIn(source: ts.SourceFile): readonly Finding[] {
    const found = new Map<string, Finding>();
    if (!isOurs(source)) return [];
    const tell: Tell = (way, node, details) => {
      const finding = findingOf(way, node, details);
      const key = `${node.getStart()} ${finding.rule}`;
      if (!found.has(key) && !isIgnored(finding, source)) found.set(key, finding);
    };
    const visit = (node: ts.Node): void => {
      if (isPiece(node)) follow(this.#facts, node, tell);
      if (ts.isClassLike(node)) this.#tellForgotten(node, tell);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return [...found.values()].toSorted((one, next) => one.node.getStart() - next.node.getStart());
  }

  /** Private fields that hold ports which nothing in the class ends, and nothing lets out. */
  #tellForgotten(owner: ts.ClassLikeDeclaration, tell: Tell): void {
    const { types, modes } = this.#facts;
    const parameters = owner.members.filter(ts.isConstructorDeclaration).flatMap((one) =>
      one.parameters.filter((parameter) => ts.isParameterPropertyDeclaration(parameter, one))
    );
    for (const member of [...owner.members.filter(ts.isPropertyDeclaration), ...parameters]) {
      const isPrivate = ts.isPrivateIdentifier(member.name) ||
        ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private;
      if (!isPrivate || !types.kindAt(member.name)) continue;
      const symbol = types.symbolAt(member.name);
      const name = member.name.getText();
      const isGone = (node: ts.Node): boolean => {
        const isAccess = ts.isPropertyAccessExpression(node);
        const isField = isAccess && node.name.text === name &&
          types.symbolAt(node.name)?.valueDeclaration === symbol?.valueDeclaration;
        if (isField && !/lend|look|absorb/.test(modes.of(node))) return true;
        const isUnpacked = node.kind === ts.SyntaxKind.ThisKeyword &&
          !ts.isPropertyAccessExpression(node.parent);
        const isLetOut = isField && ts.isReturnStatement(node.parent);
        return isUnpacked || isLetOut || (ts.forEachChild(node, isGone) ?? false);
      };
      if (owner.members.some((one) => ts.forEachChild(one, isGone))) continue;
      tell("neverEnded", member.name, { name });
    }
  }
}

/** `// deno-lint-ignore linear/double-move` above a line, or for the file. */
function isIgnored({ node, rule }: Finding, { text }: ts.SourceFile): boolean {
  const above = text.slice(0, node.getStart()).split("\n").at(-2) ?? "";
  const comments = [
    /^\s*\/\/ deno-lint-ignore (.*)/.exec(above),
    /^\/\/ deno-lint-ignore-file (.*)/m.exec(text),
  ];
  return comments.some((one) => one?.[1]?.split(/[\s,]+/).includes(`linear/${rule}`));
}
