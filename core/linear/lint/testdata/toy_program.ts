/** A port's name in a toy program: two variables, and a constant of some block. */
export type ToyName = "p" | "q" | "r";

/** One statement of a toy program, which is about ports and nothing else. */
export type Toy =
  | {
    readonly act: "open" | "use" | "close" | "exchange" | "clear" | "dispose";
    readonly name: ToyName;
  }
  | { readonly act: "give"; readonly name: ToyName; readonly from: ToyName }
  | { readonly act: "break" | "continue" | "return" | "throw" }
  | { readonly act: "call"; readonly helper: number }
  | { readonly act: "if"; readonly yes: readonly Toy[]; readonly no: readonly Toy[] }
  | { readonly act: "loop"; readonly isEndless: boolean; readonly body: readonly Toy[] }
  | { readonly act: "scope"; readonly isUsing: boolean; readonly body: readonly Toy[] }
  | { readonly act: "switch"; readonly cases: readonly (readonly Toy[])[] }
  | {
    readonly act: "try";
    readonly body: readonly Toy[];
    readonly handler: readonly Toy[] | undefined;
    readonly finalizer: readonly Toy[] | undefined;
  };

/** A function with two ports, and closures that work on them, too. */
export interface ToyProgram {
  readonly main: readonly Toy[];
  readonly helpers: readonly (readonly Toy[])[];
}

/** The program as text; each statement has a line of its own. */
export class ToyText {
  readonly lines: string[] = [];
  /** The line of each statement, from 1. */
  readonly lineOf = new Map<Toy, number>();

  constructor({ main, helpers }: ToyProgram) {
    this.lines.push("function main() {");
    this.lines.push("let p: PartialPort<true> | undefined = client.open(1);");
    this.lines.push("let q: PartialPort<true> | undefined;");
    for (const [index, body] of helpers.entries()) {
      this.#block(`function h${index}() {`, body, "}");
    }
    this.#block("{", main, "}");
    this.lines.push("}");
  }

  #block(head: string, body: readonly Toy[], tail: string): void {
    this.lines.push(head);
    for (const toy of body) this.#statement(toy);
    this.lines.push(tail);
  }

  #statement(toy: Toy): void {
    this.lineOf.set(toy, this.lines.length + 1);
    switch (toy.act) {
      case "if":
        this.#block("if (c()) {", toy.yes, "} else {");
        for (const one of toy.no) this.#statement(one);
        return void this.lines.push("}");
      case "loop":
        return this.#block(toy.isEndless ? "for (;;) {" : "while (c()) {", toy.body, "}");
      case "scope":
        return this.#block(
          `{ ${toy.isUsing ? "using" : "const"} r = client.open(2);`,
          toy.body,
          "}",
        );
      case "switch":
        return this.#switch(toy.cases);
      case "try":
        this.#block("try {", toy.body, "}");
        if (toy.handler) this.#block("catch {", toy.handler, "}");
        if (toy.finalizer) this.#block("finally {", toy.finalizer, "}");
        return;
      default:
        return void this.lines.push(simpleText(toy));
    }
  }

  /** The last of the cases is the default. */
  #switch(cases: readonly (readonly Toy[])[]): void {
    this.lines.push("switch (c()) {");
    for (const [index, body] of cases.entries()) {
      const isLast = index === cases.length - 1;
      this.#block(isLast ? "default:" : `case ${index}:`, body, "");
    }
    this.lines.push("}");
  }
}

function simpleText(
  toy: Exclude<Toy, { act: "if" | "loop" | "scope" | "switch" | "try" }>,
): string {
  switch (toy.act) {
    case "open":
      return `${toy.name} = client.open(3);`;
    case "use":
      return `${toy.name}.use(f);`;
    case "close":
      return `${toy.name}.close();`;
    case "exchange":
      return `${toy.name} = ${toy.name}.send().recv();`;
    case "clear":
      return `${toy.name} = undefined;`;
    case "dispose":
      return `${toy.name}[Symbol.dispose]();`;
    case "give":
      return `${toy.name} = ${toy.from};`;
    case "call":
      return `h${toy.helper}();`;
    case "throw":
      return "throw new Error();";
    default:
      return `${toy.act};`;
  }
}
