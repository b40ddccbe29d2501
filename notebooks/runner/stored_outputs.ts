// @ts-types="@types/upng-js"
import UPNG from "upng-js";
import { type Cell, type Notebook, type Output, sourceText } from "./notebook.ts";

/** A cell whose texts differ from run to run, such as times or what the machine is, carries this tag. */
export const VARIES_TAG = "varies";

/** Colours of a picture in a file: those of a chart, with the edges of its letters, at a third of the size. */
const COLORS_MAX = 48;

/** Outputs as a file keeps them: streams in one piece each, pictures with few colours. */
export function storedOutputs(outputs: readonly Output[]): Output[] {
  const stored: Output[] = [];
  for (const output of outputs) {
    const last = stored.at(-1);
    const isSame = last?.output_type === "stream" && output.output_type === "stream" &&
      last.name === output.name;
    if (isSame) stored[stored.length - 1] = { ...last, text: last.text + output.text };
    else {stored.push(
        "data" in output ? { ...output, data: withSmallPicture(output.data) } : output,
      );}
  }
  return stored;
}

function withSmallPicture(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const png = data["image/png"];
  if (typeof png !== "string") return data;
  const picture = UPNG.decode(Uint8Array.fromBase64(png).buffer);
  const frames = UPNG.toRGBA8(picture);
  const small = UPNG.encode(frames, picture.width, picture.height, COLORS_MAX);
  return { ...data, "image/png": new Uint8Array(small).toBase64() };
}

/**
 * Where the texts of a notebook's stored outputs are not those of a run, a sentence for each cell. Where
 * a cell is tagged {@linkcode VARIES_TAG}, the kinds of its outputs are compared; pictures never are.
 */
export function textDifferences(stored: Notebook, executed: Notebook): string[] {
  return stored.cells.flatMap((cell, index) => {
    const now = executed.cells[index];
    if (cell.cell_type !== "code" || !cell.outputs?.length || !now) return [];
    const textOf = cell.metadata.tags?.includes(VARIES_TAG) ? kindsOf : textsOf;
    const [before, after] = [textOf(cell), textOf(now)];
    if (before === after) return [];
    return [
      `Cell ${index + 1}, ${
        sourceText(cell).split("\n")[0]
      }: its output is another one than the stored, ` +
      `"${differingLine(after, before)}" in place of "${
        differingLine(before, after)
      }": store it by ` +
      "deno task notebooks --write",
    ];
  });
}

function textsOf({ outputs = [] }: Cell): string {
  return storedTexts(outputs).join("\n");
}

function storedTexts(outputs: readonly Output[]): string[] {
  return outputs.flatMap((output) => {
    if (output.output_type === "stream") return [output.text];
    if (output.output_type === "error") return [output.evalue];
    return [String(output.data["text/plain"] ?? "")];
  }).join("").split("\n");
}

function kindsOf({ outputs = [] }: Cell): string {
  const kinds = outputs.flatMap((output) =>
    "data" in output ? Object.keys(output.data).sort() : [output.output_type]
  );
  return [...new Set(kinds)].join("\n");
}

function differingLine(text: string, other: string): string {
  const lines = text.split("\n");
  const others = other.split("\n");
  return lines.find((line, index) => line !== others[index]) ?? "";
}
