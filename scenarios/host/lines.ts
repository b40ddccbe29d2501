/** How many lines there are: of each wave, so many lanes that print so many lines. */
export interface LineShape {
  readonly waveCount: number;
  readonly laneCount: number;
  readonly linesPerLane: number;
}

/** What every way of printing prints: three numbers without a sign, and a float. */
export const LINE_FORMAT = "wave %u lane %u: line %u, %f\n";

/** Which line it is. */
export interface LinePlace {
  readonly wave: number;
  readonly lane: number;
  readonly line: number;
}

/** The float of a line. */
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

/** How many lines that are. */
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
