import type { Source } from "./source.ts";

/** Something found in the code itself, never in a comment or a string. Lines count from 1. */
export interface Found {
  readonly what: string;
  readonly line: number;
}

/** A function with a body, from its first line to its last. */
export interface FunctionSpan extends Found {
  readonly lineCount: number;
  readonly parameterCount: number;
}

/** A class, an interface or an object with a name at the top level, and the names in it. */
export interface Members {
  readonly what: string;
  /** What it takes further names from. */
  readonly parents: readonly string[];
  /** Without the `#` of private ones. */
  readonly names: readonly string[];
}

/** What the rules want to know about one TypeScript module. */
export interface Syntax {
  /** Targets of static, dynamic and type imports, re-exports, and URLs relative to the module. */
  readonly imports: readonly (Found & { readonly isLoaded: boolean })[];
  /** Uses of the global objects that some folders must not touch, such as `Deno` and `Deno.cwd`. */
  readonly globals: readonly Found[];
  readonly functions: readonly FunctionSpan[];
  /** Exported functions, whose parameters are part of the public surface. */
  readonly exported: readonly FunctionSpan[];
  /** Language features that the project does without. */
  readonly refused: readonly Found[];
  /** Declarations that a notebook cell must not hold. */
  readonly declared: readonly Found[];
  readonly comments: readonly (Found & { readonly lastLine: number })[];
  readonly members: readonly Members[];
}

// Deno's own parser reads the module, so that the rules need no package and see what `deno lint` sees.
const parsed = new WeakMap<Source, Syntax>();

