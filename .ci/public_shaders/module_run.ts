import { Types } from "../../core/gpu/text/inference.ts";
import { Module } from "../../core/gpu/text/module.ts";
import { nodesIn, type Variable } from "../../core/gpu/text/syntax.ts";
import { typeText } from "../../core/gpu/text/value_type.ts";

/** What a module leaves in its buffers and textures. */
export type Outputs = readonly Uint8Array[];

const SIDE = 16;
const BUFFER_BYTES = 1 << 16;

/** Runs every entry point of a module once, on contents that are the same each time. */
export async function runModule(
  device: GPUDevice,
  { code, shown = code, label = "" }: {
    readonly code: string;
    /** The same with `printf`; without when absent. */
    readonly shown?: string;
    readonly label?: string;
  },
): Promise<Outputs> {
  const types = new Types(new Module(code));
  const module = device.createShaderModule({ code: shown, label });
  const named = (stage: string) => types.module.entries(stage).map(({ name }) => name);
  const outputs: Uint8Array[] = [];
  for (const entryPoint of named("compute")) {
    const bound = bind(device, {
      types,
      entryPoints: [entryPoint],
      visibility: GPUShaderStage.COMPUTE,
    });
    const pipeline = await device.createComputePipelineAsync({
      layout: bound.layout,
      compute: { module, entryPoint },
    });
    outputs.push(
      ...await submit(device, bound, (encoder) => {
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        bound.groups.forEach((group, at) => pass.setBindGroup(at, group));
        pass.dispatchWorkgroups(2);
        pass.end();
      }),
    );
  }
  const [vertices, fragments] = [named("vertex"), named("fragment")];
  for (const fragment of fragments) {
    for (const vertex of vertices.length > 0 ? vertices : [undefined]) {
      outputs.push(...await draw(device, { types, module, vertex, fragment }));
    }
  }
  return outputs;
}

interface Bound {
  readonly layout: GPUPipelineLayout;
  readonly groups: readonly GPUBindGroup[];
  readonly buffers: readonly GPUBuffer[];
  readonly textures: readonly GPUTexture[];
}

function typeOf(types: Types, { type }: Variable): string {
  return typeText(types.named(type!)).replaceAll(" ", "");
}

function bind(device: GPUDevice, { types, entryPoints, visibility }: {
  readonly types: Types;
  readonly entryPoints: readonly string[];
  readonly visibility: number;
}): Bound {
  const { module } = types;
  const entries = module.functions.filter(({ name }) => entryPoints.includes(name));
  const used = new Set(
    [...module.reached(entries)].flatMap((one) => [...nodesIn(one)]).map((node) =>
      node.kind === "name" ? node.declared : undefined
    ),
  );
  const layouts: GPUBindGroupLayoutEntry[][] = [];
  const resources: GPUBindGroupEntry[][] = [];
  const buffers: GPUBuffer[] = [];
  const textures: GPUTexture[] = [];
  for (const variable of module.variables) {
    const [group, binding] = ["group", "binding"].map((wanted) => {
      const [arg] = variable.attributes.find(({ name }) => name === wanted)?.args ?? [];
      return arg && types.value(arg);
    });
    if (group === undefined || binding === undefined || !used.has(variable)) continue;
    const made = resource(device, types, variable);
    if (made.buffer) buffers.push(made.buffer);
    if (made.texture) textures.push(made.texture);
    (layouts[group] ??= []).push({ binding, visibility, ...made.layout });
    (resources[group] ??= []).push({ binding, resource: made.resource });
  }
  const filled = Array.from(layouts, (one) => device.createBindGroupLayout({ entries: one ?? [] }));
  return {
    layout: device.createPipelineLayout({ bindGroupLayouts: filled }),
    groups: filled.map((layout, at) =>
      device.createBindGroup({ layout, entries: resources[at] ?? [] })
    ),
    buffers,
    textures,
  };
}

