import { assertEquals } from "@std/assert";
import { makeBindGroups } from "./bind_groups.ts";

/** A device that hands back what it was asked for: these rules need no GPU. */
const device = {
  createBindGroupLayout: ({ entries }: GPUBindGroupLayoutDescriptor) =>
    [...entries].map(({ binding, buffer }) => [binding, buffer?.type]),
  createBindGroup: ({ layout, entries }: GPUBindGroupDescriptor) => ({
    layout,
    entries: [...entries].map(({ binding, resource }) => [
      binding,
      (resource as GPUBufferBinding).buffer,
    ]),
  }),
  createPipelineLayout: ({ bindGroupLayouts }: GPUPipelineLayoutDescriptor) => bindGroupLayouts,
} as unknown as GPUDevice;

Deno.test("makeBindGroups() numbers groups and bindings; buffers are storage unless said", () => {
  const [first, second, own] = ["first", "second", "own"] as unknown as GPUBuffer[];
  const { layout, groups } = makeBindGroups(device, [
    [{ buffer: first! }, { buffer: second!, type: "uniform" }],
    [{ buffer: own! }],
  ]);
  assertEquals(layout as unknown, [[[0, "storage"], [1, "uniform"]], [[0, "storage"]]]);
  assertEquals(groups as unknown, [
    { layout: [[0, "storage"], [1, "uniform"]], entries: [[0, "first"], [1, "second"]] },
    { layout: [[0, "storage"]], entries: [[0, "own"]] },
  ]);
});
