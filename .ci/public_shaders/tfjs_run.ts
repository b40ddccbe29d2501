import { createRequire } from "node:module";

/** A part of TensorFlow.js, as far as it is used here: its packages are not this project's. */
// deno-lint-ignore no-explicit-any
type Tensorflow = any;

/** Runs operations of TensorFlow.js on a device, and returns what each computes. */
export async function runOperations(
  root: string,
  device: GPUDevice,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const load = createRequire(`file://${root}/`);
  const tf: Tensorflow = load("@tensorflow/tfjs-core");
  const { WebGPUBackend } = load("@tensorflow/tfjs-backend-webgpu");
  const name = `own_${names++}`;
  const info = { architecture: "", vendor: "", device: "", description: "" };
  tf.registerBackend(name, () => new WebGPUBackend(device, info));
  for (const { kernelName, kernelFunc } of tf.getKernelsForBackend("webgpu")) {
    tf.registerKernel({ kernelName, backendName: name, kernelFunc });
  }
  await tf.setBackend(name);
  tf.env().set("WEBGPU_CPU_FORWARD", false);
  const results = new Map<string, Uint8Array>();
  for (const [name, work] of operations(tf)) {
    try {
      const made = work();
      for (const [at, one] of [made].flat().entries()) {
        const data = await one.data();
        results.set(`${name} ${at}`, new Uint8Array(data.buffer.slice(0)));
      }
    } catch (error) {
      console.log("tfjs", name, (error as Error).message.slice(0, 100));
    }
  }
  return results;
}

let names = 0;

function operations(tf: Tensorflow): readonly Operation[] {
  const wave = (shape: readonly number[]) =>
    tf.tensor(
      Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at) * 2),
      shape,
    );
  const [a, b, positive] = [wave([17, 9]), wave([17, 9]), tf.add(tf.abs(wave([17, 9])), 0.5)];
  const whole = tf.cast(tf.mul(a, 10), "int32");
  const unary =
    "abs acos asin atan ceil cos cosh elu erf exp expm1 floor isFinite isInf isNaN log log1p neg " +
    "reciprocal relu relu6 round rsqrt selu sigmoid sign sin sinh softplus sqrt square tan tanh leakyRelu step";
  const binary =
    "add sub mul div maximum minimum pow squaredDifference atan2 mod floorDiv equal notEqual less " +
    "lessEqual greater greaterEqual prelu";
  const reduced = "sum mean max min prod argMax argMin all any cumsum cumprod logSumExp";
  return [
    ...unary.split(" ").map((name) => [name, () => tf[name](positive)] as const),
    ...binary.split(" ").map((name) => [name, () => tf[name](positive, a)] as const),
    ...reduced.split(" ").map((name) =>
      [name, () => tf[name](/all|any/.test(name) ? tf.cast(a, "bool") : a, 1)] as const
    ),
    ["matMul", () => tf.matMul(a, b, false, true)],
    ["matMul large", () => tf.matMul(wave([70, 130]), wave([130, 64]))],
    ["matMul vector", () => tf.matMul(wave([1, 300]), wave([300, 5]))],
    ["softmax", () => tf.softmax(a)],
    ["transpose", () => tf.transpose(a)],
    ["transpose 3", () => tf.transpose(wave([3, 4, 5]), [2, 0, 1])],
    ["concat", () => tf.concat([a, b], 1)],
    ["slice", () => tf.slice(a, [2, 1], [9, 5])],
    ["stridedSlice", () => tf.stridedSlice(a, [0, 0], [17, 9], [2, 3])],
    ["pad", () => tf.pad(a, [[1, 2], [3, 1]], 0.5)],
    ["mirrorPad", () => tf.mirrorPad(a, [[1, 2], [3, 1]], "reflect")],
    ["tile", () => tf.tile(a, [2, 3])],
    ["reverse", () => tf.reverse(a, 0)],
    ["gather", () => tf.gather(a, tf.tensor1d([3, 1, 16], "int32"))],
    ["gatherND", () => tf.gatherND(a, tf.tensor2d([[0, 1], [3, 4]], [2, 2], "int32"))],
    ["where", () => tf.where(tf.greater(a, 0), a, b)],
    ["cast", () => whole],
    ["clip", () => tf.clipByValue(a, -0.5, 0.5)],
    ["fill", () => tf.fill([5, 7], 3)],
    ["range", () => tf.range(0, 20, 2)],
    ["oneHot", () => tf.oneHot(tf.tensor1d([0, 2, 1], "int32"), 4)],
    ["topk", () => tf.topk(a, 3).values],
    ...imageOperations(tf, wave),
    ["einsum", () => tf.einsum("ij,kj->ik", a, b)],
  ];
}

/** As the name of an operation, and what runs it. */
type Operation = readonly [string, () => Tensorflow];

function imageOperations(
  tf: Tensorflow,
  wave: (shape: readonly number[]) => Tensorflow,
): readonly Operation[] {
  const image = wave([1, 16, 16, 4]);
  const a = wave([17, 9]);
  return [
    ["conv2d", () => tf.conv2d(image, wave([3, 3, 4, 8]), 1, "same")],
    ["conv2d 1x1", () => tf.conv2d(image, wave([1, 1, 4, 8]), 1, "same")],
    ["conv2d 3 channels", () => tf.conv2d(wave([1, 9, 9, 3]), wave([3, 3, 3, 5]), 2, "valid")],
    [
      "conv2dTranspose",
      () => tf.conv2dTranspose(image, wave([3, 3, 6, 4]), [1, 16, 16, 6], 1, "same"),
    ],
    ["depthwise", () => tf.depthwiseConv2d(image, wave([3, 3, 4, 1]), 1, "same")],
    ["conv3d", () => tf.conv3d(wave([1, 4, 6, 6, 2]), wave([2, 2, 2, 2, 3]), 1, "same")],
    ["maxPool", () => tf.maxPool(image, 2, 2, "same")],
    ["avgPool", () => tf.avgPool(image, 3, 1, "same")],
    ["batchNorm", () => tf.batchNorm(image, wave([4]), tf.add(tf.abs(wave([4])), 1))],
    ["resizeBilinear", () => tf.image.resizeBilinear(image, [7, 9])],
    ["resizeNearest", () => tf.image.resizeNearestNeighbor(image, [7, 9])],
    [
      "cropAndResize",
      () =>
        tf.image.cropAndResize(image, tf.tensor2d([[0, 0, 1, 1]]), tf.tensor1d([0], "int32"), [
          5,
          5,
        ]),
    ],
    ["flipLeftRight", () => tf.image.flipLeftRight(image)],
    ["rotate", () => tf.image.rotateWithOffset(image, 0.3)],
    ["depthToSpace", () => tf.depthToSpace(image, 2)],
    ["spaceToBatch", () => tf.spaceToBatchND(image, [2, 2], [[0, 0], [0, 0]])],
    ["fft", () => tf.real(tf.spectral.fft(tf.complex(wave([8]), wave([8]))))],
    [
      "scatterND",
      () => tf.scatterND(tf.tensor2d([[1], [3]], [2, 1], "int32"), tf.tensor1d([2, 5]), [6]),
    ],
    ["bincount", () => tf.bincount(tf.tensor1d([1, 2, 2, 3], "int32"), tf.tensor1d([]), 5)],
    [
      "unsortedSegmentSum",
      () => tf.unsortedSegmentSum(tf.cast(a, "int32"), tf.tensor1d(Array(17).fill(1), "int32"), 3),
    ],
    ["searchSorted", () => tf.lowerBound(tf.tensor1d([1, 3, 5]), tf.tensor1d([0, 3, 9]))],
  ];
}
