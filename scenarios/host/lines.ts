/** How many lines there are: of each wave, so many lanes that print so many lines. */
export interface LineShape {
  readonly waveCount: number;
  readonly laneCount: number;
  readonly linesPerLane: number;
}

/** What every way of printing prints: three numbers without a sign, and a float. */
export const LINE_FORMAT = "wave %u lane %u: line %u, %f\n";

export interface LinePlace {
  readonly wave: number;
  readonly lane: number;
  readonly line: number;
}

export function lineValue({ line }: Pick<LinePlace, "line">): number {
  return line * 0.25;
}

/** The line as any way of printing has to write it. */
export function lineText({ wave, lane, line }: LinePlace): string {
  return `wave ${wave} lane ${lane}: line ${line}, ${lineValue({ line }).toFixed(6)}\n`;
}

/** All lines in UTF-8, wave by wave, lane by lane. */
export function allLines({ waveCount, laneCount, linesPerLane }: LineShape): Uint8Array {
  let text = "";
  for (let wave = 0; wave < waveCount; wave++) {
    for (let lane = 0; lane < laneCount; lane++) {
      for (let line = 0; line < linesPerLane; line++) text += lineText({ wave, lane, line });
    }
  }
  return new TextEncoder().encode(text);
}

export function lineCount({ waveCount, laneCount, linesPerLane }: LineShape): number {
  return waveCount * laneCount * linesPerLane;
}

/** @throws {Error} when other bytes were written than the lines have */
export function checkWritten(writtenBytes: number, wantedBytes: number): void {
  if (writtenBytes === wantedBytes) return;
  throw new Error(
    `Cannot trust the lines as they must have ${wantedBytes} bytes: current value is ${writtenBytes}`,
  );
}

/** Where a file begins again from its start: its pages stay in memory, and the disk is not filled. */
export const REWIND_BYTES = 1 << 24;

/** A file that lines are written to, for as long as one wants. */
export class LineFile implements Disposable {
  /** Where it is, for other threads and programs. */
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #isOwner: boolean;
  #place = 0;
  #writtenBytes = 0;

  private constructor(path: string, isOwner: boolean) {
    this.path = path;
    this.#file = Deno.openSync(path, { write: true });
    this.#isOwner = isOwner;
  }

  /** Makes a file, which goes when this is disposed of. */
  static create(): LineFile {
    return new LineFile(Deno.makeTempFileSync({ prefix: "portlab_lines_" }), true);
  }

  /** Opens a file that another thread has made. */
  static open(path: string): LineFile {
    return new LineFile(path, false);
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Writes some of the bytes; returns how many. */
  write(bytes: Uint8Array): number {
    if (this.#place > REWIND_BYTES) this.#place = this.#file.seekSync(0, Deno.SeekMode.Start);
    const count = this.#file.writeSync(bytes);
    this.#place += count;
    this.#writtenBytes += count;
    return count;
  }

  [Symbol.dispose](): void {
    this.#file.close();
    if (this.#isOwner) Deno.removeSync(this.path);
  }
}
