import { gpu } from "../../device/on_device_test.ts";
import { createOwnBuffer, readOwnBuffer } from "../../device/own_buffer.ts";
import type { DebugReport } from "../debug_report.ts";
import type { DebugRing } from "../debug_ring.ts";
import { type DebugOptions, withDebug } from "../with_debug.ts";

/** A dispatch of a debugged shader. */
export interface Debugging extends DebugOptions {
  /** The words of `@group(0) @binding(0)`, if there is one. */
  readonly words?: readonly number[];
  readonly workgroupCount?: number;
}

/** What a dispatch has told, and the words of its buffer. */
export type Debugged = DebugReport & { readonly words: readonly number[] };

/** Dispatches a debugged shader, and reads what it tells. */
export async function debugging(
  device: GPUDevice,
  source: string,
  { words, workgroupCount = 1, ...options }: Debugging = {},
): Promise<Debugged> {
  const shader = withDebug(source, options);
  const ring = shader.attach(device);
  const module = await shader.compile(device);
  const got = await dispatch(device, module, { words, workgroupCount, ring });
  const report = await ring.report();
  await ring.destroy();
  return { ...report, words: got };
}

/** Dispatches a shader, and returns the words of its buffer. */
export async function dispatch(
  device: GPUDevice,
  module: GPUShaderModule,
  { words, workgroupCount, ring }: {
    readonly words: readonly number[] | undefined;
    readonly workgroupCount: number;
    readonly ring?: DebugRing;
  },
): Promise<readonly number[]> {
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const buffer = words && createOwnBuffer(gpu!, Uint32Array.from(words));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  if (buffer) {
    const entries = [{ binding: 0, resource: { buffer } }];
    pass.setBindGroup(
      0,
      device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }),
    );
  }
  ring?.bind(pass, pipeline);
  pass.dispatchWorkgroups(workgroupCount);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const got = buffer ? [...new Uint32Array(await readOwnBuffer(gpu!, buffer))] : [];
  buffer?.destroy();
  return got;
}

/** A shader with most statements of WGSL, whose sums tell each change. */
export const EVERYTHING = `
struct Part { a: vec3f, b: array<u32, 3>, on: bool }
const TABLE = array(3u, 1u, 2u);
@group(0) @binding(0) var<storage, read_write> sums: array<u32>;
var<private> count = 0u;
fn bump(p: ptr<function, u32>, by: u32) -> u32 { *p += by; count++; return *p; }
fn branch(x: u32) -> u32 {
  switch x % 4u {
    case 0u: { return 1u; }
    case 1u, 2u: { var y = x; for (var i = 0u; i < x; i++) { if i == 2u { continue; } y += i; } return y; }
    default: { }
  }
  var z = x; loop { z -= 1u; if z < 2u { break; } continuing { count += 1u; break if z == 2u; } }
  return z;
}
fn early(x: u32) { if x > 3u { return; } count += 10u; }
fn part(x: f32) -> Part { return Part(vec3(x, 1, x / 2), array(1u, u32(x), 3u), x > 2); }
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32, ) {
  var sum = lane;
  let grown = bump(&sum, 2u) + bump(&sum, branch(lane));
  early(lane);
  var one = part(f32(lane));
  one.a *= 2.0; one.a.x /= 4.0; one.b[lane % 3u] += TABLE[lane % 3u];
  let m = mat2x2f(1, 2, 3, 4) * vec2f(one.a.xy);
  if one.on && lane > 3u { sum <<= 1u; } else if branch(lane) > 2u { sum = ~sum; } else { sum ^= 5u; }
  while sum > 1000u && sum < 2000u { sum--; }
  sums[lane] = sum + grown + count + one.b[0] + one.b[1] * 7u + u32(one.a.x + m.y + dot(one.a, one.a));
}`;
