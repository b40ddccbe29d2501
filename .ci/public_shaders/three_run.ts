// What stands in for a page; three's packages are not this project's, and have no types here.
// deno-lint-ignore-file no-explicit-any

const SIDE = 16;
const COUNT = 64;

/** Runs compute nodes and renders materials of three.js on a device, and returns what each gives. */
export async function runThree(
  root: string,
  device: GPUDevice,
): Promise<ReadonlyMap<string, Uint8Array>> {
  Object.assign(globalThis, {
    self: globalThis,
    requestAnimationFrame: () => 0,
    cancelAnimationFrame: () => {},
  });
  const three: any = await import(`file://${root}/three/build/three.webgpu.js`);
  const context = {
    configure() {},
    getCurrentTexture: () =>
      device.createTexture({ size: [SIDE, SIDE], format: "bgra8unorm", usage: 16 }),
  };
  const listening = { addEventListener() {}, removeEventListener() {} };
  const canvas = { width: SIDE, height: SIDE, style: {}, ...listening, getContext: () => context };
  const renderer = new three.WebGPURenderer({ device, canvas });
  await renderer.init();
  const results = new Map<string, Uint8Array>();
  for (const [name, node] of Object.entries(nodes(three.TSL))) {
    const attribute = new three.StorageBufferAttribute(COUNT, 1);
    const { Fn, storage, instanceIndex } = three.TSL;
    const kernel = Fn(() => {
      storage(attribute, "float", COUNT).element(instanceIndex).assign(node());
    })().compute(COUNT);
    await renderer.computeAsync(kernel);
    results.set(name, new Uint8Array(await renderer.getArrayBufferAsync(attribute)));
  }
  const target = new three.RenderTarget(SIDE, SIDE);
  for (const name of MATERIALS) {
    const scene = new three.Scene();
    const material = new three[`Mesh${name}NodeMaterial`]();
    const light = new three.PointLight(0xffffff, 3);
    light.position.set(1, 2, 3);
    scene.add(new three.Mesh(new three.SphereGeometry(1.2, 8, 8), material), light);
    const camera = new three.PerspectiveCamera(50, 1, 0.1, 10);
    camera.position.z = 3;
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIDE, SIDE);
    results.set(name, new Uint8Array(pixels.buffer.slice(0)));
  }
  return results;
}

const MATERIALS = ["Basic", "Lambert", "Phong", "Standard", "Physical", "Toon", "Normal", "Matcap"];

/** Nodes that differ in the functions of three that their shaders have. */
function nodes(tsl: any): Readonly<Record<string, () => any>> {
  const at = () => tsl.vec3(tsl.float(tsl.instanceIndex).mul(0.37), 0.5, 0.2);
  return {
    perlin: () => tsl.mx_noise_float(at()),
    fractal: () => tsl.mx_fractal_noise_float(at()),
    cells: () => tsl.mx_cell_noise_float(at()),
    worley: () => tsl.mx_worley_noise_float(at()),
    trigonometric: () => tsl.triNoise3D(at(), tsl.float(1), tsl.float(0.5)),
    hash: () => tsl.hash(tsl.instanceIndex),
    turn: () => tsl.rotateUV(at().xy, tsl.float(0.5)).x,
    oscillate: () => tsl.oscSine(at().x).add(tsl.oscSquare(at().x)).add(tsl.oscTriangle(at().x)),
    hue: () =>
      tsl.hue(at(), tsl.float(0.7)).y.add(tsl.saturation(at(), tsl.float(2)).z).add(
        tsl.luminance(at()),
      ),
    blend: () => tsl.blendOverlay(at(), at().yzx).x.add(tsl.blendScreen(at(), at().zxy).y),
    curve: () => tsl.gain(at().y, tsl.float(2)).add(tsl.sinc(at().x, tsl.float(3))),
    checks: () => tsl.checker(at().xy).add(tsl.remap(at().x, 0, 1, 2, 3)),
  };
}
