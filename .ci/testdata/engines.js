// A page with engines, each in its own words. Babylon requests its device itself.
import { instrument } from "portlab/printf";
import * as THREE from "three/webgpu";
import { Fn, instancedArray, instanceIndex, uv, wgslFn } from "three/tsl";
import tgpu, { d } from "typegpu";
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine.js";
import { ComputeShader } from "@babylonjs/core/Compute/computeShader.js";
import "@babylonjs/core/Engines/WebGPU/Extensions/engine.computeShader.js";
import { StorageBuffer } from "@babylonjs/core/Buffers/storageBuffer.js";

const write = ({ text, dispatch }) => console.log(dispatch.label + ": " + text);
const printing = instrument(navigator.gpu, { write });
const adapter = await navigator.gpu.requestAdapter();

const root = tgpu.initFromDevice({ device: await adapter.requestDevice() });
const half = tgpu.fn([d.f32], d.f32)`(x: f32) -> f32 {
  printf("TypeGPU %v\\n", x); return x / 2;
}`;
const main = tgpu.computeFn({ in: { id: d.builtin.globalInvocationId }, workgroupSize: [2] })`{
  _ = half(f32(in.id.x));
}`.$uses({ half });
root.createComputePipeline({ compute: main }).$name("halves").dispatchWorkgroups(1);
await printing.settled();

const other = await navigator.gpu.requestAdapter();
const renderer = new THREE.WebGPURenderer({ device: await other.requestDevice() });
await renderer.init();
const values = instancedArray(2, "float");
const ofThree = wgslFn(`fn of_three(x: f32) -> f32 { printf("three %v\\n", x); return x; }`);
renderer.compute(
  Fn(() => {
    values.element(instanceIndex).assign(ofThree({ x: instanceIndex.toFloat() }));
  })().compute(2).setName("halves"),
);
const material = new THREE.MeshBasicNodeMaterial({ name: "red" });
material.fragmentNode = wgslFn(`fn red(at: vec2f) -> vec4f {
  printf("%v\\n", at); return vec4f(at, 0, 1);
}`)({ at: uv() });
const scene = new THREE.Scene();
scene.add(new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material));
renderer.setRenderTarget(new THREE.RenderTarget(2, 1));
renderer.render(scene, new THREE.OrthographicCamera(-1, 1, 1, -1, -1, 1));
await printing.settled();

// The browser without a screen loses its device where a canvas is shown: this one is none.
const canvas = document.createElement("canvas");
let made;
canvas.getContext = () => ({
  configure: (configuration) => made = configuration,
  unconfigure: () => {},
  getCurrentTexture: () => made.device.createTexture({ ...made, size: [300, 150], usage: 17 }),
});
const engine = new WebGPUEngine(canvas);
await engine.initAsync();
const shader = new ComputeShader("halves", engine, {
  computeSource: `@group(0) @binding(0) var<storage, read_write> n: array<f32>;
    @compute @workgroup_size(1) fn main() { n[0] += 2; printf("Babylon %v\\n", n[0]); }`,
}, { bindingsMapping: { n: { group: 0, binding: 0 } } });
shader.setStorageBuffer("n", new StorageBuffer(engine, 4));
await shader.dispatchWhenReady(1);
engine.flushFramebuffer();
await printing.settled();
printing.uninstall();
