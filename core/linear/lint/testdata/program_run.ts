/** What happened to ports on some paths of a program. */
export class Verdict {
  /** What was done too late, as `line rule`. */
  readonly late = new Set<string>();
  /** The ports that were lost, by the lines of those that each came from, and its own. */
  readonly lost = new Map<string, readonly number[]>();
  /** The lines of ports of which it is a matter of opinion, as the program threw later. */
  readonly doubtful = new Set<number>();
  /** Whether there were too many paths. */
  isCut = false;
}

const PATHS_MAX = 100;
const ROUNDS_MAX = 3;

/**
 * Runs a program of `random_program.ts` once for each path, with ports that note what is done with
 * them. What runs is the text that the rules read, with its lines told to whoever asks for them.
 */
export function runAll(text: string): Verdict {
  const code = text.split("\n").map((line, index) => codeOf(line, index + 1)).join("\n");
  const program = new Function("$", `${code}\nmain();`);
  const verdict = new Verdict();
  const waiting: (readonly number[])[] = [[]];
  for (let count = 0; waiting.length > 0 && !verdict.isCut; count++) {
    const path = new Path(verdict, waiting.pop()!);
    path.run(() => program(path));
    waiting.push(...path.others);
    verdict.isCut = count > PATHS_MAX;
  }
  return verdict;
}

function codeOf(line: string, number: number): string {
  return line.replace(/: PartialPort[^=;]*/, "")
    .replace("const a =", "$.names = () => [p, q, ...all]; const a =")
    .replace("while (c()) {", "for (const next = $.rounds(); $.ask();) { next();")
    .replace("try {", "try { using guard = $.guard();")
    .replace("catch {", "catch (error) { $.caught(error);")
    .replace(/(const|using) r = .*/, `using own = $.own(${number}); $1 r = own.port;`)
    .replace(/client\.open\(.\)/, `$.open(${number})`)
    .replace(/\.(use|close|send|recv)\(f?\)/g, `.$1(${number})`)
    .replace(/^(h\d)\(\)/, `$.call($1, ${number})`)
    .replace("new Error()", "$.thrown()")
    .replace("switch (c())", "switch ($.ask() ? 1 : 0)")
    .replace("c()", "$.ask()");
}

/** An exception of the program. */
class OwnError {}
/** An exception of what it calls. */
class ForeignError {}
/** Ends a path that goes on for too long. */
class Stop {}

/** One path: what nobody knows is decided by the numbers that it is given, then by zeros. */
class Path {
  /** Paths that are the same up to some decision. */
  readonly others: (readonly number[])[] = [];
  /** The ports that names and lists of the program hold now. */
  names: () => readonly (NotedPort | undefined)[] = () => [];
  readonly #verdict: Verdict;
  readonly #prefix: readonly number[];
  readonly #taken: number[] = [];
  readonly #ports: NotedPort[] = [];
  readonly #owned: NotedPort[] = [];
  readonly #calls: { readonly line: number; readonly calledAt: number }[] = [];
  #time = 1;
  #guards = 0;
  #hasFailed = false;
  #isOver = false;
  /** What names held at a `throw` that nothing in the program catches; a list is nobody's name. */
  #thrownFrom: readonly (NotedPort | undefined)[] = [];

  constructor(verdict: Verdict, prefix: readonly number[]) {
    this.#verdict = verdict;
    this.#prefix = prefix;
  }

  run(program: () => void): void {
    try {
      program();
      if (!this.#isOver) this.#lose(this.#ports);
    } catch (error) {
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
      if (!(error instanceof OwnError)) return;
      // Whoever is called may throw: only who throws itself has to see to what it holds.
      this.#lose(this.#ports.filter((one) => this.#thrownFrom.includes(one)));
      const others = this.#ports.filter((one) => one.isOpen && !this.#thrownFrom.includes(one));
      for (const { lines } of others) this.#verdict.doubtful.add(lines.at(-1)!);
    }
  }

  #lose(ports: readonly NotedPort[]): void {
    for (const { isOpen, lines } of ports) {
      if (isOpen) this.#verdict.lost.set(lines.join(), lines);
    }
  }

