import { type ChartSpec, renderPng, renderSvg } from "./render.ts";

/** Version 5, because Jupyter clients do not draw version 6 yet. */
const SPEC_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json";
const SPEC_MEDIA_TYPE = "application/vnd.vegalite.v5+json";

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
  /** The specification, with the version of Vega-Lite that it is for. */
  readonly spec: ChartSpec;

  /** Takes a specification for Vega-Lite 5, as plain data. */
  constructor(spec: ChartSpec) {
    this.spec = { $schema: SPEC_SCHEMA, ...spec };
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
      "text/plain": `Chart: ${titleText(this.spec)}`,
    };
  }
}

function titleText({ title }: ChartSpec): string {
  return typeof title === "string" ? title : String(Object(title).text ?? "without a title");
}
