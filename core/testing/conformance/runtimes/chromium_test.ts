import { assertEquals, assertMatch } from "@std/assert";
import { expectedReports } from "../cases/case.ts";
import { CASES } from "../cases/cases.ts";
import { isThorough } from "../../thorough.ts";
import { WAITER_NAMES } from "../../../wait/strategy.ts";
import { chromiumObstacle, CORE, GPU, PageBed, PRINTF, SUITE } from "./chromium.ts";

type Core = typeof import("../../../mod.ts");
type Gpu = typeof import("../../../gpu/mod.ts");
type Printf = typeof import("../../../gpu/print/mod.ts");
type Suite = typeof import("./page.ts");

const obstacle = chromiumObstacle();
if (obstacle) console.log(`Skipping the tests in Chromium: ${obstacle}`);

Deno.test({
  name: "Chromium runs the core",
  ignore: obstacle !== undefined,
  async fn(test) {
    await using bed = await PageBed.startSuite();
    await test.step({
      name: "A worker of a page passes every case of the conformance suite",
      ignore: !isThorough,
      fn: () => passSuite(bed),
    });
    await test.step("The main thread of a page calls without blocking", () => callFromPage(bed));
    await test.step("The main thread of a page is told that it may not block", () =>
      blockPage(bed));
    await test.step("A kernel on the GPU of a page calls the page", () => callFromKernel(bed));
    await test.step("Lanes of a kernel on the GPU of a page meet between calls", () =>
      meetInKernel(bed));
    await test.step("Shaders on the GPU of a page print and assert", () => printFromShader(bed));
    await test.step("What a page's compiler says stands at the author's places", () =>
      placesOfMessages(bed));
    await test.step("A page that is not isolated is told why it has no channel", () =>
      noMemory(bed));
  },
});

async function passSuite(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: true });
  const reports = await page.evaluate(async (url) => {
    const { runSuite }: Suite = await import(url);
    return await runSuite();
  }, SUITE);
  assertEquals(reports, expectedReports(CASES));
}

/** The page is client of a server in a worker, and then server of itself. */
async function callFromPage(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: true });
  const answers = await page.evaluate(async (url) => {
    const { Channel, Client, Server, startServer }: Core = await import(url);
    const services = [new URL("/core/testing/conformance/services.js", location.href)];
    const remote = Channel.create({ portCount: 1, laneCount: 1 });
    await using _server = await startServer(remote, { services });
    const own = Channel.create({ portCount: 1, laneCount: 1 });
    const server = new Server(own);
    server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
    const serving = server.runAsync();
    const answers: number[] = [];
    for (const channel of [remote, own]) {
      await new Client(channel).callAsync(40_000, {
        fill: (packet) => packet.setUint32(0, 0, 41),
        use: (packet) => answers.push(packet.getUint32(0, 0)),
      });
    }
    own.shutDown();
    await serving;
    return answers;
  }, CORE);
  assertEquals(answers, [42, 42]);
}

/** Every blocking operation, with every way to wait; nothing was sent when `call` is refused. */
async function blockPage(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: true });
  const { errors, wasSent } = await page.evaluate(async ({ url, WAITER_NAMES }) => {
    const { Channel, Client, Server }: Core = await import(url);
    const errors: string[] = [];
    const refuse = (operation: () => unknown) => {
      try {
        operation();
        errors.push("no error");
      } catch (error) {
        errors.push(String(error));
      }
    };
    const work = { fill: () => {}, use: () => {} };
    let wasSent = false;
    for (const waiter of WAITER_NAMES) {
      const channel = Channel.create({ portCount: 1, laneCount: 1 });
      const client = new Client(channel, { waiter });
      const server = new Server(channel, { waiter });
      refuse(() => client.call(40_000, work));
      wasSent ||= server.runOnce();
      const sent = client.open(40_000).send(() => {});
      refuse(() => sent.recv(() => {}));
      refuse(() => client.open(40_000));
      refuse(() => client.cast(40_000, () => {}));
      refuse(() => server.run());
    }
    return { errors, wasSent };
  }, { url: CORE, WAITER_NAMES });
  assertEquals([errors.length, wasSent], [25, false]);
  for (const error of errors) assertMatch(error, /^TypeError: Cannot block .* use callAsync\(\)/);
}

async function noMemory(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: false });
  const message = await page.evaluate(async (url) => {
    const { Channel }: Core = await import(url);
    try {
      Channel.create({ portCount: 1, laneCount: 1 });
    } catch (error) {
      return String(error);
    }
  }, CORE);
  assertMatch(String(message), /^TypeError: .* Cross-Origin-Opener-Policy: same-origin/);
}

/** Each wave asks for the successor of its number, and sends back what it was told. */
const ONE_LANE = `
  fn step_0() { packet_set(0u, wave_index); call(40000u); }
  fn step_1() { packet_set(0u, reply(0u)); call(40001u); }
`;

/** Each lane sends back what the next one was told. */
const LANES = `
  @service(40000) fn successor(number: u32) -> u32;
  @service(40001) fn tell(number: u32);
  var<workgroup> told: array<u32, 4>;
  fn kernel() {
    told[lane_index] = successor(4u * wave_index + lane_index);
    workgroupBarrier();
    tell(told[(lane_index + 1u) % 4u]);
  }
`;

