// Lists the GPU adapters, says which one the tasks would use, and what to do where none works.
import {
  type AdapterCheck,
  checkAdapterWith,
  type DriverFile,
  driverFiles,
} from "../adapters/adapter_check.ts";
import { type AdapterSummary, knownDefects } from "../adapters/adapter_summary.ts";
import { checkLiveWith, describeLive } from "../adapters/live_check.ts";
import {
  BACKEND_VARIABLE,
  DRIVER_VARIABLES,
  softwareGpu,
  withoutOwnChoice,
} from "../adapters/software_gpu.ts";
import { FAILED_EXIT, write } from "./command_line.ts";
import { type Command, runCommand } from "./options/command_options.ts";

export interface Finding {
  /** Where the adapter comes from, in words. */
  readonly origin: string;
  readonly check: AdapterCheck;
}

const SOFTWARE_GPU = new URL("../adapters/software_gpu.ts", import.meta.url).href;

/** These limits decide how large a channel and a workgroup may be. They are listed first. */
const MAIN_LIMITS: readonly string[] = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupsPerDimension",
];

const COMMAND: Command = {
  usage: ["deno task doctor"],
  does:
    `Lists the GPU adapters, says which one the tasks use, and what to do where none works; then the devices
of Vulkan's on which kernels call the host while they run, and what they lack.`,
  options: {},
  ends: `It ends with 0, with 1 where no adapter works, and with 2 when the command line is wrong.`,
};

if (import.meta.main) Deno.exitCode = await runCommand(COMMAND, main);

async function main(): Promise<number> {
  write(Deno.stderr, "Trying each driver in a process of its own ...\n");
  const used = await findUsed();
  write(Deno.stdout, describe(used, await findAll()));
  const live = ["", "Live, by Vulkan", ...await findLive(), ""];
  write(Deno.stdout, live.join("\n"));
  const isThere = used.check.kind === "adapter";
  const next = isThere ? "deno task hello prints from a kernel" : "take one of what helps, above";
  write(Deno.stderr, `Next: ${next}\n`);
  return isThere ? 0 : FAILED_EXIT;
}

/** The adapter that the tasks of this project would use. */
export async function findUsed(): Promise<Finding> {
  const check = await checkAdapterWith(withoutOwnChoice(Deno.env.toObject()), {
    preload: SOFTWARE_GPU,
  });
  return { origin: `${softwareGpu.kind}, ${softwareGpu.detail}`, check };
}

/** Every adapter of this machine: the one that the system chooses, then one for each driver. */
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

/** The devices of each driver, and those that software_gpu brings, as lines. */
async function findLive(): Promise<string[]> {
  const own = withoutOwnChoice(Deno.env.toObject());
  const lines = describeLive("brought", await checkLiveWith(own, { preload: SOFTWARE_GPU }));
  for (const file of driverFiles()) {
    lines.push(...describeLive(file.name, await checkLiveWith(envFor(file))));
  }
  return lines;
}

function envFor({ path }: DriverFile): Record<string, string> {
  const chosen = DRIVER_VARIABLES.map((name) => [name, path]);
  return {
    ...withoutOwnChoice(Deno.env.toObject()),
    ...Object.fromEntries(chosen),
    [BACKEND_VARIABLE]: "vulkan",
  };
}

export function describe(used: Finding, found: readonly Finding[]): string {
  const lines = [
    "Adapters",
    ...found.flatMap((finding) => [`  ${titleOf(finding)}`, ...defectsOf(finding)]),
    "",
    `Used: ${titleOf(used)}`,
    ...defectsOf(used),
    ...(used.check.kind === "adapter" ? detailsOf(used.check.adapter) : REMEDIES),
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
  const ordered = [...MAIN_LIMITS, ...names.filter((name) => !MAIN_LIMITS.includes(name))];
  return [
    `  features: ${features.join(", ")}`,
    "  limits:",
    ...ordered.filter((name) => name in limits).map((name) =>
      `    ${name.padEnd(44)}${limits[name]}`
    ),
  ];
}

const REMEDIES: readonly string[] = [
  "  No adapter works here. What helps:",
  "  - On Linux x86_64 SwiftShader is unpacked from an npm package: see the message above. It needs",
  "    that package in Deno's cache (deno install), and a folder to write to: set PORTLAB_CACHE_DIR.",
  "  - Install a Vulkan driver: on Debian apt-get install mesa-vulkan-drivers brings llvmpipe.",
  "  - Unset VK_DRIVER_FILES, VK_ICD_FILENAMES and DENO_WEBGPU_BACKEND if they name what is not there.",
  "  - Without an adapter everything works but the gpu scenarios, whose tests are skipped.",
];
