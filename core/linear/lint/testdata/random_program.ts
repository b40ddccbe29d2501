import fc from "fast-check";

/**
 * One line of a program about ports: what the rules read, and what runs in its place, with names as
 * {@linkcode Cell} and `$` as {@linkcode Paths}.
 */
interface Line {
  readonly text: string;
  readonly code: string;
}

/** What stands around a statement. */
interface Around {
  readonly depth: number;
  readonly hasLoop: boolean;
  /** Whether `break` ends something here. */
  readonly hasBreak: boolean;
  /** How the block's own port is declared, if it has one. */
  readonly scope?: "const" | "using";
  /** Whether a closure or a `finally` is around, so that the names are those of somebody else. */
  readonly isOuter: boolean;
  /** Whether that is so of the block's own port. */
  readonly isScopeOuter: boolean;
}

type Lines = readonly Line[];

const HELPER_COUNT = 2;

function line(text: string, code = text): Lines {
  return [{ text, code }];
}

/** Statements that stand in a loop, in a block with its own port, or in neither. */
function statements(around: Around): fc.Arbitrary<Lines> {
  const maxLength = around.depth > 0 ? 4 : 2;
  return fc.array(statement(around), { maxLength }).map((all) => all.flat());
}

function statement(around: Around): fc.Arbitrary<Lines> {
  const name = fc.constantFrom("p", "q", ...around.scope ? ["r"] : []);
  const variable = fc.constantFrom("p", "q");
  const onName = fc.oneof(
    name.map((one) => line(`${one}.use(f);`, `$.use(${one}, $L);`)),
    name.map((one) => line(`${one}.close();`, `$.close(${one}, $L);`)),
    name.map((one) => line(`${one}[Symbol.dispose]();`, `$.dispose(${one}, $L);`)),
  );
  const onVariable = fc.oneof(
    variable.map((one) => line(`${one} = client.open(3);`, `$.open(${one}, $L);`)),
    variable.map((one) => line(`${one} = ${one}.send().recv();`, `$.exchange(${one}, $L);`)),
    variable.map((one) => line(`${one} = undefined;`, `$.clear(${one});`)),
  );
  const give = fc.tuple(variable, name).filter(([to, from]) => to !== from).map(([to, from]) => {
    const isOuter = from === "r" ? around.isScopeOuter : around.isOuter;
    const isUsing = from === "r" && around.scope === "using";
    return line(
      `${to} = ${from};`,
      `$.give(${to}, ${from}, { line: $L, isOuter: ${isOuter}, isUsing: ${isUsing} });`,
    );
  });
  const jumps = [
    "return",
    ...around.hasLoop ? ["continue"] : [],
    ...around.hasBreak ? ["break"] : [],
  ];
  const exit = fc.oneof(
    fc.constantFrom(...jumps).map((one) => line(`${one};`, `$.jump = "${one}"; ${one};`)),
    fc.constant(line("throw new Error();", "$.throw($L);")),
  );
  const helper = fc.nat({ max: HELPER_COUNT - 1 });
  const call = helper.map((one) => line(`h${one}();`, `$.call(h${one}, $L);`));
  const simple = [onName, onName, onVariable, give, exit, call];
  return fc.oneof(...simple, ...around.depth > 0 ? compound(around) : []);
}

