import type { Owner, Vulkan } from "../vulkan/vulkan.ts";
import { CONSTANTS } from "../vulkan/vulkan_tables.ts";
import { checkIntegers } from "../../wgsl/kernel_shape.ts";
import type { LiveBuffer } from "./live_buffer.ts";
import { checkSeconds, LiveRun } from "./live_run.ts";
import { readInterface } from "./spirv_interface.ts";

/** What a pipeline is made of. */
export interface LivePipelineOptions {
  /** A compute shader in SPIR-V, version 1.3 or older, in words. */
  readonly code: Uint32Array;
  /** Its entry point; `main` when absent. */
  readonly entryPoint?: string;
  /** Its storage buffers: those of `@group(0)` by their bindings, those of `@group(1)`, and so on. */
  readonly groups: readonly (readonly LiveBuffer[])[];
}

/** How a pipeline runs. */
export interface LiveDispatchOptions {
  /** Workgroups in x, y and z; 1 in what is absent. */
  readonly groupCount: readonly [x: number, y?: number, z?: number];
  /** How often they run, one time after the other; once when absent. */
  readonly turnCount?: number;
  /** Tells the waves to leave: what {@linkcode LiveRun.stop} does. Nothing when absent. */
  readonly stop?: () => void;
  /** How long a run that is disposed of may take to leave, after it was told to; 5 s when absent. */
  readonly leaveSeconds?: number;
}

const LEAVE_SECONDS_DEFAULT = 5;

/** What pipelines are made with. */
export interface PipelineMaker extends Pick<Owner, "device"> {
  readonly vulkan: Vulkan;
  readonly queue: bigint;
  readonly queueFamily: number;
  /** Called with a pipeline that is disposed of. */
  readonly forget: (one: LivePipeline) => void;
}

const GROUPS_MAX = 65_535;

/** A compute shader with its buffers. */
export class LivePipeline {
  readonly #maker: PipelineMaker;
  readonly #buffers: readonly LiveBuffer[];
  readonly #layout: bigint;
  readonly #sets: readonly bigint[];
  readonly #pipeline: bigint;
  readonly #stack: DisposableStack;
  readonly #runs = new Set<LiveRun>();

  /**
   * @internal For `LiveDevice`.
   * @throws {TypeError} when the code is no SPIR-V or does not fit the options, or a buffer was disposed of
   * @throws {VulkanError} when the driver refuses it
   */
  constructor(maker: PipelineMaker, options: LivePipelineOptions) {
    const { code, entryPoint = "main", groups } = options;
    checkInterface(code, { entryPoint, groups });
    this.#maker = maker;
    this.#buffers = groups.flat();
    for (const buffer of this.#buffers) buffer.use()[Symbol.dispose]();
    using stack = new DisposableStack();
    const owner = { device: maker.device, stack };
    const { arena } = maker.vulkan;
    [this.#layout, this.#sets, this.#pipeline] = arena.scope(() => {
      const setLayouts = groups.map((group) => setLayoutOf(maker.vulkan, owner, group.length));
      const info = { setLayoutCount: groups.length, pSetLayouts: arena.array(setLayouts) };
      const layout = maker.vulkan.create(
        "PipelineLayout",
        owner,
        arena.struct("VkPipelineLayoutCreateInfo", info),
      );
      const sets = groups.length > 0 ? fillSets(maker.vulkan, owner, { groups, setLayouts }) : [];
      const pipeline = createPipeline(maker.vulkan, owner, { code, entryPoint, layout });
      return [layout, sets, pipeline];
    });
    stack.defer(() => maker.forget(this));
    this.#stack = stack.move();
  }

