import { Resvg } from "@resvg/resvg-js";
import { fromFileUrl } from "@std/path";
// Importing it is what brings the package with its font files to this machine.
import fontPackage from "dejavu-fonts-ttf/package.json" with { type: "json" };
import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { textMetrics } from "vega-scenegraph";

/** The font of every chart; charts measure and draw text with it. */
export const FONT_FAMILY = "DejaVu Sans";
/** PNGs have this many pixels for each pixel of the chart: text stays sharp on dense screens. */
const ZOOM = 2;

/** Widths of the font's characters, in sizes of the font: the means of English text and of figures. */
const CHARACTER_WIDTH = { normal: 0.58, bold: 0.66, figure: 0.7 } as const;

// There is no canvas to measure text with, and the guess of the package leaves a third of a title's
// width empty at its right.
textMetrics.width = widthOf;

/** What is known of a text before it is drawn. */
interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: unknown;
  readonly text?: unknown;
}

function widthOf(item: TextItem, text: unknown = item.text): number {
  const width = CHARACTER_WIDTH[item.fontWeight === "bold" ? "bold" : "normal"];
  const characters = [...String(text ?? "")];
  const figures = characters.filter((one) => /[\d%µ.]/.test(one)).length;
  const widths = (characters.length - figures) * width + figures * CHARACTER_WIDTH.figure;
  return widths * (item.fontSize ?? 11);
}

/** A Vega-Lite specification as plain data. */
export type ChartSpec = Readonly<Record<string, unknown>>;

/**
 * Draws a Vega-Lite specification as SVG text. Same specification, same text.
 *
 * @example
 * ```ts
 * import { renderSvg } from "./render.ts";
 * const svg = await renderSvg({ title: "Nothing", data: { values: [] }, mark: "point" });
 * if (!svg.startsWith("<svg")) throw new Error(svg);
 * ```
 */
export async function renderSvg(spec: ChartSpec): Promise<string> {
  const styled = { ...spec, config: { font: FONT_FAMILY, ...Object(spec.config) } };
  const compiled = compile(styled as unknown as TopLevelSpec).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none" });
  try {
    return named(await view.toSVG(), spec.description);
  } finally {
    view.finalize();
  }
}

/** Screen readers say the name of a picture. */
function named(svg: string, description: unknown): string {
  if (typeof description !== "string") return svg;
  const text = description.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return svg.replace("<svg", `<svg role="img" aria-label="${text}"`);
}

/**
 * Draws SVG text as a PNG, with fonts from an npm package and none of the machine's: the picture is
 * the same everywhere, and has its text on a machine without fonts.
 *
 * @param options `fontFiles` in place of the package's
 *
 * @example
 * ```ts
 * import { renderPng } from "./render.ts";
 * const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">a</text></svg>`;
 * if (renderPng(svg)[0] !== 0x89) throw new Error("a PNG begins with 0x89");
 * ```
 */
export function renderPng(
  svg: string,
  options: { readonly fontFiles?: readonly string[] } = {},
): Uint8Array<ArrayBuffer> {
  const font = {
    loadSystemFonts: false,
    fontFiles: [...options.fontFiles ?? packagedFontFiles()],
    defaultFontFamily: FONT_FAMILY,
    sansSerifFamily: FONT_FAMILY,
  };
  const fitTo = { mode: "zoom", value: ZOOM } as const;
  return new Uint8Array(new Resvg(svg, { font, fitTo, background: "white" }).render().asPng());
}

/** Regular, and bold for titles: without it they would be drawn regular. */
const FONT_FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

function packagedFontFiles(): string[] {
  const { name } = fontPackage;
  return FONT_FILES.map((file) => fromFileUrl(import.meta.resolve(`${name}/ttf/${file}`)));
}
