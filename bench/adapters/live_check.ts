// Run as a program, this module tries every device of Vulkan's that its process gets, and writes what it
// finds as one line of JSON. A process of its own, because a broken driver may crash it.
import {
  listLiveDevices,
  type LiveDevice,
  type LiveDeviceInfo,
  type OrderReport,
  probeOrder,
  requestLiveDevice,
} from "../../core/gpu/live/mod.ts";
import { SharedWords } from "../../core/memory/words.ts";
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

const TURNS = 1000;
/** A busy machine may leave a kernel without a processor for long: who answers goes on, who is silent ends. */
const SILENCE_MILLISECONDS = 10_000;
/** Of answers that come, but hardly. */
const TRIAL_MILLISECONDS = 120_000;
/** Words that host and wave use, on lines of their own. */
const Place = { stop: 0, ping: 64, pong: 128 } as const;

const KERNEL = `
  @group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
  @compute @workgroup_size(1) fn main() {
    for (var turn = 1u; turn <= ${TURNS}u && atomicLoad(&words[${Place.stop}]) == 0u; turn++) {
      atomicStore(&words[${Place.ping}], turn);
      while atomicLoad(&words[${Place.pong}]) != turn && atomicLoad(&words[${Place.stop}]) == 0u {}
    }
  }`;

if (import.meta.main) {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(checkLive()) + "\n"));
  Deno.exit();
}

function checkLive(): LiveCheck {
  try {
    const devices = listLiveDevices().map((info) => ({ info, ...tryDevice(info.index) }));
    return { kind: "devices", devices };
  } catch (error) {
    return { kind: "failed", message: (error as Error).message };
  }
}

function tryDevice(index: number): Pick<LiveFinding, "trial" | "order"> {
  try {
    using device = requestLiveDevice({ index });
    const trial = tryKernel(device);
    return trial.includes(`${TURNS} of ${TURNS}`) ? { trial, order: tryOrder(device) } : { trial };
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

/** Lets a running kernel and the host count up in turn. */
function tryKernel(device: LiveDevice): string {
  const canImport = device.info.importAlignmentBytes !== undefined;
  const pages = { initial: 1, maximum: 1, shared: true };
  const buffer = canImport
    ? device.importBuffer(new WebAssembly.Memory(pages).buffer as unknown as SharedArrayBuffer)
    : device.createBuffer(4096, "host");
  const words = new SharedWords(buffer.words as SharedArrayBuffer);
  const code = wgslToSpirv(KERNEL);
  const pipeline = device.createPipeline({ code, groups: [[buffer]] });
  const stop = () => words.store(Place.stop, 1);
  using run = pipeline.dispatch({ groupCount: [1], stop });
  const began = performance.now();
  let [turn, heard] = [0, began];
  while (turn < TURNS && !run.isDone) {
    const now = performance.now();
    if (now > Math.min(heard + SILENCE_MILLISECONDS, began + TRIAL_MILLISECONDS)) break;
    const answered = words.load(Place.ping);
    if (answered === turn) continue;
    words.store(Place.pong, turn = answered);
    heard = now;
  }
  return `a running kernel and the host answered each other ${turn} of ${TURNS} times`;
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
  const offered = hostAtomics.accesses;
  return (["client", "server"] as const).flatMap((side) => {
    const fault = atomicsFault({}, { side, locks: "channel", offered });
    return fault === undefined ? [] : [`    waves as ${side}s: ${fault}`];
  });
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