  /**
   * Starts workgroups, and returns before they run.
   *
   * @throws {RangeError} when a count is not from 1 to 65535, or `leaveSeconds` is less than 0
   * @throws {TypeError} when the pipeline or a buffer was disposed of
   * @throws {VulkanError} when the device was lost, or has no memory left
   */
  dispatch(options: LiveDispatchOptions): LiveRun {
    const { groupCount, turnCount = 1, stop = () => {} } = options;
    const { leaveSeconds = LEAVE_SECONDS_DEFAULT } = options;
    checkSeconds({ leaveSeconds });
    if (this.#stack.disposed) throw new TypeError("Cannot run a pipeline as it was disposed of");
    const [x, y = 1, z = 1] = groupCount;
    const counts = { "groupCount[0]": x, "groupCount[1]": y, "groupCount[2]": z, turnCount };
    for (const [name, count] of Object.entries(counts)) {
      checkIntegers("run a pipeline", { [name]: [count, 1, GROUPS_MAX] });
    }
    // What has ended gives back what it took.
    for (const run of this.#runs) if (run.isDone) this.#runs.delete(run);
    using stack = new DisposableStack();
    for (const buffer of this.#buffers) stack.use(buffer.use());
    const { device, vulkan } = this.#maker;
    const { arena } = vulkan;
    const fence = arena.scope(() => {
      const commands = this.#record([x, y, z], turnCount, stack);
      const info = arena.struct("VkFenceCreateInfo");
      const fence = vulkan.create("Fence", { device, stack }, info);
      const pCommandBuffers = arena.array([commands]);
      const submit = arena.struct("VkSubmitInfo", { commandBufferCount: 1, pCommandBuffers });
      vulkan.call("vkQueueSubmit", this.#maker.queue, 1, submit, fence);
      return fence;
    });
    const run = new LiveRun({ vulkan, device, stack: stack.move(), fence, stop, leaveSeconds });
    this.#runs.add(run);
    return run;
  }

  #record(
    counts: readonly [number, number, number],
    turnCount: number,
    stack: DisposableStack,
  ): bigint {
    const { device, queueFamily, vulkan } = this.#maker;
    const { arena, symbols } = vulkan;
    const queueFamilyIndex = queueFamily;
    const poolInfo = arena.struct("VkCommandPoolCreateInfo", { queueFamilyIndex });
    const commandPool = vulkan.create("CommandPool", { device, stack }, poolInfo);
    const wanted = { commandPool, commandBufferCount: 1 };
    const info = arena.struct("VkCommandBufferAllocateInfo", wanted);
    const commands = vulkan.handle((place) =>
      vulkan.call("vkAllocateCommandBuffers", device, info, place)
    );
    vulkan.call("vkBeginCommandBuffer", commands, arena.struct("VkCommandBufferBeginInfo"));
    const point = CONSTANTS.VK_PIPELINE_BIND_POINT_COMPUTE;
    symbols.vkCmdBindPipeline(commands, point, this.#pipeline);
    const sets = arena.array(this.#sets);
    const setCount = this.#sets.length;
    if (setCount > 0) {
      symbols.vkCmdBindDescriptorSets(commands, point, this.#layout, 0, setCount, sets, 0, 0n);
    }
    // Sync: what waves wrote is there for the next turn, and for this program once the fence is signaled;
    // without it the last words may still be in a cache of the device.
    const barrier = arena.struct("VkMemoryBarrier", {
      srcAccessMask: CONSTANTS.VK_ACCESS_SHADER_WRITE_BIT,
      dstAccessMask: CONSTANTS.VK_ACCESS_HOST_READ_BIT | CONSTANTS.VK_ACCESS_HOST_WRITE_BIT |
        CONSTANTS.VK_ACCESS_SHADER_READ_BIT | CONSTANTS.VK_ACCESS_SHADER_WRITE_BIT,
    });
    const from = CONSTANTS.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const to = from | CONSTANTS.VK_PIPELINE_STAGE_HOST_BIT;
    for (let turn = 0; turn < turnCount; turn++) {
      symbols.vkCmdDispatch(commands, ...counts);
      symbols.vkCmdPipelineBarrier(commands, from, to, 0, 1, barrier, 0, 0n, 0, 0n);
    }
    vulkan.call("vkEndCommandBuffer", commands);
    return commands;
  }

  /**
   * Ends what runs and frees the pipeline. Once.
   *
   * @throws {DOMException} `TimeoutError` when waves do not leave: nothing is freed then
   */
  [Symbol.dispose](): void {
    for (const run of this.#runs) {
      run[Symbol.dispose]();
      this.#runs.delete(run);
    }
    this.#stack.dispose();
  }
}

function checkInterface(
  code: Uint32Array,
  { entryPoint, groups }: Required<Pick<LivePipelineOptions, "entryPoint" | "groups">>,
): void {
  const { entryPoints, bindings } = readInterface(code);
  if (!entryPoints.includes(entryPoint)) {
    throw new TypeError(
      `Cannot make a pipeline as there is no entry point ${entryPoint}: there are ` +
        (entryPoints.join(", ") || "none for compute"),
    );
  }
  const absent = bindings.find(({ group, binding }) => !groups[group]?.[binding]);
  if (!absent) return;
  throw new TypeError(
    `Cannot make a pipeline as its code has a buffer in group ${absent.group} at binding ` +
      `${absent.binding}, which it was not given`,
  );
}

function setLayoutOf(vulkan: Vulkan, owner: Owner, bindingCount: number): bigint {
  const { arena } = vulkan;
  const bindings = Array.from({ length: bindingCount }, (_, binding) => ({
    binding,
    descriptorType: CONSTANTS.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    descriptorCount: 1,
    stageFlags: CONSTANTS.VK_SHADER_STAGE_COMPUTE_BIT,
  }));
  const pBindings = arena.structs("VkDescriptorSetLayoutBinding", bindings);
  const info = arena.struct("VkDescriptorSetLayoutCreateInfo", {
    bindingCount,
    pBindings,
  });
  return vulkan.create("DescriptorSetLayout", owner, info);
}

function fillSets(
  vulkan: Vulkan,
  owner: Owner,
  { groups, setLayouts }: Pick<LivePipelineOptions, "groups"> & {
    readonly setLayouts: readonly bigint[];
  },
): bigint[] {
  const { arena, symbols } = vulkan;
  const descriptorType = CONSTANTS.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const size = { type: descriptorType, descriptorCount: Math.max(1, groups.flat().length) };
  const poolInfo = arena.struct("VkDescriptorPoolCreateInfo", {
    maxSets: groups.length,
    poolSizeCount: 1,
    pPoolSizes: arena.struct("VkDescriptorPoolSize", size),
  });
  const descriptorPool = vulkan.create("DescriptorPool", owner, poolInfo);
  const sets = arena.take(8 * groups.length);
  const wanted = arena.struct("VkDescriptorSetAllocateInfo", {
    descriptorPool,
    descriptorSetCount: groups.length,
    pSetLayouts: arena.array(setLayouts),
  });
  vulkan.call("vkAllocateDescriptorSets", owner.device, wanted, sets);
  const handles = groups.map((_, index) => arena.u64(sets + 8n * BigInt(index)));
  const writes = groups.flatMap((group, index) =>
    group.map(({ handle, bytes }, dstBinding) => ({
      dstSet: handles[index]!,
      dstBinding,
      descriptorCount: 1,
      descriptorType,
      pBufferInfo: arena.struct("VkDescriptorBufferInfo", { buffer: handle, range: BigInt(bytes) }),
    }))
  );
  const first = arena.structs("VkWriteDescriptorSet", writes);
  symbols.vkUpdateDescriptorSets(owner.device, writes.length, first, 0, 0n);
  return handles;
}

function createPipeline(
  vulkan: Vulkan,
  { device, stack }: Owner,
  { code, entryPoint, layout }: Required<Pick<LivePipelineOptions, "code" | "entryPoint">> & {
    readonly layout: bigint;
  },
): bigint {
  const { arena, symbols } = vulkan;
  // The pipeline keeps nothing of the module.
  using short = new DisposableStack();
  const bytes = new Uint8Array(code.buffer, code.byteOffset, code.byteLength);
  const moduleInfo = arena.struct("VkShaderModuleCreateInfo", {
    codeSize: code.byteLength,
    pCode: arena.copy(bytes),
  });
  const info = arena.struct("VkComputePipelineCreateInfo", {
    stage: {
      stage: CONSTANTS.VK_SHADER_STAGE_COMPUTE_BIT,
      module: vulkan.create("ShaderModule", { device, stack: short }, moduleInfo),
      pName: arena.text(entryPoint),
    },
    layout,
    basePipelineIndex: -1,
  });
  const pipeline = vulkan.handle((place) =>
    vulkan.call("vkCreateComputePipelines", device, 0n, 1, info, 0n, place)
  );
  stack.defer(() => symbols.vkDestroyPipeline(device, pipeline, 0n));
  return pipeline;
}
