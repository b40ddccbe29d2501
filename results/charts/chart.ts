import { type ChartSpec, FONT_FAMILY, renderPng, renderSvg } from "./render.ts";

/** Version 5, because Jupyter clients do not draw version 6 yet. */
const SPEC_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json";
const SPEC_MEDIA_TYPE = "application/vnd.vegalite.v5+json";

/** Text of a size that can be read where a page shows the picture at half of its pixels. */
const CONFIG = {
  font: FONT_FAMILY,
  view: { stroke: null },
  title: { fontSize: 16, subtitleFontSize: 12.5, subtitleColor: "#444", subtitlePadding: 6 },
  axis: {
    labelFontSize: 13,
    titleFontSize: 13,
    titleFontWeight: "normal",
    gridColor: "#e4e4e4",
    domainColor: "#888",
    tickColor: "#888",
    labelOverlap: "greedy",
    labelLimit: 260,
  },
  legend: { labelFontSize: 13, titleFontSize: 13, titleFontWeight: "normal", symbolOpacity: 1 },
  header: { labelFontSize: 13, titleFontSize: 13, titleFontWeight: "normal" },
  mark: { color: "#0072B2" },
  rule: { color: "#0072B2" },
  line: { strokeWidth: 2.2 },
} as const;

/**
 * A chart that a notebook shows: interactive where the client knows Vega-Lite 5, as a picture
 * everywhere else.
 *
 * @example
 * ```ts
 * import { Chart } from "./chart.ts";
 * const chart = new Chart({
 *   title: "One dot",
 *   data: { values: [{ x: 1 }] },
 *   mark: "point",
 *   encoding: { x: { field: "x", type: "quantitative" } },
 * });
 * if (!(await chart.svg()).includes("One dot")) throw new Error("the title is text");
 * ```
 */
export class Chart {
  /** The specification, with the version of Vega-Lite that it is for, and fonts and colours. */
  readonly spec: ChartSpec;

  /** Takes a specification for Vega-Lite 5, as plain data. */
  constructor(spec: ChartSpec) {
    this.spec = { $schema: SPEC_SCHEMA, ...spec, config: { ...CONFIG, ...Object(spec.config) } };
  }

  /** What the chart shows, in words: for who does not see it. */
  get alt(): string {
    return String(this.spec.description ?? titleText(this.spec));
  }

  /** The chart as SVG text. */
  svg(): Promise<string> {
    return renderSvg(this.spec);
  }

  /** The chart as a PNG, which looks the same on every machine. */
  async png(): Promise<Uint8Array<ArrayBuffer>> {
    return renderPng(await this.svg());
  }

  /** For Jupyter: the same chart in every form that a client may know. */
  async [Symbol.for("Jupyter.display")](): Promise<Record<string, unknown>> {
    return {
      [SPEC_MEDIA_TYPE]: this.spec,
      "image/png": (await this.png()).toBase64(),
      "text/plain": `Chart: ${this.alt}`,
    };
  }
}

function titleText({ title }: ChartSpec): string {
  if (typeof title === "string") return title;
  return [Object(title).text ?? "without a title"].flat().join(" ");
}
