import { instrument, type Instrumented } from "../../core/gpu/print/mod.ts";
import { type Outputs, runModule } from "./module_run.ts";

/** A shader of a package, without and with calls of `printf`. */
export interface PublicShader {
  readonly from: string;
  readonly stages: string;
  readonly code: string;
  readonly shown: string;
  /** The beginning of the SHA-256 of `code`. */
  readonly hash: string;
}

/** What came of running a shader with and without calls; a part of one does not run, or needs another device. */
export type Outcome =
  | "does not run"
  | "reaches no printf"
  | "equal"
  | "differs from itself"
  | "DIFFERS";

/** How often a shader runs whose outputs differ: one may differ without calls, by a race of its own. */
const REPEATS = 64;

interface TwoDevices {
  readonly plain: GPUDevice;
  readonly followed: GPUDevice;
  readonly printing: Instrumented;
  readonly lineCounts: ReadonlyMap<string, number>;
}

/** Two devices that run the same, of which one prints; and what it prints, by the labels of modules. */
export async function twoDevices(): Promise<TwoDevices> {
  const request = async () => {
    const adapter = await navigator.gpu.requestAdapter(); // in Chromium one adapter gives one device
    const device = await adapter!.requestDevice();
    device.addEventListener("uncapturederror", (event) => event.preventDefault());
    return device;
  };
  const [plain, followed] = [await request(), await request()];
  const lineCounts = new Map<string, number>();
  const printing = instrument(followed, {
    write: ({ file }) => lineCounts.set(file, (lineCounts.get(file) ?? 0) + 1),
    warn: (text) => console.log(text),
    filter: { first: 3 },
    linesMax: Infinity,
  });
  return { plain, followed, printing, lineCounts };
}

export function same(one: Outputs, other: Outputs): boolean {
  return one.length === other.length &&
    one.every((bytes, at) => bytes.every((byte, index) => byte === other[at]![index]));
}

/** Runs shaders on made-up contents, in Deno or in a page. */
export async function compareModules(
  shaders: readonly Pick<PublicShader, "code" | "shown" | "hash">[],
): Promise<readonly Outcome[]> {
  const { plain, followed, printing, lineCounts } = await twoDevices();
  const results: Outcome[] = [];
  for (const { code, shown, hash } of shaders) {
    plain.pushErrorScope("validation");
    const wanted = await runModule(plain, { code }).catch(() => []);
    const problem = await plain.popErrorScope();
    if (problem || wanted.length === 0) {
      results.push("does not run");
      continue;
    }
    const got = await runModule(followed, { code, shown, label: hash }).catch((error) => {
      console.log(hash, `${error}`);
      return [];
    });
    await printing.settled();
    const isPrinting = lineCounts.has(hash);
    let outcome: Outcome = !same(wanted, got)
      ? "DIFFERS"
      : isPrinting
      ? "equal"
      : "reaches no printf";
    for (let left = REPEATS; outcome === "DIFFERS" && left > 0; left--) {
      if (!same(wanted, await runModule(plain, { code }))) outcome = "differs from itself";
    }
    results.push(outcome);
  }
  plain.destroy();
  followed.destroy();
  return results;
}