  #choose(): boolean {
    const taken = this.#prefix[this.#taken.length] ?? 0;
    if (this.#taken.length >= this.#prefix.length) this.others.push([...this.#taken, 1]);
    this.#taken.push(taken);
    return taken === 1;
  }

  /** A condition, which may fail. */
  ask(): boolean {
    this.mayFail();
    return !this.#choose();
  }

  /** A call fails, once on a path, and only where a `try` is around. */
  mayFail(): void {
    if (this.#isOver) throw new Stop();
    if (this.#guards === 0 || this.#hasFailed || !this.#choose()) return;
    this.#hasFailed = true;
    throw new ForeignError();
  }

  rounds(): () => void {
    let count = 0;
    return () => {
      if (++count > ROUNDS_MAX) this.#isOver = true;
      if (this.#isOver) throw new Stop();
    };
  }

  guard(): Disposable {
    this.#guards++;
    return { [Symbol.dispose]: () => void this.#guards-- };
  }

  /** What an exception has made unreachable is excused, unless the program threw it. */
  caught(error: unknown): void {
    if (error instanceof Stop) throw error;
    if (!(error instanceof ForeignError)) return;
    const seen = [...this.names(), ...this.#owned];
    for (const one of this.#ports) if (!seen.includes(one)) one.isExcused = true;
  }

  thrown(): OwnError {
    const isFinal = this.#guards === 0 && this.#calls.length === 0;
    this.#thrownFrom = isFinal ? [...this.names().slice(0, 2), ...this.#owned] : [];
    return new OwnError();
  }

  call(helper: () => void, line: number): void {
    this.#calls.push({ line, calledAt: this.now() });
    try {
      helper();
    } finally {
      this.#calls.pop();
    }
  }

  now(): number {
    return this.#time++;
  }

  open(line: number, before: readonly number[] = []): NotedPort {
    this.mayFail();
    const port = new NotedPort(this, [...before, line]);
    this.#ports.push(port);
    return port;
  }

  /** The port of a block. */
  own(line: number): Disposable & { readonly port: NotedPort } {
    const port = this.open(line);
    this.#owned.push(port);
    return { port, [Symbol.dispose]: () => void this.#owned.pop() };
  }

  /** Too late is the operation, or the call that was made too late already. */
  blame(rule: string, line: number, endedAt: number): void {
    const late = this.#calls.find(({ calledAt }) => calledAt > endedAt);
    if (!this.#isOver) this.#verdict.late.add(`${late?.line ?? line} ${rule}`);
  }
}

/** A port that notes what is done with it. */
class NotedPort {
  isExcused = false;
  /** Where it came to be, after the ports that it comes from. */
  readonly lines: readonly number[];
  readonly #path: Path;
  readonly #blamed = new Set<string>();
  #endedAt: number | undefined;

  constructor(path: Path, lines: readonly number[]) {
    this.#path = path;
    this.lines = lines;
  }

  get isOpen(): boolean {
    return this.#endedAt === undefined && !this.isExcused;
  }

  /** What is wrong with a port in one way is said once. */
  #blame(rule: string, line: number): void {
    if (this.#endedAt === undefined || this.#blamed.has(rule)) return;
    this.#blamed.add(rule);
    this.#path.blame(rule, line, this.#endedAt);
  }

  use(line: number): void {
    this.#blame("use-after-move", line);
    this.#path.mayFail();
  }

  close(line: number): void {
    this.#blame("double-move", line);
    this.#endedAt ??= this.#path.now();
  }

  send(line: number): this {
    this.close(line);
    return this;
  }

  recv(line: number): NotedPort {
    return this.#path.open(line, this.lines);
  }

  [Symbol.dispose](): void {
    this.#endedAt ??= this.#path.now();
  }
}
