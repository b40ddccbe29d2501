// Tells which GPU adapters there are, which one would be used, and what to do where none works.
import { type AdapterCheck, checkAdapterWith } from "../adapters/adapter_check.ts";
import type { AdapterSummary } from "../adapters/adapter_summary.ts";
import { type DriverFile, driverFiles } from "../adapters/driver_files.ts";
import { knownDefects } from "../adapters/known_defects.ts";
import { DRIVER_VARIABLES, softwareGpu, withoutOwnChoice } from "../adapters/software_gpu.ts";

/** One adapter that was looked at. */
export interface Finding {
  /** Where it comes from, for a person. */
  readonly origin: string;
  readonly check: AdapterCheck;
}

const SOFTWARE_GPU = new URL("../adapters/software_gpu.ts", import.meta.url).href;

/** Limits that say how large a channel and a workgroup may be; the others are listed behind them. */
const CHIEF_LIMITS: readonly string[] = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupsPerDimension",
];

if (import.meta.main) {
  const used = await findUsed();
  const found = await findAll();
  Deno.stdout.writeSync(new TextEncoder().encode(describe(used, found)));
  if (used.check.kind !== "adapter") Deno.exitCode = 1;
}

/** The adapter that the tasks of this project would use. */
export async function findUsed(): Promise<Finding> {
  const check = await checkAdapterWith(withoutOwnChoice(Deno.env.toObject()), {
    preload: SOFTWARE_GPU,
  });
  return { origin: `${softwareGpu.kind}, ${softwareGpu.detail}`, check };
}

/** Every adapter that can be had: the system's own choice, then driver by driver. */
export async function findAll(): Promise<Finding[]> {
  const findings = [{
    origin: "the system's choice",
    check: await checkAdapterWith(withoutOwnChoice(Deno.env.toObject())),
  }];
  for (const file of driverFiles()) {
    findings.push({ origin: file.name, check: await checkAdapterWith(envFor(file)) });
  }
  return findings;
}

function envFor({ path }: DriverFile): Record<string, string> {
  const chosen = DRIVER_VARIABLES.map((name) => [name, path]);
  return {
    ...withoutOwnChoice(Deno.env.toObject()),
    ...Object.fromEntries(chosen),
    DENO_WEBGPU_BACKEND: "vulkan",
  };
}

/** The whole report. */
export function describe(used: Finding, found: readonly Finding[]): string {
  const lines = [
    "Adapters",
    ...found.flatMap((finding) => [`  ${titleOf(finding)}`, ...defectsOf(finding)]),
    "",
    `Used: ${titleOf(used)}`,
    ...defectsOf(used),
    ...(used.check.kind === "adapter" ? detailsOf(used.check.adapter) : WAYS_OUT),
  ];
  return lines.join("\n") + "\n";
}

function titleOf({ origin, check }: Finding): string {
  if (check.kind === "none") return `${origin}: no adapter`;
  if (check.kind === "failed") return `${origin}: ${check.message}`;
  const { adapter, probe } = check;
  const kind = adapter.isSoftware ? "software" : "hardware";
  const eager = `eager readback ${probe.passed ? "passed" : "failed"} its probe (${probe.detail})`;
  return `${origin}: ${adapter.description || adapter.device} [${kind}], ${eager}`;
}

function defectsOf({ check }: Finding): string[] {
  if (check.kind !== "adapter") return [];
  return knownDefects(check.adapter.description).map((text) => `    known: ${text}`);
}

function detailsOf({ features, limits }: AdapterSummary): string[] {
  const names = Object.keys(limits);
  const ordered = [...CHIEF_LIMITS, ...names.filter((name) => !CHIEF_LIMITS.includes(name))];
  return [
    `  features: ${features.join(", ")}`,
    "  limits:",
    ...ordered.filter((name) => name in limits).map((name) =>
      `    ${name.padEnd(44)}${limits[name]}`
    ),
  ];
}

const WAYS_OUT: readonly string[] = [
  "  No adapter works here. The ways out:",
  "  - On Linux x86_64 SwiftShader is unpacked out of an npm package: see the message above. It needs",
  "    that package in Deno's cache (deno install), and a folder to write to: set PORTLAB_CACHE_DIR.",
  "  - Install a Vulkan driver: on Debian apt-get install mesa-vulkan-drivers brings llvmpipe.",
  "  - Unset VK_DRIVER_FILES, VK_ICD_FILENAMES and DENO_WEBGPU_BACKEND if they name what is not there.",
  "  - Without an adapter everything but the gpu scenarios works; their tests are skipped.",
];