function compound(outer: Around): readonly fc.Arbitrary<Lines>[] {
  const around = { ...outer, depth: outer.depth - 1 };
  const body = statements(around);
  const inLoop = statements({ ...around, hasLoop: true, hasBreak: true });
  const cases = fc.array(statements({ ...around, hasBreak: true }), { minLength: 1, maxLength: 3 });
  const after = statements({ ...around, isOuter: true, isScopeOuter: true });
  const next = line("}", '$.jump = "next"; }');
  const handler = body.map((
    one,
  ) => [...line("catch {", "catch (e) { $.caught(e);"), ...one, ...next]);
  const finalizer = after.map((one) => [
    ...line("finally {", "finally { const j = $.jump, n = $.pending.push(j); try {"),
    ...one,
    ...line("}", "$.jump = j; } finally { $.pending.length = n - 1; } }"),
  ]);
  const tails = fc.oneof(
    handler,
    finalizer,
    fc.tuple(handler, finalizer).map((both) => both.flat()),
  );
  const scoped = (scope: "const" | "using") =>
    statements({ ...around, scope, isScopeOuter: false }).map((one) => [
      ...line(`{ ${scope} r = client.open(2);`, "{ $.mayFail($L); const r = $.enter(); try {"),
      ...one,
      ...line("}", `$.jump = "next"; } finally { $.leave(r, ${scope === "using"}); } }`),
    ]);
  return [
    fc.tuple(body, body).map(([yes, no]) => [
      ...line("if (c()) {", "if ($.ask(2, $L)) {"),
      ...yes,
      ...line("} else {"),
      ...no,
      ...line("}"),
    ]),
    fc.oneof(
      fc.constant(line("while (c()) {", "while ($.ask(2, $L)) {")),
      fc.constant(line("for (;;) {", "for (;;) { $.choose(1, $L);")),
    ).chain((head) => inLoop.map((one) => [...head, ...one, ...line("}")])),
    fc.tuple(body, tails).map(([one, tail]) => [...line("try {"), ...one, ...next, ...tail]),
    ...outer.scope ? [] : [fc.oneof(scoped("const"), scoped("using"))],
    cases.map((all) => [
      ...line("switch (c()) {", `switch ($.ask(${all.length}, $L)) {`),
      ...all.flatMap((one, index) => [
        ...line(index === all.length - 1 ? "default:" : `case ${index}:`),
        ...one,
        ...line(""),
      ]),
      ...line("}"),
    ]),
  ];
}

const OUTSIDE: Around = {
  depth: 3,
  hasLoop: false,
  hasBreak: false,
  isOuter: false,
  isScopeOuter: false,
};

/** Functions with two ports, and closures that work on them, too. */
export const randomProgram: fc.Arbitrary<RandomProgram> = fc.tuple(
  statements(OUTSIDE),
  ...Array.from(
    { length: HELPER_COUNT },
    () => statements({ ...OUTSIDE, depth: 1, isOuter: true }),
  ),
).map(([main, ...helpers]) =>
  new RandomProgram([
    ...line("function main() {", ""),
    ...line("let p: PartialPort<true> | undefined = client.open(1);", "const { p, q } = $;"),
    ...line("let q: PartialPort<true> | undefined;", ""),
    ...helpers.flatMap((body, index) => [
      ...line(`function h${index}() {`),
      ...body,
      ...line("}"),
    ]),
    ...line("{", "function main() {"),
    ...main,
    ...line("}"),
    ...line("}", `return [main, ${helpers.map((_, index) => `h${index}`)}];`),
  ])
);

/** A program that is read by the rules, and run on all its paths. */
export class RandomProgram {
  readonly text: string;
  readonly #code: string;

  constructor(lines: Lines) {
    this.text = lines.map(({ text }) => text).join("\n");
    this.#code = lines.map(({ code }, index) => code.replaceAll("$L", `${index + 1}`)).join("\n");
  }

  /** What is wrong on some path, as `line rule`; a `leak` has no line, as many places may be named. */
  faults(): Pick<Paths, "found" | "isCut"> {
    const paths = new Paths();
    const functions = new Function("$", this.#code);
    for (let entry = 0; entry <= HELPER_COUNT; entry++) {
      paths.explore((one) => functions(one)[entry], entry === 0);
    }
    return paths;
  }
}

/** A name: holds nothing, a port, one that was consumed, or one that somebody else may see to. */
interface Cell {
  state: "-" | "live" | "moved" | "elsewhere";
}

/** Ends a path: this function throws, something that it calls fails, or all that follows is known. */
const [THROWN, FAILED, STOP] = [new Error("thrown"), new Error("failed"), new Error("stop")];

/** An assignment of one name to another. */
interface Giving {
  readonly line: number;
  /** Whether the name given is one from outside. */
  readonly isOuter: boolean;
  /** Whether it is declared by `using`. */
  readonly isUsing: boolean;
}

const DEPTH_MAX = 4;
const PATHS_MAX = 20_000;

/**
 * Runs a program once for each path. A choice that was met before, in the same state of all names,
 * has been gone into, so that loops come to an end.
 */
class Paths {
  readonly found = new Set<string>();
  /** Whether some paths were left out. */
  isCut = false;
  jump = "next";
  p: Cell = { state: "-" };
  q: Cell = { state: "-" };
  /** How the `try` ended of each `finally` around. */
  pending: string[] = [];
  #cells: Cell[] = [];
  #calls: number[] = [];
  readonly #seen = new Set<string>();
  #waiting: number[][] = [];
  #path: number[] = [];
  #at = 0;
  #isOver = false;

