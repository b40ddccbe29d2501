/** What can be said of a GPU adapter and crosses between isolates. */
export interface AdapterSummary {
  /** As the driver names it: `"SwiftShader Device (Subzero)"`. */
  readonly description: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  /** Whether a processor does the work. */
  readonly isSoftware: boolean;
  readonly features: readonly string[];
  /** Names and values of WebGPU's supported limits. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Reads off an adapter what it says of itself. */
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

// The limits are getters of the prototype: an object spread would find none.
function limitsOf(limits: GPUSupportedLimits): Record<string, number> {
  const names = Object.keys(Object.getPrototypeOf(limits)) as (keyof GPUSupportedLimits)[];
  const pairs = names.map((name) => [name, limits[name]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => typeof value === "number"));
}