function resource(
  device: GPUDevice,
  types: Types,
  variable: Variable,
): {
  readonly layout: Partial<GPUBindGroupLayoutEntry>;
  readonly resource: GPUBindingResource;
  readonly buffer?: GPUBuffer;
  readonly texture?: GPUTexture;
} {
  const type = typeOf(types, variable);
  if (variable.space !== "") {
    const isUniform = variable.space === "uniform";
    const isWritten = variable.access === "read_write";
    const buffer = device.createBuffer({
      size: BUFFER_BYTES,
      usage: (isUniform ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE) |
        GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
    });
    // Small integers where a word may be a count, else floats.
    const isInteger = /[ui]32/.test(type) ||
      types.members(types.named(variable.type!))?.some((one) => /[ui]32/.test(typeText(one.type)));
    const words = isInteger
      ? Uint32Array.from({ length: BUFFER_BYTES / 4 }, (_, at) => 1 + at % 7)
      : Float32Array.from(
        { length: BUFFER_BYTES / 4 },
        (_, at) => (isUniform ? 1 : 0) + (at * 37 % 64) / 64,
      );
    device.queue.writeBuffer(buffer, 0, words);
    const kind = isUniform ? "uniform" : isWritten ? "storage" : "read-only-storage";
    return {
      layout: { buffer: { type: kind } },
      resource: { buffer },
      ...isWritten && { buffer },
    };
  }
  if (type.startsWith("sampler")) {
    const isComparison = type === "sampler_comparison";
    return {
      layout: { sampler: { type: isComparison ? "comparison" : "filtering" } },
      resource: device.createSampler(isComparison ? { compare: "less" } : {}),
    };
  }
  return textureOf(device, type);
}

function textureOf(device: GPUDevice, type: string) {
  const [, storage] = /^texture_storage_\w+<(\w+),/.exec(type) ?? [];
  const [, shape = "2d"] = /(cube_array|2d_array|cube|3d|1d|2d)/.exec(type) ?? [];
  const viewDimension = shape.replace("_", "-") as GPUTextureViewDimension;
  const isDepth = type.startsWith("texture_depth");
  const [, scalar = "f32"] = /<([uif]32)>/.exec(type) ?? [];
  const format = (storage ??
    (isDepth
      ? "depth32float"
      : scalar === "f32"
      ? "rgba8unorm"
      : scalar === "u32"
      ? "rgba8uint"
      : "rgba8sint")) as GPUTextureFormat;
  const layers = /cube/.test(shape) ? 6 : /array|3d/.test(shape) ? 2 : 1;
  const texture = device.createTexture({
    size: [SIDE, shape === "1d" ? 1 : SIDE, layers],
    dimension: shape === "3d" ? "3d" : shape === "1d" ? "1d" : "2d",
    format,
    usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.COPY_SRC |
      (storage ? GPUTextureUsage.STORAGE_BINDING : GPUTextureUsage.TEXTURE_BINDING),
  });
  if (format.startsWith("rgba8")) {
    const bytes = Uint8Array.from({ length: SIDE * SIDE * layers * 4 }, (_, at) => at * 73 % 256);
    const size = [SIDE, shape === "1d" ? 1 : SIDE, layers];
    device.queue.writeTexture(
      { texture },
      bytes,
      { bytesPerRow: SIDE * 4, rowsPerImage: SIDE },
      size,
    );
  }
  const sampleType = isDepth
    ? "depth"
    : scalar === "f32"
    ? "float"
    : scalar === "u32"
    ? "uint"
    : "sint";
  return {
    layout: storage
      ? { storageTexture: { format, viewDimension } }
      : { texture: { sampleType, viewDimension } as GPUTextureBindingLayout },
    resource: texture.createView({ dimension: viewDimension }),
    ...storage && { texture },
  };
}

