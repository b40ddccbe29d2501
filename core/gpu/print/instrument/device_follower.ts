import { underScopes } from "../../device/error_scopes.ts";
import { PrintfError } from "../printf_error.ts";
import { PrintingShader } from "../shader/printing_shader.ts";
import { fileOf, readShader } from "../shader/read_shader.ts";
import { filterWords, type PrintfFilter } from "../ring/printf_filter.ts";
import { AuthorObjects } from "./author_objects.ts";
import { ErrorMirror } from "./error_mirror.ts";
import { FrameReader } from "./frame_reader.ts";
import { changed, Hooks, type Method, overlay, type RealMethods, realMethods } from "./hooks.ts";
import type { InstrumentOptions } from "./instrument_options.ts";
import { followPass, type PassFollower, type PassPlace } from "./pass_overlay.ts";
import { PrintingModule, tellError } from "./printing_module.ts";
import {
  type PipelineDescriptor,
  planPrinting,
  printingDescriptor,
  PrintingPipeline,
  type PrintingPlan,
  sharedEntries,
} from "./printing_pipeline.ts";
import type { RingUse } from "./ring_owner.ts";

const MAY_PRINT = /\b(?:printf(?:_if)?|assert)\b/;
/** Encoders that are begun and never finished are forgotten beyond this. */
const OPEN_MAX = 64;

/** A pipeline that prints, before it is made. */
interface PlannedPipeline {
  readonly made: PrintingPipeline;
  readonly descriptor: () => PipelineDescriptor;
}

/** Follows what is made of a device, and has what prints take the place of what does not. */
export class DeviceFollower implements PassFollower {
  readonly #device: GPUDevice;
  readonly #hooks = new Hooks();
  readonly #objects = new AuthorObjects();
  readonly #modules = new WeakMap<GPUShaderModule, PrintingModule>();
  readonly #kept = new Set<WeakRef<PrintingModule>>();
  readonly #pipelines = new WeakMap<object, PrintingPipeline>();
  /** What encoders note, and what command buffers and bundles have. */
  readonly #uses = new WeakMap<object, RingUse[]>();
  readonly #encoded = new WeakMap<object, readonly RingUse[]>();
  readonly #key = {};
  /** The last pass of each open encoder, before any module prints, by what the encoder notes. */
  readonly #open = new Map<RingUse[], { readonly pass: object; readonly place: PassPlace }>();
  readonly #errors: ErrorMirror;
  readonly #reader: FrameReader;
  readonly #options: Required<InstrumentOptions>;
  readonly #warned = new Set<string>();
  readonly #real: RealMethods;
  #filter: PrintfFilter;
  #isInstalled = true;
  /** Whether any module prints: else passes are not followed. */
  #mayPrint = false;
  #fileCount = 0;

  constructor(device: GPUDevice, options: Required<InstrumentOptions>) {
    this.#device = device;
    this.#options = options;
    this.#filter = options.filter;
    this.#real = realMethods(device);
    this.#reader = new FrameReader(device, this.#real, options);
    this.#errors = new ErrorMirror(device, this.#hooks);
    this.#followObjects();
    this.#followPipelines();
    this.#followCommands();
  }

  setFilter(filter: PrintfFilter): void {
    filterWords(filter);
    this.#filter = filter;
    for (const kept of this.#kept) {
      for (const owner of kept.deref()?.owners ?? []) owner.setFilter(filter);
    }
  }

  settled(): Promise<void> {
    return this.#reader.settled();
  }

  /** @returns whether it was installed */
  uninstall(): boolean {
    const wasInstalled = this.#isInstalled;
    this.#isInstalled = false;
    this.#hooks.undo();
    return wasInstalled;
  }

  printingOf(pipeline: object): PrintingPipeline | undefined {
    const printing = this.#isInstalled ? this.#pipelines.get(pipeline) : undefined;
    return printing?.pipeline && printing;
  }