/** Reads a module once, and remembers the answer for the next rule. Throws where it does not parse. */
export function syntaxOf(source: Source): Syntax {
  const known = parsed.get(source);
  if (known) return known;
  const syntax = parse(source);
  parsed.set(source, syntax);
  return syntax;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

function parse({ path, text }: Source): Syntax {
  const syntax: Mutable<Syntax> = {
    imports: [],
    globals: [],
    functions: [],
    exported: [],
    refused: [],
    declared: [],
    comments: [],
    members: [],
  };
  const lineAt = lineFinder(text);
  const name = path.endsWith(".ts") ? path : `${path}.ts`;
  const create = (context: Deno.lint.RuleContext) => {
    for (const { value, range } of context.sourceCode.getAllComments()) {
      syntax.comments.push({ what: value, line: lineAt(range[0]), lastLine: lineAt(range[1]) });
    }
    return {
      ...importVisitor(syntax, lineAt),
      ...declarationVisitor(syntax, lineAt),
      ...memberVisitor(syntax),
    };
  };
  Deno.lint.runPlugin({ name: "tidy", rules: { read: { create } } }, name, text);
  return syntax;
}

type LineFinder = (offset: number) => number;

function lineFinder(text: string): LineFinder {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

function importVisitor(syntax: Mutable<Syntax>, lineAt: LineFinder): Deno.lint.LintVisitor {
  const add = (target: Deno.lint.Node | null | undefined, node: Deno.lint.Node) => {
    const what = literalText(target);
    const isLoaded = isLoadedBy(node as Kinds);
    if (what !== undefined) syntax.imports.push({ what, line: lineAt(node.range[0]), isLoaded });
  };
  return {
    ImportDeclaration: (node) => add(node.source, node),
    ExportAllDeclaration: (node) => add(node.source, node),
    ExportNamedDeclaration: (node) => add(node.source, node),
    ImportExpression: (node) => add(node.source, node),
    TSImportType: (node) => add(node.argument, node),
    NewExpression: (node) => {
      if (node.callee.type === "Identifier" && node.callee.name === "URL" && node.arguments[1]) {
        add(node.arguments[0], node);
      }
    },
    'CallExpression[callee.object.type="MetaProperty"][callee.property.name="resolve"]': (
      node: Deno.lint.CallExpression,
    ) => add(node.arguments[0], node),
  };
}

interface Kinds {
  readonly importKind?: string;
  readonly exportKind?: string;
  readonly specifiers?: readonly Kinds[];
}

/** Whether what a node names runs before the module itself: not for types, nor with `import()`. */
function isLoadedBy({ importKind, exportKind, specifiers = [] }: Kinds): boolean {
  const isOfTypes = specifiers.length > 0 &&
    specifiers.every((one) => (one.importKind ?? one.exportKind) === "type");
  return (importKind ?? exportKind) === "value" && !isOfTypes;
}

function literalText(node: Deno.lint.Node | null | undefined): string | undefined {
  if (node?.type === "TSLiteralType") return literalText(node.literal);
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function declarationVisitor(syntax: Mutable<Syntax>, lineAt: LineFinder): Deno.lint.LintVisitor {
  const found = (what: string, node: Deno.lint.Node) => ({ what, line: lineAt(node.range[0]) });
  const refuse = (what: string) => (node: Deno.lint.Node) => {
    syntax.refused.push(found(what, node));
  };
  const span = (node: Deno.lint.FunctionDeclaration | Deno.lint.ArrowFunctionExpression) => ({
    ...found("id" in node && node.id ? node.id.name : "function", node),
    lineCount: lineAt(node.range[1]) - lineAt(node.range[0]) + 1,
    parameterCount: node.params.length,
  });
  return {
    TSEnumDeclaration: refuse("an enum"),
    ExportDefaultDeclaration: refuse("a default export"),
    'PropertyDefinition[accessibility="private"]': refuse("the private keyword"),
    // A constructor cannot be #private, and a class with a static factory needs it closed.
    'MethodDefinition[accessibility="private"][kind!="constructor"]': refuse("the private keyword"),
    TSParameterProperty: refuse("a parameter property"),
    "Program > VariableDeclaration > VariableDeclarator > ArrowFunctionExpression": refuse(
      "an arrow function with a top-level name",
    ),
    "ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > ArrowFunctionExpression":
      refuse("an arrow function with a top-level name"),
    "FunctionDeclaration, FunctionExpression, ArrowFunctionExpression": (
      node: Deno.lint.FunctionDeclaration | Deno.lint.ArrowFunctionExpression,
    ) => {
      syntax.functions.push(span(node));
      if (node.parent.type === "ExportNamedDeclaration") syntax.exported.push(span(node));
    },
    "FunctionDeclaration, ClassDeclaration, ClassExpression": (node: Deno.lint.Node) => {
      syntax.declared.push(found(`a ${node.type}`, node));
    },
    "Identifier[name=/^(Deno|Atomics|console|performance|Date|Worker)$/]": (
      node: Deno.lint.Identifier,
    ) => {
      syntax.globals.push(found(usedName(node), node));
    },
  };
}

function usedName(node: Deno.lint.Identifier): string {
  const { parent } = node;
  const isMember = parent.type === "MemberExpression" && parent.object === node &&
    parent.property.type === "Identifier";
  return isMember ? `${node.name}.${(parent.property as Deno.lint.Identifier).name}` : node.name;
}

function memberVisitor(syntax: Mutable<Syntax>): Deno.lint.LintVisitor {
  const add = (what: string | undefined, nodes: readonly unknown[], parents: unknown[]) => {
    const names = nodes.flatMap((node) => nameOf((node as { key?: Deno.lint.Node }).key));
    const known = parents.map((parent) => (parent as Partial<Deno.lint.Identifier>)?.name ?? "?");
    if (what !== undefined) syntax.members.push({ what, parents: known, names });
  };
  return {
    ClassDeclaration: (node) =>
      add(node.id?.name, node.body.body, node.superClass ? [node.superClass] : []),
    TSInterfaceDeclaration: (node) =>
      add(node.id.name, node.body.body, node.extends.map(({ expression }) => expression)),
    VariableDeclarator: ({ id, init }) => {
      const value = init?.type === "TSAsExpression" ? init.expression : init;
      if (value?.type !== "ObjectExpression" || id.type !== "Identifier") return;
      const isWhole = value.properties.every(({ type }) => type === "Property");
      add(id.name, value.properties, isWhole ? [] : [undefined]);
    },
  };
}

function nameOf(key: Deno.lint.Node | undefined): string[] {
  if (key?.type === "Identifier" || key?.type === "PrivateIdentifier") return [key.name];
  return key?.type === "Literal" ? [String(key.value)] : [];
}