  explore(entryOf: (paths: Paths) => () => void, isMain: boolean): void {
    this.#waiting = [[]];
    for (let count = 0; this.#waiting.length > 0; count++) {
      if (count === PATHS_MAX) return void (this.isCut = true);
      this.#path = this.#waiting.pop()!;
      this.#at = 0;
      this.#isOver = false;
      this.p = { state: isMain ? "live" : "elsewhere" };
      this.q = { state: isMain ? "-" : "elsewhere" };
      this.#cells = [this.p, this.q];
      this.#calls = isMain ? [] : [0];
      this.pending = [];
      this.#run(entryOf(this));
      if (isMain && this.jump !== "failed") this.#drop(this.p, this.q);
    }
  }

  #run(entry: () => void): void {
    try {
      entry();
      this.jump = "next";
    } catch (error) {
      if (error !== THROWN && error !== FAILED && error !== STOP) throw error;
    }
  }

  choose(count: number, line: number): number {
    if (this.#isOver) throw STOP;
    if (this.#at === this.#path.length) {
      const states = this.#cells.map(({ state }) => state);
      const key = [line, this.#calls, this.pending, states].join(";");
      if (this.#seen.has(key)) this.#stop();
      this.#seen.add(key);
      for (let other = 1; other < count; other++) this.#waiting.push([...this.#path, other]);
      this.#path.push(0);
    }
    return this.#path[this.#at++]!;
  }

  #stop(): never {
    this.#isOver = true;
    throw STOP;
  }

  mayFail(line: number): void {
    if (this.choose(2, line) === 1) this.#fail();
  }

  #fail(): never {
    this.jump = "failed";
    throw FAILED;
  }

  /** A condition, which may fail. */
  ask(count: number, line: number): number {
    const answer = this.choose(count + 1, line);
    return answer === count ? this.#fail() : answer;
  }

  throw(line: number): never {
    this.mayFail(line);
    this.jump = "thrown";
    throw THROWN;
  }

  caught(error: unknown): void {
    if (error === STOP) throw error;
  }

  call(helper: () => void, line: number): void {
    if (this.#calls.length === DEPTH_MAX) {
      this.isCut = true;
      this.#stop();
    }
    this.#calls.push(line);
    try {
      helper();
    } catch (error) {
      if (error === THROWN) this.#fail();
      throw error;
    } finally {
      this.#calls.pop();
    }
    this.mayFail(line);
  }

  enter(): Cell {
    const cell: Cell = { state: "live" };
    this.#cells.push(cell);
    return cell;
  }

  leave(cell: Cell, isUsing: boolean): void {
    this.#cells.pop();
    if (!isUsing && this.jump !== "failed") this.#drop(cell);
  }

  use(cell: Cell, line: number): void {
    this.#check(cell, line, "use-after-move");
    this.mayFail(line);
  }

  close(cell: Cell, line: number): void {
    this.#check(cell, line, "double-move");
    this.#move(cell);
  }

  dispose(cell: Cell, line: number): void {
    this.#move(cell);
    this.mayFail(line);
  }

  exchange(cell: Cell, line: number): void {
    this.close(cell, line);
    this.mayFail(line);
    cell.state = "live";
  }

  open(cell: Cell, line: number): void {
    this.mayFail(line);
    this.#drop(cell);
    cell.state = "live";
  }

  clear(cell: Cell): void {
    this.#drop(cell);
    cell.state = "-";
  }

  give(to: Cell, from: Cell, { line, isOuter, isUsing }: Giving): void {
    const { state } = from;
    this.close(from, line);
    if (isUsing) this.#fault(`${line} use-after-move`); // `using` closes it
    this.#drop(to);
    // Whether a name from outside is somebody else's, too, is known to the caller only.
    const here = isOuter || state === "elsewhere" ? "elsewhere" : "live";
    to.state = state === "-" && !isOuter ? "-" : here;
  }

  #move(cell: Cell): void {
    if (cell.state !== "-") cell.state = "moved";
  }

  #check({ state }: Cell, line: number, rule: string): void {
    if (state === "moved") this.#fault(`${line} ${rule}`);
  }

  #drop(...cells: readonly Cell[]): void {
    if (cells.some(({ state }) => state === "live")) this.#fault("leak");
  }

  #fault(what: string): void {
    if (!this.#isOver) this.found.add(what);
  }
}