async function callFromKernel(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: true });
  for (const [source, laneCount, waveCount] of [[ONE_LANE, 1, 8], [LANES, 4, 2]] as const) {
    const told = await page.evaluate(
      async ([coreUrl, gpuUrl, { source, laneCount, waveCount }]) => {
        const { Channel, Server }: Core = await import(coreUrl);
        const { Kernel, requestGpuDevice }: Gpu = await import(gpuUrl);
        const channel = Channel.create({ portCount: 2, laneCount });
        const options = { channel, source, waveCount };
        const kernel = await Kernel.create(await requestGpuDevice(), options);
        const server = new Server(channel, { portWaiter: kernel.portWaiter });
        const told: number[] = [];
        server.operate(40_000, (packet) => {
          packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1));
        });
        server.operate(40_001, (packet) => {
          packet.forEachLane((lane) => void told.push(packet.getUint32(lane, 0)));
        });
        await kernel.runAsync(server);
        kernel.destroy();
        return told.toSorted();
      },
      [CORE, GPU, { source, laneCount, waveCount }] as const,
    );
    assertEquals(told, [1, 2, 3, 4, 5, 6, 7, 8]);
  }
}

/** Lanes that meet, and calls that do not wait. */
const MEETING = `
  var<workgroup> answers: array<u32, 4>;
  var<storage, read_write> out: array<u32>;
  @service fn next(x: u32) -> u32;
  fn kernel() {
    let later = begin_next(lane_index * 10u);
    answers[lane_index] = next(lane_index);
    workgroupBarrier();
    out[lane_index] = answers[3u - lane_index] + end_next(later);
  }`;

async function meetInKernel(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: true });
  const out = await page.evaluate(async ([gpuUrl, source]) => {
    const { openGpu }: Gpu = await import(gpuUrl!);
    using gpu = await openGpu();
    const functions = { next: (x: number) => Promise.resolve(x + 1) };
    const buffers = { out: new Uint32Array(4) };
    return [...(await gpu.run(source!, { functions, buffers, laneCount: 4 })).buffers.out];
  }, [GPU, MEETING]);
  assertEquals(out, [5, 14, 23, 32]);
}

/** A page needs no isolation for this: nothing is shared but the device. */
const SHADER = `
  @group(0) @binding(0) var<storage, read_write> sums: array<f32>;
  fn root(x: f32) -> f32 { printf("root of %g\\n", x); assert(x < 3, "%g is %s", x, "3"); return sqrt(x); }
  @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
    sums[id.x] = root(f32(id.x));
    printf("%s %u: %.3f %v\\n", "lane", id.x, sums[id.x], id.xy);
  }`;

async function printFromShader(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: false });
  const text = await page.evaluate(async ([gpuUrl, url, source]) => {
    const { requestGpuDevice }: Gpu = await import(gpuUrl!);
    const { withPrintf }: Printf = await import(url!);
    const { device } = await requestGpuDevice();
    const shader = withPrintf(source!);
    const module = await shader.compile(device);
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
    const ring = shader.attach(device);
    const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE });
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer } }],
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    ring.bind(pass, pipeline);
    pass.dispatchWorkgroups(2);
    pass.end();
    device.queue.submit([encoder.finish()]);
    return (await ring.printed()).text;
  }, [GPU, PRINTF, SHADER]);
  const roots = ["0.000", "1.000", "1.414"].map((root, lane) =>
    `root of ${lane}\nlane ${lane}: ${root} (${lane}, 0)\n`
  );
  assertEquals(
    text,
    `${roots.join("")}root of 3\nshader:3 [1:1] assertion failed: x < 3: 3 is 3\n`,
  );
}

/** Shaders that a compiler says something of; what prints is between marks. */
const MESSAGES: readonly string[] = [
  'fn f(x: u32) { «printf("%v\\n", x);» let y: i32 = nowhere; }',
  'fn g(x: f32) {} fn f(x: f32) {\n  «assert(x < 3.0, "x is %v", x);» g(x, x);\n}',
  'fn f(x: u32) {\r\n\r\n  «printf("a"); printf(\r\n "%v", x);» let y: i32 = nowhere + 1; }',
  'enable f16; fn f(h: f16) { «printf("%.1f %v", h, vec2h(h));» let y: f16 = nowhere; }',
  'fn f() -> u32 { «printf("é😀 %s", "é");» return 1u; return 2u; }', // a warning
  "@fragment fn f() -> @location(0) vec4f { «assert(true);» return vec3f(); }",
  // What is no WGSL goes to the compiler as it is.
  'fn f(x: u32) { «printf("%v\\n", x);» let y = (1; }',
  'fn f(x: u32) {\n  «printf("%v\\n", x);»\n  newer (x) { }\n}',
];

/** What Tint says of instrumented modules stands where it would without what prints. */
async function placesOfMessages(bed: PageBed): Promise<void> {
  const page = await bed.open({ isIsolated: false });
  const printing = MESSAGES.map((marked) => marked.replaceAll(/[«»]/g, ""));
  const plain = MESSAGES.map((marked) =>
    marked.replaceAll(/«(.*?)»/gs, (_, calls) => calls.replaceAll(/[^\r\n]/g, " "))
  );
  const ask = (sources: readonly string[], url: string) =>
    page.evaluate(async ([url, ...sources]) => {
      const adapter = await navigator.gpu.requestAdapter();
      const hasHalf = adapter!.features.has("shader-f16");
      const device = await adapter!.requestDevice(
        hasHalf ? { requiredFeatures: ["shader-f16"] } : {},
      );
      const { instrument }: Partial<Printf> = url ? await import(url) : {};
      instrument?.(device, { warn() {} });
      device.addEventListener("uncapturederror", (event) => event.preventDefault());
      return await Promise.all(sources.map(async (code) => {
        const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
        return messages.map(({ type, lineNum, linePos, offset, length, message }) =>
          `${type} ${lineNum}:${linePos} ${offset}+${length} ${message}`
        );
      }));
    }, [url, ...sources]);
  const wanted = await ask(plain, "");
  assertEquals(wanted.map(({ length }) => length > 0), MESSAGES.map(() => true));
  assertEquals(await ask(printing, PRINTF), wanted);
}
