import { assert, assertEquals } from "@std/assert";
import { programTest, run } from "./testdata/program_test_run.ts";

const [WIDTH, HEIGHT, ROUNDS_MAX] = [160, 120, 64];
const HEAD = "P6\n160 120\n255\n";

/** How many rounds the pixel's point stays near 0, in floats as on the device. */
function roundsOnHost(at: number): number {
  const { fround } = Math;
  const place = (pixel: number, start: number) => fround(fround(pixel / HEIGHT) * 2.5 - start);
  const x = place(at % WIDTH, fround(2.2));
  const y = place(Math.floor(at / WIDTH), 1.25);
  let [zx, zy] = [0, 0];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = fround(fround(fround(zx * zx) - fround(zy * zy)) + x);
    zy = fround(fround(fround(2 * zx) * zy) + y);
    zx = next;
    if (zx * zx + zy * zy > 4) return round;
  }
  return ROUNDS_MAX;
}

programTest("mandelbrot writes the picture that the host computes", async () => {
  const { status, files } = await run("mandelbrot", { threadCount: 64, args: ["a.ppm"] });
  assertEquals(status, 0);
  const picture = files.bytes("a.ppm");
  assertEquals(new TextDecoder().decode(picture.subarray(0, HEAD.length)), HEAD);
  const pixels = picture.subarray(HEAD.length);
  assertEquals(pixels.length, 3 * WIDTH * HEIGHT);
  let different = 0;
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const rounds = roundsOnHost(at);
    const colour = [4, 16, 64].map((factor) => factor * rounds % 256);
    if (colour.some((byte, index) => byte !== pixels[3 * at + index])) different++;
  }
  // A device may multiply and add in one rounding, which tells at the edge of the set only.
  assert(different < 0.01 * WIDTH * HEIGHT, `${different} pixels differ`);
});
