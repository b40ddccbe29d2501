// Run as a program, this module tries every device of Vulkan's that its process gets, and writes what it
// finds as one line of JSON. A process of its own, because a broken driver may crash it.
import {
  listLiveDevices,
  type LiveDevice,
  type LiveDeviceInfo,
  LiveGpu,
  type OrderReport,
  probeOrder,
  requestLiveDevice,
} from "../../core/gpu/live/mod.ts";
import { leavesLoops } from "../../core/gpu/live/rounds/round_limit.ts";
import { atomicsFault } from "../../core/toggle/design/atomics_needed.ts";
import { checkInProcess, type FailedCheck } from "./adapter_check.ts";
import { knownDefects } from "./adapter_summary.ts";
import { wgslToSpirv } from "./open_naga_gpu.ts";

/** Which devices run kernels beside the host, or why there are none. */
export type LiveCheck =
  | FailedCheck
  | { readonly kind: "devices"; readonly devices: readonly LiveFinding[] };

export interface LiveFinding {
  readonly info: LiveDeviceInfo;
  /** How a kernel and the host spoke to each other, in words. */
  readonly trial: string;
  /** In which order each saw the other's accesses, in words; absent where the trial failed. */
  readonly order?: string;
}

const CALLS = 1000;
/** A busy machine may leave a kernel without a processor for long. */
const TRIAL_MILLISECONDS = 120_000;

/** A kernel as a user's, whose calls build on each other. */
const KERNEL = `
  @service fn next(turn: u32) -> u32;
  var<storage, read_write> turns: array<u32>;
  fn kernel() {
    for (var turn = 1u; turn <= ${CALLS}u; turn++) { turns[0] += next(turn) - turn; }
  }`;

if (import.meta.main) {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(await checkLive()) + "\n"));
  Deno.exit();
}

async function checkLive(): Promise<LiveCheck> {
  try {
    const devices: LiveFinding[] = [];
    for (const info of listLiveDevices()) devices.push({ info, ...await tryDevice(info.index) });
    return { kind: "devices", devices };
  } catch (error) {
    return { kind: "failed", message: (error as Error).message };
  }
}

async function tryDevice(index: number): Promise<Pick<LiveFinding, "trial" | "order">> {
  try {
    using gpu = new LiveGpu(requestLiveDevice({ index }), wgslToSpirv);
    const trial = await tryKernel(gpu);
    return { trial, order: tryOrder(gpu.device) };
  } catch (error) {
    return { trial: (error as Error).message };
  }
}

/** Plays the litmus tests that calls rest on, for a moment. */
function tryOrder(device: LiveDevice): string {
  try {
    const startTimeoutSeconds = TRIAL_MILLISECONDS / 1000;
    return orderText(probeOrder(device, { translate: wgslToSpirv, startTimeoutSeconds }));
  } catch (error) {
    return (error as Error).message;
  }
}

/** What a probe found, in a sentence; capital letters where calls would be wrong. */
export function orderText(report: OrderReport): string {
  const { instanceCount, messageFaultCount, lostUpdateCount } = report;
  const { storeBufferingCount, exchangeBufferingCount } = report;
  const isWrong = messageFaultCount + lostUpdateCount > 0;
  return [
    `${
      isWrong ? "CALLS MAY BE WRONG" : "as calls need it"
    }, in ${instanceCount} instances of a test`,
    `${messageFaultCount} flags before their packets`,
    `${lostUpdateCount} lost updates`,
    `store buffering ${storeBufferingCount} times by stores, ${exchangeBufferingCount} by exchanges`,
  ].join("; ");
}

/** Has a kernel call the host while it runs, as a user's does. */
async function tryKernel(gpu: LiveGpu): Promise<string> {
  let callCount = 0;
  const next = (turn: number) => (callCount++, turn + 1);
  const buffers = { turns: new Uint32Array(1) };
  const signal = AbortSignal.timeout(TRIAL_MILLISECONDS);
  const options = { functions: { next }, buffers, laneCount: 1, signal };
  const rightCount = await gpu.run(KERNEL, options).then((report) => report.buffers.turns[0]!);
  const goesOn = leavesLoops(gpu.device.info) ? ", going on in further dispatches" : "";
  return `${rightCount} of ${callCount} calls of a running kernel were answered${goesOn}`;
}

/**
 * Tries the devices that a new process gets.
 *
 * @param env all its environment variables
 * @param options `preload` is a module that it loads first
 */
export function checkLiveWith(
  env: Readonly<Record<string, string>>,
  options: { readonly preload?: string } = {},
): Promise<LiveCheck> {
  return checkInProcess<LiveCheck>(import.meta.url, { ...options, env });
}

/** What a device lacks, and what that means. */
const WANTED: readonly {
  readonly has: (info: LiveDeviceInfo) => boolean;
  readonly text: string;
}[] = [
  {
    has: ({ importAlignmentBytes }) => importAlignmentBytes !== undefined,
    text: "VK_EXT_external_memory_host: one thread serves, on memory of the device's",
  },
  {
    has: ({ features }) => features.includes("robustBufferAccess"),
    text: "robustBufferAccess: an index beyond a buffer may end the program",
  },
  {
    has: ({ features }) => features.includes("computeFullSubgroups"),
    text: "computeFullSubgroups: a wave is a workgroup",
  },
  {
    has: ({ subgroupOperations }) => subgroupOperations.includes("ballot"),
    text: "subgroup ballots: a wave is a workgroup",
  },
  {
    has: ({ timestampBits }) => timestampBits > 0,
    text: "timestamps: dispatches are timed by the host",
  },
  {
    has: ({ features }) => features.includes("shaderDeviceClock"),
    text: "shaderDeviceClock: a kernel cannot tell the time",
  },
];

/** What waves cannot do on channels of the default design, and what to choose instead. */
function atomicsMissing({ hostAtomics }: LiveDeviceInfo): string[] {
  const fault = atomicsFault({}, { locks: "channel", offered: hostAtomics.accesses });
  return fault === undefined ? [] : [`    waves as clients: ${fault}`];
}

/** What the doctor says of a check, in lines. */
export function describeLive(origin: string, check: LiveCheck): string[] {
  if (check.kind === "failed") return [`  ${origin}: ${check.message}`];
  if (check.devices.length === 0) return [`  ${origin}: no device`];
  return check.devices.flatMap(({ info, trial, order }) => {
    const { name, kind, driver, version, subgroupLaneCount, subgroupOperations, memoryTypes } =
      info;
    const { accesses, source } = info.hostAtomics;
    return [
      `  ${origin}: ${name} [${kind}], Vulkan ${version}, ${driver}; ${trial}`,
      ...order === undefined ? [] : [`    order: ${order}`],
      `    subgroups: ${subgroupLaneCount} lanes, ${subgroupOperations.join(", ")}`,
      `    atomics with the host: ${accesses.join(", ") || "none"} (${source})`,
      ...atomicsMissing(info),
      ...memoryTypes.map(({ heapBytes, properties }) =>
        `    memory: ${properties.join(", ")}, ${Math.round(heapBytes / 2 ** 20)} MiB`
      ),
      ...WANTED.filter(({ has }) => !has(info)).map(({ text }) => `    lacks ${text}`),
      ...knownDefects(name).map((text) => `    known: ${text}`),
    ];
  });
}