async function draw(
  device: GPUDevice,
  { types, module, vertex, fragment }: {
    readonly types: Types;
    readonly module: GPUShaderModule;
    /** Absent for a fragment stage alone, which gets one with the values that it takes. */
    readonly vertex: string | undefined;
    readonly fragment: string;
  },
): Promise<Outputs> {
  const bound = bind(device, {
    types,
    entryPoints: vertex === undefined ? [fragment] : [vertex, fragment],
    visibility: GPUShaderStage.FRAGMENT | GPUShaderStage.VERTEX,
  });
  const target = device.createTexture({
    size: [SIDE, SIDE],
    format: "rgba8unorm",
    usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
  });
  const inputs = inputsOf(types, vertex ?? fragment);
  const attributes = (vertex === undefined ? [] : inputs).map(({ location, format }, at) => ({
    arrayStride: 16,
    attributes: [{ shaderLocation: location, offset: 4 * (at % 2), format }],
  }));
  const pipeline = await device.createRenderPipelineAsync({
    layout: bound.layout,
    vertex: vertex === undefined
      ? { module: device.createShaderModule({ code: vertexFor(inputs) }) }
      : { module, entryPoint: vertex, buffers: attributes },
    fragment: { module, entryPoint: fragment, targets: [{ format: "rgba8unorm" }] },
  });
  const corners = device.createBuffer({
    size: 256,
    usage: GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST,
  });
  device.queue.writeBuffer(
    corners,
    0,
    Float32Array.from([-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1, 0, 0, 0, 0]),
  );
  return await submit(device, { ...bound, textures: [...bound.textures, target] }, (encoder) => {
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view: target.createView(), loadOp: "clear", storeOp: "store" }],
    });
    pass.setPipeline(pipeline);
    bound.groups.forEach((group, at) => pass.setBindGroup(at, group));
    attributes.forEach((_, at) => pass.setVertexBuffer(at, corners));
    pass.draw(3);
    pass.end();
  });
}

interface Input {
  readonly location: number;
  readonly format: GPUVertexFormat;
  readonly type: string;
}

/** A vertex stage that covers everything. */
function vertexFor(inputs: readonly Input[]): string {
  const members = inputs.map(({ location, type }) =>
    `@location(${location}) m${location}: ${type},`
  );
  const values = inputs.map(({ type }) => `${type}(${/f/.test(type) ? "corner.x" : "1"}),`);
  return `struct Out { @builtin(position) at: vec4f, ${members.join(" ")} }
    @vertex fn vertex(@builtin(vertex_index) index: u32) -> Out {
      let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4 - 1;
      return Out(vec4f(corner, 0, 1), ${values.join(" ")});
    }`;
}

/** The values that a stage takes by their locations, in its parameters or in a struct. */
function inputsOf(types: Types, name: string): readonly Input[] {
  const { functions, byName } = types.module;
  const { parameters } = functions.find((one) => one.name === name)!;
  const all = parameters.flatMap((one) => {
    const declared = byName.get(types.named(one.type!).name);
    return declared?.kind === "struct" ? declared.members : [one];
  });
  return all.flatMap((one) => {
    const [location] = one.attributes.find(({ name }) => name === "location")?.args ?? [];
    if (!location) return [];
    const type = typeOf(types, one);
    const count = /vec(\d)/.exec(type)?.[1];
    const scalar = /u32|u>|\du$/.test(type)
      ? "uint32"
      : /i32|\di$/.test(type)
      ? "sint32"
      : "float32";
    return [{
      location: types.value(location),
      format: `${scalar}${count ? `x${count}` : ""}` as GPUVertexFormat,
      type,
    }];
  });
}

async function submit(
  device: GPUDevice,
  { buffers, textures }: Bound,
  encode: (encoder: GPUCommandEncoder) => void,
): Promise<Outputs> {
  const encoder = device.createCommandEncoder();
  encode(encoder);
  const size = BUFFER_BYTES;
  const reads = [...buffers, ...textures].map((source) => {
    const read = device.createBuffer({
      size,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    if (source instanceof GPUBuffer) encoder.copyBufferToBuffer(source, 0, read, 0, size);
    else {
      const { width, height } = source;
      encoder.copyTextureToBuffer(
        { texture: source },
        { buffer: read, bytesPerRow: 256, rowsPerImage: SIDE },
        [width, height, 1],
      );
    }
    return read;
  });
  device.queue.submit([encoder.finish()]);
  return await Promise.all(reads.map(async (read) => {
    await read.mapAsync(GPUMapMode.READ);
    const bytes = new Uint8Array(read.getMappedRange().slice(0));
    read.destroy();
    return bytes;
  }));
}