  usesOf(bundle: GPURenderBundle): readonly RingUse[] {
    return this.#encoded.get(bundle) ?? [];
  }

  #followObjects(): void {
    const device = this.#device;
    const hooks = this.#hooks;
    hooks.replace(device, "createShaderModule", (real) => (descriptor) => {
      if (!this.#isInstalled) return real.call(device, descriptor);
      return this.#shaderModule(descriptor);
    });
    hooks.replace(device, "createBindGroupLayout", (real) => (descriptor) => {
      const layout = real.call(device, descriptor);
      this.#objects.layouts.set(layout, [...descriptor.entries]);
      return layout;
    });
    hooks.replace(device, "createPipelineLayout", (real) => (descriptor) => {
      const layout = real.call(device, descriptor);
      this.#objects.pipelineLayouts.set(layout, [...descriptor.bindGroupLayouts]);
      return layout;
    });
    hooks.replace(device, "createBindGroup", (real) => (descriptor) => {
      const group = real.call(device, descriptor);
      if (this.#mayPrint) this.#objects.noteGroup(group, descriptor);
      return group;
    });
  }

  #shaderModule(descriptor: GPUShaderModuleDescriptor): GPUShaderModule {
    const { createShaderModule } = this.#real;
    const { code } = descriptor;
    if (typeof code !== "string") return createShaderModule(descriptor);
    const found = MAY_PRINT.test(code) ? this.#printingModule(descriptor) : code;
    if (found instanceof PrintfError) return this.#refused(descriptor, found);
    if (typeof found === "string") {
      const module = createShaderModule(
        found === code ? descriptor : changed(descriptor, { code: found }),
      );
      this.#objects.noteModule(module, code);
      return module;
    }
    const module = createShaderModule(changed(descriptor, { code: found.silent.text }));
    if (!this.#mayPrint) this.#beginPrinting();
    found.tellPlaces(module);
    this.#modules.set(module, found);
    this.#kept.add(new WeakRef(found));
    return module;
  }

  /** The module that prints, what is wrong in it, or the text of one that prints nothing. */
  #printingModule(
    { code, label }: GPUShaderModuleDescriptor,
  ): PrintingModule | PrintfError | string {
    const read = readShader(code);
    if (read instanceof PrintfError) return read;
    const isPrinting = read instanceof PrintingShader ? read.calls.length > 0 : read.isPrinting;
    if (!isPrinting) return code;
    const file = label || fileOf(code) || `shader${++this.#fileCount}`;
    if (!(read instanceof PrintingShader)) {
      const { line, column, reason } = read.error;
      this.#warnOnce(
        `${file} goes to its compiler without what prints, as it is not read: ${file}:${line}:${column} ${reason}`,
      );
      return read.code;
    }
    for (const name of read.sharedNames) {
      this.#warnOnce(`${name}() of ${file} prints nothing where a vertex stage calls it`);
    }
    return new PrintingModule(read, file, code);
  }

  /** A module that is as invalid as the author's text, with the reason where WebGPU tells it. */
  #refused(descriptor: GPUShaderModuleDescriptor, error: PrintfError): GPUShaderModule {
    const { result: module } = underScopes(
      this.#device,
      () => this.#real.createShaderModule(changed(descriptor, { code: "printf" })),
    );
    const { label, code } = descriptor;
    const file = label || fileOf(code) || "shader";
    tellError(module, error);
    this.#errors.raise(`${file}:${error.line}:${error.column} ${error.message}`);
    return module;
  }

  #followPipelines(): void {
    const device = this.#device;
    for (const name of ["createComputePipeline", "createRenderPipeline"] as const) {
      this.#hooks.replace(device, name, (real) => (descriptor) => {
        const author = real.call(device, descriptor);
        const { result: made, refusal } = this.#plannedUnderScopes(
          author,
          descriptor,
          (printing) => {
            printing.made.pipeline = real.call(device, printing.descriptor());
          },
        );
        if (!made) return author;
        void refusal().then((error) => {
          if (!error) return;
          made.pipeline = undefined;
          this.#unprinted(descriptor, this.#told(error, made));
        }, () => {}); // a lost device has no pipelines
        return author;
      });
      this.#hooks.replace(device, `${name}Async`, (real) => async (descriptor) => {
        const creating = real.call(device, descriptor);
        const silent = await creating;
        let making: Promise<GPUComputePipeline | GPURenderPipeline> | undefined;
        const { result: made, refusal } = this.#plannedUnderScopes(
          silent,
          descriptor,
          (printing) => {
            making = real.call(device, printing.descriptor());
          },
        );
        if (!made) return silent;
        try {
          made.pipeline = await making;
        } catch (error) {
          const reason = await refusal().catch(() => undefined) ?? error as Error;
          this.#unprinted(descriptor, this.#told(reason, made));
        }
        return silent;
      });
    }
  }

  /** What a compiler says of a generated text, in the author's words and in one line. */
  #told({ message }: { readonly message: string }, { plan }: PrintingPipeline): string {
    return plan.module.shader.authorWords(message.trim().split("\n", 1)[0]!);
  }

  /** Prepares a pipeline that prints: what goes wrong with it is no error of the author's. */
  #plannedUnderScopes(
    author: GPUComputePipeline | GPURenderPipeline,
    descriptor: PipelineDescriptor,
    make: (printing: PlannedPipeline) => void,
  ) {
    const nothing = { result: undefined, refusal: () => Promise.resolve(undefined) };
    if (!this.#mayPrint || !this.#isInstalled) return nothing;
    return underScopes(this.#device, () =>
      this.#guarded("a pipeline prints nothing", () => {
        const printing = this.#planned(author, descriptor);
        if (printing) make(printing);
        return printing?.made;
      }));
  }

  /** Prepares the pipeline that prints in the place of an author's. */
  #planned(
    author: GPUComputePipeline | GPURenderPipeline,
    descriptor: PipelineDescriptor,
  ): PlannedPipeline | undefined {
    const { limits } = this.#device;
    const objects = this.#objects;
    const plan = planPrinting(descriptor, { limits, objects, modules: this.#modules });
    if (!plan) return undefined;
    if ("reason" in plan) return void this.#unprinted(descriptor, plan.reason);
    const { module, owner } = plan.module.variant(this.#device, plan, {
      createModule: this.#real.createShaderModule,
      sizes: this.#options,
      filter: this.#filter,
    });
    const layouts = plan.lists ? this.#ringLayouts(plan, owner.ring.layoutEntries) : undefined;
    const made = new PrintingPipeline(author, {
      owner,
      plan,
      label: descriptor.label ?? "",
      objects,
      createGroup: this.#real.createBindGroup,
      layout: layouts?.group,
    });
    this.#pipelines.set(author, made);
    if (!plan.lists) this.#followLayouts(author);
    return { made, descriptor: () => printingDescriptor(descriptor, { module, layouts }) };
  }

  #ringLayouts(plan: PrintingPlan, own: readonly GPUBindGroupLayoutEntry[]) {
    const { createBindGroupLayout, createPipelineLayout } = this.#real;
    const shared = plan.isShared ? sharedEntries(plan, this.#objects) : [];
    const group = createBindGroupLayout({ entries: [...shared, ...own], label: "printf" });
    const bindGroupLayouts = [...plan.lists!];
    bindGroupLayouts[plan.group] = group;
    // A list has no gaps: what nothing uses is empty.
    const all = Array.from(
      bindGroupLayouts,
      (layout) => layout ?? createBindGroupLayout({ entries: [] }),
    );
    return { group, whole: createPipelineLayout({ bindGroupLayouts: all }) };
  }

  /** Notes whose automatic layouts bind groups are made for. */
  #followLayouts(pipeline: GPUComputePipeline | GPURenderPipeline): void {
    this.#hooks.replace(pipeline, "getBindGroupLayout", (real) => (index) => {
      const layout = real.call(pipeline, index);
      this.#objects.automatic.set(layout, { pipeline, index: Number(index) });
      return layout;
    });
  }

  #unprinted({ label }: PipelineDescriptor, reason: string): void {
    this.#warnOnce(`the pipeline ${label ?? ""} prints nothing: ${reason}`.replace("  ", " "));
  }

  /** Does what only printing needs: where that throws, the author's program goes on. */
  #guarded<T>(what: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#warnOnce(`${what}: ${error}`);
      return undefined;
    }
  }

  #warnOnce(sentence: string): void {
    const text = `printf: ${sentence}`;
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#options.warn(text);
  }

  #followCommands(): void {
    const device = this.#device;
    const hooks = this.#hooks;
    hooks.replace(device, "createCommandEncoder", (real) => (descriptor) => {
      const encoder = real.call(device, descriptor);
      return this.#isInstalled ? this.#followEncoder(encoder) : encoder;
    });
    hooks.replace(device, "createRenderBundleEncoder", (real) => (descriptor) => {
      const encoder = real.call(device, descriptor);
      if (!this.#isInstalled) return encoder;
      const uses: RingUse[] = [];
      this.#uses.set(encoder, uses);
      overlay(encoder, this.#key, (real) => this.#finishing(real));
      const place = { follower: this, uses, label: descriptor.label ?? "", isBundle: true };
      return this.#followPass(encoder, place);
    });
    hooks.replace(device.queue, "submit", (real) => (buffers) => {
      if (!this.#mayPrint) return real.call(device.queue, buffers); // at no cost
      const list: GPUCommandBuffer[] = [...buffers];
      real.call(device.queue, list);
      const uses = list.flatMap((buffer) => this.#encoded.get(buffer) ?? []);
      if (uses.length > 0) this.#guarded("a submit is not read", () => this.#reader.read(uses));
    });
  }

  #followEncoder(encoder: GPUCommandEncoder): GPUCommandEncoder {
    const uses: RingUse[] = [];
    this.#uses.set(encoder, uses);
    return overlay(encoder, this.#key, (real) => this.#finishing(real));
  }

  /** Follows a pass from now on, or from the first module that prints: some are made within a pass. */
  #followPass<T extends object>(pass: T, place: PassPlace): T {
    if (this.#mayPrint) return followPass(pass, place);
    this.#open.set(place.uses, { pass, place });
    if (this.#open.size > OPEN_MAX) this.#open.delete(this.#open.keys().next().value!);
    return pass;
  }

  /** Begins to follow passes, those that are open included. */
  #beginPrinting(): void {
    this.#mayPrint = true;
    for (const { pass, place } of this.#open.values()) followPass(pass, place);
    this.#open.clear();
  }

  /** The methods of command and bundle encoders. */
  #finishing(real: Readonly<Record<string, Method>>): Record<string, Method> {
    const { finish } = real;
    const beginning = (name: string): [string, Method] => {
      const follow = (encoder: object, args: readonly unknown[]) => {
        const pass = real[name]!.apply(encoder, [...args]);
        const uses = this.#uses.get(encoder);
        if (!this.#isInstalled || !uses) return pass;
        const { label = "" } = (args[0] ?? {}) as GPUObjectDescriptorBase;
        return this.#followPass(pass, { follower: this, uses, label, isBundle: false });
      };
      return [name, function (...args) {
        return follow(this, args);
      }];
    };
    const note = (encoder: object, made: object) => {
      const uses = this.#uses.get(encoder);
      if (!uses) return made;
      this.#open.delete(uses);
      if (uses.length > 0) this.#encoded.set(made, uses);
      return made;
    };
    return {
      ...Object.fromEntries(["beginComputePass", "beginRenderPass"].map(beginning)),
      finish(...args: unknown[]) {
        return note(this, finish!.apply(this, args));
      },
    };
  }
}
