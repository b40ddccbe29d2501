import type { Axes, Point } from "../axis.ts";
import { compileNative, compilerProblem } from "../native/native_library.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";
import { allLines, checkWritten, LineFile, type LineShape, REWIND_BYTES } from "./lines.ts";
import source from "./print_lines.c" with { type: "text" };

/** So much is written at once, at most. */
const PIECE_BYTES = 1 << 16;

/**
 * What printing is compared with, for scenarios of it: plain writes as the floor; `console.log`, and C
 * where a compiler is, as references.
 *
 * @param shapeOf which lines a point prints
 */
export function lineControls<A extends Axes>(
  shapeOf: (point: Point<A>) => LineShape,
): Required<Pick<Scenario<A>, "floor" | "references">> {
  const control = (name: string, prepare: (shape: LineShape) => Promise<Trial>): Control<A> => ({
    name,
    setup: (point) => prepare(shapeOf(point)),
  });
  const consoleLog = control("console_log", prepareConsole);
  return {
    floor: control("plain_write", prepareWrites),
    get references() {
      return compilerProblem() === undefined
        ? [consoleLog, control("in_c", prepareC)]
        : [consoleLog];
    },
  };
}

/** The least that lines cost: their bytes, made before, those of a call in one write or a few. */
export function prepareWrites(shape: LineShape): Promise<Trial> {
  const file = LineFile.create();
  const lines = allLines(shape);
  return Promise.resolve({
    run(callCount) {
      for (let call = 0; call < callCount; call++) {
        for (let at = 0; at < lines.length;) {
          at += file.write(lines.subarray(at, at + PIECE_BYTES));
        }
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(file[Symbol.dispose]()),
  });
}

/**
 * C's `fprintf`, compiled here.
 *
 * @throws {Error} when there is no compiler, or no file
 */
export async function prepareC(shape: LineShape): Promise<Trial> {
  const compiled = await compileNative(source);
  const library = Deno.dlopen(compiled.path, {
    lines_open: { parameters: ["buffer"], result: "pointer" },
    lines_close: { parameters: ["pointer"], result: "i32" },
    lines_print: { parameters: ["pointer", "u32", "u32", "u32", "u32"], result: "f64" },
  });
  const { symbols } = library;
  const target = LineFile.create();
  const file = symbols.lines_open(new TextEncoder().encode(`${target.path}\0`));
  if (file === null) throw new Error(`Cannot print by C as it cannot open ${target.path}`);
  const { waveCount, laneCount, linesPerLane } = shape;
  const bytesPerCall = allLines(shape).length;
  return {
    run(callCount) {
      const written = symbols.lines_print(file, callCount, waveCount, laneCount, linesPerLane);
      checkWritten(written, callCount * bytesPerCall);
    },
    async [Symbol.asyncDispose]() {
      symbols.lines_close(file);
      library.close();
      target[Symbol.dispose]();
      await compiled[Symbol.asyncDispose]();
    },
  };
}

/**
 * Prints by `console.log`, which goes to the standard output of a process: so this is one of its own. For
 * each line of its input it prints all lines so often, and answers how many bytes that were.
 */
const PROGRAM = `
  const [path, waves, lanes, lines, longest] = Deno.args.map((text, at) => at ? Number(text) : text);
  const input = new Uint8Array(64);
  for (let size; (size = Deno.stdin.readSync(input)) !== null;) {
    const turns = Number(new TextDecoder().decode(input.subarray(0, size)));
    if (Deno.statSync(path).size > longest) Deno.truncateSync(path, 0);
    const before = Deno.statSync(path).size;
    for (let turn = 0; turn < turns; turn++)
      for (let wave = 0; wave < waves; wave++)
        for (let lane = 0; lane < lanes; lane++)
          for (let line = 0; line < lines; line++)
            console.log(\`wave \${wave} lane \${lane}: line \${line}, \${(line * 0.25).toFixed(6)}\`);
    const written = Deno.statSync(path).size - before;
    Deno.stderr.writeSync(new TextEncoder().encode(String(written)));
  }`;

/** `console.log` in a process whose output is a file. */
export function prepareConsole(shape: LineShape): Promise<Trial> {
  const { waveCount, laneCount, linesPerLane } = shape;
  const bytesPerCall = allLines(shape).length;
  const target = LineFile.create();
  const numbers = [waveCount, laneCount, linesPerLane, REWIND_BYTES].map(String);
  const child = new Deno.Command("sh", {
    args: [
      "-c",
      'exec "$@" >> "$0"',
      target.path,
      Deno.execPath(),
      "eval",
      PROGRAM,
      "--",
      target.path,
      ...numbers,
    ],
    stdin: "piped",
    stderr: "piped",
    stdout: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const answers = child.stderr.getReader();
  return Promise.resolve({
    async run(callCount) {
      await input.write(new TextEncoder().encode(`${callCount}\n`));
      const answer = new TextDecoder().decode((await answers.read()).value);
      if (!/^\d+$/.test(answer)) throw new Error(`Cannot print by console.log: ${answer.trim()}`);
      checkWritten(Number(answer), callCount * bytesPerCall);
    },
    async [Symbol.asyncDispose]() {
      await input.close();
      await answers.cancel();
      await child.status;
      target[Symbol.dispose]();
    },
  });
}
