import { each, ME, OUT, out, type Program, SQUARE, square } from "./program.ts";

const SIX = { functions: { square }, buffers: out(6), laneCount: 3, waveCount: 2 };
const SERVER = "fn serve(opcode: u32) { let x = packet_get(0u); packet_set(0u, x * x); }";

/** Types of values, kept over calls and handed to them. */
export const VALUES: readonly Program[] = [
  {
    name: "values of every type cross as arrays, objects, numbers and booleans",
    source: `struct Place { at: vec2f, isOpen: bool, counts: array<i32, 2> }
      ${OUT}@service fn turned(place: Place, m: mat2x3f, u: vec3u, flag: bool) -> Place;
      fn kernel() {
        let place = Place(vec2f(1.5, -2.0), true, array<i32, 2>(-1, 7));
        let m = mat2x3f(vec3f(1.0, 2.0, 3.0), vec3f(4.0, 5.0, 6.0));
        let back = turned(place, m, vec3u(4294967295u, 0u, 5u), false);
        out[0] = u32(all(back.at == vec2f(-2.0, 0.1)) && !back.isOpen && back.counts[0] == -2147483648
          && back.counts[1] == 3);
      }`,
    run: {
      functions: {
        turned: () => ({ at: [-2, 0.1], isOpen: false, counts: Int32Array.of(-(2 ** 31), 3) }),
      },
      buffers: out(1),
      laneCount: 1,
    },
    calls: [
      'turned({"at":[1.5,-2],"isOpen":true,"counts":[-1,7]}, [[1,2,3],[4,5,6]], [4294967295,0,5], false)',
    ],
    leaves: { out: [1] },
  },
  {
    name: "nested structs are changed in parts, before and after calls",
    source:
      `struct Inner { a: u32, list: array<vec2u, 2> } struct Outer { one: Inner, two: Inner, on: bool }
      ${SQUARE}${OUT}
      fn doubled(o: Outer) -> Outer { var r = o; r.two.list[1] *= square(2u); r.on = !o.on; return r; }
      fn kernel() { ${ME}
        var o: Outer; o.one.a = square(me); o.two = Inner(me, array(vec2u(1u, 2u), vec2u(3u, me)));
        o.one.list[square(1u)].y = square(3u) + me;
        let before = o;
        o = doubled(o);
        o.one.list[0] = o.two.list[1] + before.two.list[1];
        out[me] = o.one.a + o.one.list[0].x + o.one.list[0].y * 100u + o.one.list[1].y + select(0u, 5000u, o.on && !before.on);
      }`,
    run: SIX,
    server: SERVER,
    leaves: { out: each(6, (me) => me * me + 15 + 500 * me + 9 + me + 5000) },
  },
  {
    name: "arrays of arrays are indexed by what is asked for",
    source: `${SQUARE}${OUT}
      fn kernel() { ${ME}
        var grid: array<array<u32, 3>, 4>;
        for (var y = 0u; y < 4u; y++) { for (var x = 0u; x < 3u; x++) { grid[y][x] = 10u * y + x + me; } }
        grid[square(1u)][square(me) % 3u] += square(7u);
        let row = grid[1];
        grid[3] = row; grid[1][0] = 0u;
        var sum = 0u;
        for (var x = 0u; x < 3u; x++) { sum = sum * 100u + grid[square(1u) + 2u][x]; }
        out[me] = sum;
      }`,
    run: SIX,
    server: SERVER,
    leaves: {
      out: each(6, (me) => {
        const row = each(3, (x) => 10 + x + me + (me * me % 3 === x ? 49 : 0));
        return row.reduce((sum, value) => 100 * sum + value, 0);
      }),
    },
  },
  {
    name: "functions change what pointers lead to, between calls",
    source: `struct Pair { low: u32, high: u32 } ${SQUARE}${OUT}
      fn swap(p: ptr<function, Pair>) { let low = (*p).low; (*p).low = p.high; p.high = low; }
      fn add(sum: ptr<function, u32>, x: u32) -> u32 { *sum += x; return *sum; }
      var<private> total: u32;
      fn count(t: ptr<private, u32>) { *t += 1u; }
      fn kernel() { ${ME}
        var pair = Pair(square(me), 5u);
        swap(&pair);
        var sum = square(2u);
        let a = add(&sum, square(3u)); let b = add(&sum, 1u);
        count(&total); pair.low += square(1u); count(&total); swap(&pair);
        out[me] = pair.low * 1000u + pair.high * 100u + a + b + sum + total;
      }`,
    run: SIX,
    server: SERVER,
    leaves: { out: each(6, (me) => 1000 * me * me + 600 + 13 + 14 + 14 + 2) },
  },
  {
    name: "matrices and vectors are kept, multiplied and handed over",
    source: `@service fn scaled(m: mat3x2f, by: vec3f) -> mat3x2f; ${OUT}
      fn kernel() {
        var m = mat3x2f(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        m[1].y = f32(lane_index);
        let s = scaled(m, vec3f(1.0, 2.0, 0.5));
        let v = s * vec3f(1.0, 1.0, 2.0);
        let t = transpose(m) * v;
        out[lane_index] = u32(dot(t, vec3f(1.0, 10.0, 100.0)) + s[2].x * 8.0);
      }`,
    run: {
      functions: {
        scaled: (m: number[][], by: number[]) =>
          m.map((column, at) => column.map((value) => value * by[at]!)),
      },
      buffers: out(3),
      laneCount: 3,
    },
    leaves: {
      out: each(3, (lane) => {
        const [x, y] = [1 + 6 + 5, 2 + 2 * lane + 6];
        const t = [x + 2 * y, 3 * x + lane * y, 5 * x + 6 * y];
        return t[0]! + 10 * t[1]! + 100 * t[2]! + 20;
      }),
    },
  },
  {
    name: "swizzles, vectors of bools and parts of vectors stay what they were",
    source: `${SQUARE}${OUT}
      fn kernel() { ${ME}
        var v = vec4u(me, 1u, 2u, 3u);
        let big = v.wzyx > vec4u(1u, 2u, 1u, 2u);
        v[square(1u)] = square(3u); v.z += v.w * square(2u);
        let w = select(v, v.yxwz, big);
        out[me] = w.x + 10u * w.y + 100u * w.z + 1000u * w.w + select(0u, 100000u, any(big.zw)) + 1000000u * u32(all(big.xy));
      }`,
    run: SIX,
    server: SERVER,
    leaves: {
      out: each(6, (me) => {
        const big = [true, false, false, me > 2];
        const v = [me, 9, 2 + 12, 3];
        const w = each(4, (at) => big[at] ? v[at ^ 1]! : v[at]!);
        return w[0]! + 10 * w[1]! + 100 * w[2]! + 1000 * w[3]! + (big[3] ? 100_000 : 0);
      }),
    },
  },
  {
    name: "variables of a lane's own are kept over calls",
    source: `struct State { seen: vec3f, on: bool, count: u32 }
      var<private> state = State(vec3f(0.5), true, 3u); var<private> last: array<i32, 2>;
      ${SQUARE}${OUT}
      fn turn() { state.on = !state.on; state.seen.z += f32(square(state.count)); state.count -= 1u; last[1] -= i32(state.count); }
      fn kernel() { ${ME} for (var i = 0u; i <= me % 3u; i++) { turn(); last[0] += 1; }
        { let state = vec3i(i32(square(1u))); _ = square(2u); if state.x != 1 { return; } }
        out[me] = u32(state.seen.z * 2.0) + 100u * u32(state.on) + 1000u * u32(last[0]) + 10000u * u32(-last[1]); }`,
    run: SIX,
    server: SERVER,
    leaves: {
      out: each(6, (me) => {
        const turns = 1 + me % 3;
        return 1 + [18, 26, 28][turns - 1]! + (turns % 2 ? 0 : 100) + 1000 * turns +
          10_000 * [2, 3, 3][turns - 1]!;
      }),
    },
  },
  {
    name: "signed numbers divide, shift and come back as they were",
    source: `@service fn negated(x: i32) -> i32; ${OUT}
      fn kernel() {
        let x = negated(i32(lane_index) * 1000 + 7);
        out[lane_index] = bitcast<u32>((x / 3) * 7 + x % 5 + (x >> 2u) + min(x, -500) + abs(negated(-2147483647) / 1000));
      }`,
    run: { functions: { negated: (x: number) => -x }, buffers: out(3), laneCount: 3 },
    leaves: {
      out: each(3, (lane) => {
        const x = -(1000 * lane + 7);
        return (Math.trunc(x / 3) * 7 + x % 5 + (x >> 2) + Math.min(x, -500) + 2_147_483) >>> 0;
      }),
    },
  },
  {
    name: "bits are counted, cut out and put in around calls",
    source: `${SQUARE}${OUT}
      fn kernel() { ${ME} let x = square(me * 1234567u + 89u);
        out[me] = countOneBits(x) + 100u * firstLeadingBit(x | 1u) + 10000u * extractBits(x, 3u, square(2u))
          + (insertBits(x, square(me), 4u, 6u) ^ reverseBits(x)); }`,
    run: SIX,
    server: SERVER,
    leaves: {
      out: each(6, (me) => {
        const x = square(me * 1234567 + 89);
        const bits = x.toString(2).padStart(32, "0");
        const reversed = parseInt([...bits].reverse().join(""), 2);
        const inserted = (BigInt(x) & ~(63n << 4n)) | (BigInt(me * me) & 63n) << 4n;
        const ones = bits.replaceAll("0", "").length;
        const sum = ones + 100 * (31 - bits.replace(/.$/, "1").indexOf("1")) +
          10_000 * (x >>> 3 & 15) + Number(inserted ^ BigInt(reversed));
        return sum % 2 ** 32;
      }),
    },
  },
  {
    name: "bools in structs, and results of WGSL, are kept over calls",
    source: `struct In { on: bool, v: vec2<bool>, x: f32, list: array<bool, 3> }
struct Out { parts: array<In, 2>, m: mat2x2f, last: bool }
var<private> seen: array<bool, 20>;
var<private> state: Out;
var<storage, read_write> sums: array<atomic<u32>, 4>;
@service fn twice(x: u32) -> u32;
fn bit(on: bool) -> u32 { return select(0u, 1u, on); }
fn make(x: u32) -> Out {
  let y = twice(x);
  var o: Out;
  o.parts[1].on = y > 2u; o.parts[1].list[2] = y == 4u; o.parts[0].v = vec2(true, false);
  o.last = true; o.parts[0].x = f32(y);
  return o;
}
fn kernel() {
  let out = make(lane_index + 1u);
  seen[3] = true; state.last = true;
  let m = modf(2.5 + f32(lane_index)); let fr = frexp(vec2f(8.0, 3.0));
  let ex = atomicCompareExchangeWeak(&sums[lane_index], 0u, 7u);
  var flags = array(true, false); flags[1] = twice(1u) == 2u;
  let again = twice(2u);
  let kept = flags[0] && flags[1] && seen[3] && !seen[2] && state.last;
  let one = out.parts[1]; let other = out.parts[0];
  printf("%u%u%u%u%u%u %g|", bit(one.on), bit(one.list[2]), bit(other.v.x), bit(other.v.y), bit(out.last), bit(kept), other.x);
  printf("%g %g %v %v %u %u;", m.fract, m.whole, fr.fract, fr.exp, ex.old_value, bit(ex.exchanged));
}`,
    run: {
      functions: { twice: (x: number) => x * 2 },
      buffers: { sums: new Uint32Array(4) },
      laneCount: 2,
    },
    prints: "001011 2|0.5 2 (0.5, 0.75) (4, 2) 0 1;111011 4|0.5 3 (0.5, 0.75) (4, 2) 0 1;",
    leaves: { sums: [7, 7, 0, 0] },
  },
  {
    name: "floats that halves can say are exact, and results of modf and frexp are kept",
    source: `@service fn half(x: f32) -> f32; ${OUT}
      fn kernel() { let me = f32(lane_index);
        let parts = modf(half(me * 5.0 + 2.5)); let scaled = frexp(half(me * 8.0 + 3.0));
        let back = ldexp(scaled.fract, scaled.exp + i32(half(2.0)));
        out[lane_index] = u32(parts.fract * 64.0 + parts.whole * 100.0 + back * 1000.0 + mix(half(8.0), 10.0, 0.25) + clamp(half(me), 0.25, 0.75) * 4.0);
      }`,
    run: { functions: { half: (x: number) => x / 2 }, buffers: out(3), laneCount: 3 },
    leaves: {
      out: each(3, (lane) => {
        const x = (5 * lane + 2.5) / 2;
        const clamped = Math.min(Math.max(lane / 2, 0.25), 0.75);
        return Math.floor(
          64 * (x % 1) + 100 * Math.floor(x) + 1000 * (8 * lane + 3) + 5.5 + 4 * clamped,
        );
      }),
    },
  },
  {
    name: "lists are sorted by a comparison of the host",
    source: `@service fn less(a: i32, b: i32) -> bool; var<storage, read_write> list: array<i32>;
      fn kernel() {
        var mine: array<i32, 5>;
        for (var i = 0u; i < 5u; i++) { mine[i] = list[5u * lane_index + i]; }
        for (var i = 1; i < 5; i++) {
          let moved = mine[i]; var at = i - 1;
          while at >= 0 && less(moved, mine[at]) { mine[at + 1] = mine[at]; at--; }
          mine[at + 1] = moved;
        }
        for (var i = 0u; i < 5u; i++) { list[5u * lane_index + i] = mine[i]; }
      }`,
    run: {
      functions: { less: (a: number, b: number) => Math.abs(a) < Math.abs(b) },
      buffers: { list: Int32Array.of(5, -4, 9, 1, -3, 0, 0, -7, 6, 2) },
      laneCount: 2,
    },
    leaves: { list: [1, -3, -4, 5, 9, 0, 0, 2, 6, -7] },
  },
  {
    name: "structs with lists of structs go to the host and come back",
    source: `struct Point { x: i32, y: i32 } struct Shape { points: array<Point, 2>, name: u32 }
      @service fn mirrored(s: Shape, by: i32) -> Shape; ${OUT}
      fn kernel() {
        var s = Shape(array(Point(1, -2), Point(3, i32(lane_index))), 77u);
        s = mirrored(mirrored(s, 2), -1);
        out[lane_index] = u32(s.points[0].x + 10 * s.points[0].y + 100 * s.points[1].x + 1000 * s.points[1].y) + s.name;
      }`,
    run: {
      functions: {
        mirrored: (s: { points: { x: number; y: number }[]; name: number }, by: number) => ({
          points: s.points.map(({ x, y }) => ({ x: y * by, y: x })),
          name: s.name + 1,
        }),
      },
      buffers: out(2),
      laneCount: 2,
    },
    leaves: { out: each(2, (lane) => 2000 * lane - 1 - 40 - 300 + 79).map((x) => x >>> 0) },
  },
  ...([
    [{}, "16 1.5 -1 1"],
    [{ count: 7, on: false, scale: 0.25, shift: 3 }, "49 0.25 3 0"],
  ] as const).map(([constants, prints]): Program => ({
    name: `overrides have their own values, or others: ${prints}`,
    source:
      `@id(3) override count: u32 = 4; override scale = 1.5; override on: bool = true; override shift = -1;
      ${SQUARE}fn kernel() {
        var list: array<u32, count>; list[count - 1u] = square(count);
        printf("%u %g %d %u", list[count - 1u], scale, shift, select(0u, square(1u), on));
      }`,
    run: { functions: { square }, constants, laneCount: 1 },
    prints,
  })),
  {
    name: "names of the library are the author's, and results of WGSL are kept",
    source: `override count = 2u; struct Frame { on: bool, list: array<bool, 2> }
      var<storage, read_write> payload: array<f32>;
      var<private> lane: u32; const sent = 3u; @service fn twice(x: u32) -> u32;
      fn port_obstacle(x: u32) -> u32 { return x + sent; }
      fn send(x: u32) -> u32 { lane = port_obstacle(x); return lane; }
      fn kernel() {
        var frame: Frame; frame.list[1] = send(lane_index) > 3u;
        let parts = modf(2.5); let scaled = frexp(f32(count));
        let wave = twice(count);
        if frame.list[1] { payload[lane_index] = parts.fract + f32(wave + lane) + scaled.fract; }
      }`,
    run: {
      functions: { twice: (x: number) => x * 2 },
      buffers: { payload: new Float32Array(3) },
      constants: { count: 4 },
      laneCount: 3,
    },
    leaves: { payload: [0, 13, 14] },
  },
  {
    name: "functions may be called end or lane, as variables may",
    source: `@service fn increment(x: u32) -> u32; ${OUT}
      fn end(x: u32) -> u32 { return increment(x) * 2u; }
      fn f(lane: u32) -> u32 { let wave = lane; return wave; }
      fn lanes(wave_index: u32) -> u32 { var lane_index = 1u; lane_index += wave_index; return lane_index; }
      struct S { lane_index: u32 }
      fn kernel() { var s: S; s.lane_index = 2u; let b = 7u & lane_index; out[0] = end(3u) + f(1u) + lanes(s.lane_index) + b; }`,
    run: {
      functions: { increment: (x: number) => x + 1 },
      buffers: out(1),
      laneCount: 1,
    },
    server: "fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }",
    leaves: { out: [12] },
  },
  {
    name: "names that objects of the host have, too, are the author's",
    source:
      `struct constructor { valueOf: u32, list: array<vec2u, 2> } alias toString = vec2u; ${OUT}${SQUARE}
      fn hasOwnProperty(x: constructor) -> u32 { return x.valueOf + square(x.list[1].y); }
      fn kernel() {
        var valueOf: constructor; valueOf.list[1] = toString(square(2u)); valueOf.valueOf = 1u;
        out[lane_index] = hasOwnProperty(valueOf);
      }`,
    run: { functions: { square }, buffers: out(2), laneCount: 2 },
    server: SERVER,
    leaves: { out: [17, 17] },
  },
  {
    name: "lengths of arrays are computed as WGSL does",
    source: `const HIGH = 0x80000000u >> 31u; const LOW = ~0u & 3u; ${OUT}${SQUARE}
      fn kernel() {
        var one: array<u32, HIGH>; var three: array<u32, LOW>; var four: array<u32, -7 / 2 + 7>;
        one[0] = square(1u); three[2] = square(2u); four[3] = square(3u);
        out[lane_index] = one[0] + three[2] * 10u + four[3] * 100u;
      }`,
    run: { functions: { square }, buffers: out(1), laneCount: 1 },
    server: SERVER,
    leaves: { out: [941] },
  },
];
