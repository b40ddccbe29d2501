import { assertEquals } from "@std/assert";
import { Facts } from "../facts/facts.ts";
import { follow, isPiece } from "./flow.ts";
import { ts } from "../program/compiler.ts";

/** What a block can be in, each with the block that is in it. */
const SHAPES: Readonly<Record<string, (body: string, level: number) => string>> = {
  while: (body) => `while (more()) { ${body} }`,
  for: (body, level) => `for (let i${level} = 0; i${level} < 3; i${level}++) { ${body} }`,
  "for of": (body, level) => `for (const x${level} of list) { ${body} }`,
  do: (body) => `do { ${body} } while (more());`,
  label: (body, level) =>
    `l${level}: for (;;) { if (more()) continue l${level}; ${body} if (more()) break; }`,
  if: (body) => `if (more()) { ${body} } else { work(); }`,
  switch: (body) => `switch (kind) { case 1: { ${body} break; } case 2: work(); default: work(); }`,
  catch: (body) => `try { ${body} work(); } catch { work(); }`,
  finally: (body) => `try { ${body} work(); } finally { work(); }`,
  "catch and finally": (body) => `try { ${body} } catch { work(); } finally { work(); }`,
  "in a catch": (body) => `try { work(); } catch { ${body} }`,
  "in a finally": (body) => `try { if (more()) work(); } finally { ${body} }`,
  "a closure that is called": (body) => `(() => { ${body} })();`,
  "a closure with a name": (body, level) => `const f${level} = () => { ${body} }; f${level}();`,
  "a loop in a try": (body) => `try { while (more()) { ${body} } } finally { work(); }`,
  "a try in a closure in a loop": (body) =>
    `for (;;) { (() => { try { ${body} } catch { work(); } })(); if (more()) break; }`,
};

/**
 * Ports that are used in the innermost block, and closed after all. At each level one comes and goes in
 * the block, and one from before it goes in it, so that a loop has to be gone round twice.
 */
function programOf(shape: string, depth: number, portCount: number): string {
  const names = Array.from({ length: portCount }, (_, index) => `p${index}`);
  const inner = names.map((name) => `${name}.index;`).join(" ");
  const wrap = SHAPES[shape]!;
  const levels = Array.from({ length: depth }, (_, level) => level);
  const nested = levels.reduce((body, level) => {
    const own = `const q = open(); if (more()) work(); q.send().recv().close();`;
    const block = wrap(`${body} ${own} o${level}?.close(); o${level} = undefined;`, level);
    return `let o${level}: OwnedPort | undefined = open(); ${block} o${level}?.close();`;
  }, inner);
  return `interface OwnedPort { index: number; inbox: 0; outbox: 0; send(): SentPort; close(): void }
    interface SentPort { inbox: 0; outbox: 1; recv(): OwnedPort; close(): void }
    declare function open(): OwnedPort;
    declare function more(): boolean; declare function work(): void;
    declare const list: readonly number[], kind: number;
    function f() { ${names.map((name) => `const ${name} = open();`).join(" ")} ${nested}
    ${names.map((name) => `${name}.close();`).join(" ")} }`;
}

/** How many looks at a name a node may cost: as many as there are blocks around it, and not two to that. */
function lookupsMax(depth: number): number {
  return 4 + depth / 2;
}

/** How much is found in a program, with a bound for the looks at names on the way. */
function findingCountOf(text: string, depth: number): number {
  const source = ts.createSourceFile("/main.ts", text, ts.ScriptTarget.ESNext, true);
  const host: ts.CompilerHost = {
    ...{ fileExists: () => false, readFile: () => undefined, writeFile() {} },
    ...{ getDefaultLibFileName: () => "/lib.d.ts", getCurrentDirectory: () => "/" },
    ...{ getCanonicalFileName: (name) => name, useCaseSensitiveFileNames: () => true },
    getNewLine: () => "\n",
    getSourceFile: (name) => name === "/main.ts" ? source : undefined,
  };
  const program = ts.createProgram({ rootNames: ["/main.ts"], options: { noLib: true }, host });
  const facts = new Facts(program.getTypeChecker());
  const nodes: ts.Node[] = [source];
  for (const node of nodes) ts.forEachChild(node, (child) => void nodes.push(child));
  const { places } = facts;
  const at = places.at.bind(places);
  let left = nodes.length * lookupsMax(depth);
  places.at = (node) => {
    if (left-- < 0) throw new Error(`Cannot follow ${depth} blocks with so few looks at names`);
    return at(node);
  };
  let findingCount = 0;
  for (const node of nodes) if (isPiece(node)) follow(facts, node, () => findingCount++);
  return findingCount;
}

for (const shape of Object.keys(SHAPES)) {
  Deno.test(`lint nesting: ${shape}, 10 to 40 deep, with up to 400 ports`, () => {
    for (const [depth, portCount] of [[10, 400], [20, 40], [40, 4]] as const) {
      assertEquals(findingCountOf(programOf(shape, depth, portCount), depth), 0);
    }
    const leaky = programOf(shape, 20, 1).replaceAll("q.send().recv().close();", "q.send();");
    assertEquals(findingCountOf(leaky, 20), 20);
  });
}
