/** What is known of a GPU adapter, as data that crosses between isolates. */
export interface AdapterSummary {
  /** As the driver names it: `"SwiftShader Device (Subzero)"`. */
  readonly description: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  /** Whether the processor does the work of a GPU. */
  readonly isSoftware: boolean;
  readonly features: readonly string[];
  /** Names and values of WebGPU's supported limits. */
  readonly limits: Readonly<Record<string, number>>;
}

export function summarizeAdapter(adapter: GPUAdapter): AdapterSummary {
  const { description, vendor, architecture, device, isFallbackAdapter } = adapter.info;
  return {
    description,
    vendor,
    architecture,
    device,
    isSoftware: isFallbackAdapter,
    features: [...adapter.features].sort(),
    limits: limitsOf(adapter.limits),
  };
}

// The limits are getters of the prototype, which an object spread does not copy.
function limitsOf(limits: GPUSupportedLimits): Record<string, number> {
  const names = Object.keys(Object.getPrototypeOf(limits)) as (keyof GPUSupportedLimits)[];
  const pairs = names.map((name) => [name, limits[name]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => typeof value === "number"));
}

/** What was seen, and with which version, by a name that is in an adapter's description. */
const DEFECTS: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: "llvmpipe",
    text:
      "loops end after 65 535 rounds, so that one dispatch reports no progress; live kernels go on in " +
      "further dispatches; epochs and the GPU as server are right (seen with Mesa 22.3.6)",
  },
  {
    name: "SwiftShader",
    text:
      "runs one workgroup on each core at a time: of one-dispatch programs with as many servers as cores, " +
      "none makes progress (seen with the build of Chromium 153)",
  },
];

/**
 * What is known to be wrong with an adapter, by its description. These are defects of drivers, not of
 * the protocol; tests expect them where such a driver runs.
 */
export function knownDefects(description: string): string[] {
  return DEFECTS.filter(({ name }) => description.includes(name)).map(({ text }) => text);
}
