/** Random selections, against an array that is walked by hand. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { H5, hsizes } from "./hdf5_api.ts";
import { bytesOf, type Hdf5, hdf5Test } from "./testdata/hdf5_case.ts";

/** A pattern in one dimension. */
interface Axis {
  readonly dim: number;
  readonly start: number;
  readonly stride: number;
  readonly count: number;
  readonly block: number;
}

/** Any pattern that fits a dimension. */
const anyAxis: fc.Arbitrary<Axis> = fc.record({
  start: fc.nat(3),
  count: fc.integer({ min: 1, max: 3 }),
  block: fc.integer({ min: 1, max: 3 }),
  gap: fc.nat(2),
  after: fc.nat(2),
}).map(({ start, count, block, gap, after }) => {
  const stride = block + gap;
  return { dim: start + (count - 1) * stride + block + after, start, stride, count, block };
});
const anySlab = fc.array(anyAxis, { minLength: 1, maxLength: 3 });

/** Where the selected values are, in the order of rows. */
function offsetsOf(axes: readonly Axis[]): number[] {
  let offsets = [0];
  for (const { dim, start, stride, count, block } of axes) {
    const next: number[] = [];
    for (const offset of offsets) {
      for (let nth = 0; nth < count; nth++) {
        for (let within = 0; within < block; within++) {
          next.push(offset * dim + start + nth * stride + within);
        }
      }
    }
    offsets = next;
  }
  return offsets;
}

function sizeOf(axes: readonly Axis[]): number {
  return axes.reduce((size, { dim }) => size * dim, 1);
}

function selected(h5: Hdf5, axes: readonly Axis[]) {
  const space = h5.H5Screate_simple(axes.length, hsizes(...axes.map(({ dim }) => dim)), null);
  const [start, stride, count, block] = (["start", "stride", "count", "block"] as const)
    .map((key) => hsizes(...axes.map((axis) => axis[key])));
  h5.H5Sselect_hyperslab(space, H5.H5S_SELECT_SET, start!, stride!, count!, block!);
  return space;
}

/** A selection in memory with as many values: a line with a start, a step and an end. */
function lineOf(count: number, { start, step }: { readonly start: number; readonly step: number }) {
  return [{ dim: start + count * step + 1, start, stride: step, count, block: 1 }];
}

hdf5Test("any selection moves what an array walked by hand moves", (h5, folder) => {
  const file = h5.H5Fcreate(folder.file("a.h5"), H5.H5F_ACC_TRUNC, null, null);
  const type = h5.H5T_NATIVE_UINT16();
  let nth = 0;
  fc.assert(
    fc.property(
      anySlab.filter((axes) => sizeOf(axes) < 1500),
      fc.record({ start: fc.nat(2), step: fc.integer({ min: 1, max: 3 }) }),
      fc.boolean(),
      (axes, line, isChunked) => {
        const offsets = offsetsOf(axes);
        const memoryAxes = lineOf(offsets.length, line);
        const memoryOffsets = offsetsOf(memoryAxes);
        const space = selected(h5, axes);
        const memory = selected(h5, memoryAxes);
        const list = h5.H5Pcreate(h5.H5P_DATASET_CREATE());
        if (isChunked) {
          h5.H5Pset_chunk(
            list,
            axes.length,
            hsizes(...axes.map(() => 2).map((chunk, d) => Math.min(chunk, axes[d]!.dim))),
          );
        }
        const dataset = h5.H5Dcreate2(file, `x${nth++}`, type, space, null, list, null);
        assertEquals(h5.H5Sget_select_npoints(space), BigInt(offsets.length));

        const model = new Uint16Array(sizeOf(axes));
        const values = Uint16Array.from({ length: sizeOf(memoryAxes) }, (_, index) => index + 1);
        h5.H5Dwrite(dataset, type, memory, space, null, bytesOf(values));
        offsets.forEach((offset, index) => model[offset] = values[memoryOffsets[index]!]!);
        const whole = new Uint16Array(model.length);
        h5.H5Dread(dataset, type, null, null, null, bytesOf(whole));
        assertEquals(whole, model);

        const back = new Uint16Array(values.length).fill(60_000);
        const expected = back.slice();
        h5.H5Dread(dataset, type, memory, space, null, bytesOf(back));
        memoryOffsets.forEach((offset, index) => expected[offset] = model[offsets[index]!]!);
        assertEquals(back, expected);
        h5.H5Dread(dataset, type, null, space, null, bytesOf(whole.fill(50_000)));
        const same = new Uint16Array(model.length).fill(50_000);
        for (const offset of offsets) same[offset] = model[offset]!;
        assertEquals(whole, same);
        h5.H5Dclose(dataset);
        h5.H5Pclose(list);
        for (const one of [space, memory]) h5.H5Sclose(one);
      },
    ),
    { numRuns: 150 },
  );
  h5.H5Fclose(file);
});
