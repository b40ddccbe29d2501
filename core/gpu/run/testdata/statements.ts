import { each, ME, OUT, out, type Program, SQUARE, square } from "./program.ts";

/** A kernel of six lanes that writes one word each, by `square` of the host or of a wave. */
const SIX = {
  run: { functions: { square }, buffers: out(6), laneCount: 3, waveCount: 2 },
  server: "fn serve(opcode: u32) { let x = packet_get(0u); packet_set(0u, x * x); }",
};
const ONE = { ...SIX, run: { ...SIX.run, buffers: out(1), laneCount: 1, waveCount: 1 } };

function six(body: string, functions = ""): string {
  return `${SQUARE}${OUT}${functions}\nfn kernel() {\n  ${ME}${body}\n}`;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** Control flow around calls; the values are computed here, by other means where there are some. */
export const STATEMENTS: readonly Program[] = [
  {
    name: "a for loop continues and breaks around its call",
    source: six(`var sum = 0u;
      for (var i = 0u; i < 10u; i++) { if i == me { continue; } if i > 6u { break; } sum += square(i); }
      out[me] = sum;`),
    leaves: { out: each(6, (me) => 91 - me * me) },
    ...SIX,
  },
  {
    name: "a while loop asks in its condition",
    source: six("var x = 0u; while square(x) < 50u * me + 3u { x++; } out[me] = x;"),
    leaves: { out: each(6, (me) => Math.ceil(Math.sqrt(50 * me + 3))) },
    ...SIX,
  },
  {
    name: "a loop asks in its continuing block, and breaks there",
    source: six(`var x = me; var times = 0u;
      loop {
        times++;
        if times == 9u { break; }
        continuing { x = square(x + 1u) % 97u; break if x < 20u; }
      }
      out[me] = 100u * times + x;`),
    leaves: {
      out: each(6, (me) => {
        let [x, times] = [me, 0];
        while (++times < 9 && (x = (x + 1) ** 2 % 97) >= 20);
        return 100 * times + x;
      }),
    },
    ...SIX,
  },
  {
    name: "a switch asks in its selector and in its clauses, in a loop that it continues",
    source: six(`var sum = 0u;
      for (var i = 0u; i < 8u; i++) {
        switch square(i) % 5u {
          case 0u, 7u: { sum += 1000u; continue; }
          default: { if me == 3u { break; } sum += square(sum % 10u); }
          case 4u: { sum += square(me); if me == 2u { return; } }
        }
        sum += 1u;
      }
      out[me] = sum;`),
    leaves: {
      out: each(6, (me) => {
        let sum = 0;
        for (let i = 0; i < 8; i++) {
          const left = i * i % 5;
          if (left === 0) {
            sum += 1000;
            continue;
          }
          if (left === 4) {
            sum += me * me;
            if (me === 2) return 0;
          } else if (me !== 3) sum += (sum % 10) ** 2;
          sum += 1;
        }
        return sum;
      }),
    },
    ...SIX,
  },
  {
    name: "functions return early, out of loops in branches",
    source: six(
      "out[me] = first_above(10u * me) + 1000u * sign_of(i32(me) - 2);",
      `fn first_above(low: u32) -> u32 {
        for (var i = 1u; ; i++) { let s = square(i); if s > low { if s % 2u == 0u { return s; } else { return s + 1u; } } }
      }
      fn sign_of(x: i32) -> u32 {
        if x < 0 { return 1u; }
        if x == 0 { return square(2u); }
        return 2u;
      }`,
    ),
    leaves: {
      out: each(6, (me) => {
        const root = Math.floor(Math.sqrt(10 * me)) + 1;
        return root ** 2 + root % 2 + 1000 * [1, 4, 2][Math.sign(me - 2) + 1]!;
      }),
    },
    ...SIX,
  },
  {
    name: "calls of one expression are made from left to right",
    source: `@service fn next(x: u32) -> u32;\n${OUT}
      fn kernel() { out[0] = next(1u) * 1000u + next(next(2u)) * 10u - next(3u) / next(4u); }`,
    run: () => {
      let count = 0;
      return {
        functions: { next: (x: number) => 10 * ++count + x },
        buffers: out(1),
        laneCount: 1,
      };
    },
    calls: ["next(1)", "next(2)", "next(22)", "next(3)", "next(4)"],
    leaves: { out: [11 * 1000 + (30 + 22) * 10] }, // 43 / 54 is 0
  },
  {
    name: "what need not be asked is not asked",
    source: `@service fn is_odd(x: u32) -> bool;\n${OUT}
      fn kernel() {
        let a = is_odd(1u) || is_odd(2u);
        let b = is_odd(4u) && is_odd(3u);
        if (is_odd(5u) && (is_odd(6u) || is_odd(7u))) && !b { out[0] = select(1u, 2u, a); }
        while is_odd(8u) && is_odd(9u) {}
      }`,
    run: {
      functions: { is_odd: (x: number) => x % 2 === 1 },
      buffers: out(1),
      laneCount: 1,
    },
    calls: ["is_odd(1)", "is_odd(4)", "is_odd(5)", "is_odd(6)", "is_odd(7)", "is_odd(8)"],
    leaves: { out: [2] },
  },
  {
    name: "the bounds, steps and conditions of nested loops are asked for",
    source: six(`var sum = 0u;
      for (var i = square(1u); i <= square(2u); i += square(1u)) {
        for (var j = 0u; j < square(i) && j < 5u; j++) { sum += i * j; if sum > square(me + 2u) * 2u { break; } }
      }
      out[me] = sum;`),
    leaves: {
      out: each(6, (me) => {
        let sum = 0;
        for (let i = 1; i <= 4; i++) {
          for (let j = 0; j < Math.min(i * i, 5); j++) {
            sum += i * j;
            if (sum > 2 * (me + 2) ** 2) break;
          }
        }
        return sum;
      }),
    },
    ...SIX,
  },
  {
    name: "else-if chains ask one after the other",
    source: six(`let x = me;
      if square(x) == 1u { out[me] = 1u; }
      else if square(x + 1u) == 9u { out[me] = square(2u); }
      else if x > 4u || square(x) == 9u { out[me] = 3u + square(x); }
      else { out[me] = 7u; }`),
    leaves: { out: [7, 1, 4, 12, 7, 28] },
    ...SIX,
  },
  {
    name: "names of inner blocks hide outer ones across calls",
    source: six(`var x = 1u;
      { let x = square(me) + x; out[me] += x; { var x = x * 2u; x += square(1u); out[me] += x; } out[me] += x; }
      for (var x = 0u; x < 2u; x++) { out[me] += square(x); let me = 7u; out[wave_index * LANE_COUNT + lane_index] += me; }
      out[me] += x * 1000u;`),
    leaves: { out: each(6, (me) => 4 * (me * me + 1) + 1 + 1 + 14 + 1000) },
    ...SIX,
  },
  {
    name: "every compound assignment has a call on its right",
    source: six(`var a = 1000u + me;
      a += square(3u); a -= square(2u); a *= square(2u); a /= square(1u) + 2u; a %= square(20u);
      a &= square(15u) + 30u; a |= square(8u); a ^= square(me + 1u); a <<= square(1u); a >>= square(1u) + 1u;
      out[me] = a; out[me]++; out[me] += square(2u); out[me]--;`),
    leaves: {
      out: each(6, (me) => {
        let a = Math.floor((1000 + me + 9 - 4) * 4 / 3) % 400;
        a = ((a & 255 | 64) ^ (me + 1) ** 2) << 1;
        return (a >> 2) + 4;
      }),
    },
    ...SIX,
  },
  {
    name: "functions call functions, each with its own calls, and asked arguments",
    source: six(
      "out[me] = a(square(me), b(square(1u) + me)) + b(a(1u, 2u));",
      `fn c(x: u32) -> u32 { if x > 40u { return x; } return square(x) + 1u; }
      fn b(x: u32) -> u32 { var y = c(x); for (var i = 0u; i < 2u; i++) { y = c(y) + square(i); } return y; }
      fn a(x: u32, y: u32) -> u32 { return c(x) * 3u + c(y) * square(2u); }`,
    ),
    leaves: {
      out: (() => {
        const c = (x: number) => x > 40 ? x : x * x + 1;
        const b = (x: number) => c(c(c(x))) + 1;
        const a = (x: number, y: number) => 3 * c(x) + 4 * c(y);
        return each(6, (me) => a(me * me, b(1 + me)) + b(a(1, 2)));
      })(),
    },
    ...SIX,
  },
  {
    name: "loops of lanes have different lengths, and words wrap",
    source: six(`var n = 7u + me * 20u; var times = 0u; var hash = 1u;
      while n != 1u {
        if n % 2u == 0u { n /= 2u; } else { n = 3u * n + 1u; }
        times++;
        if times % 16u == 0u { hash = square(hash + n); }
        hash = hash * 1664525u + 1013904223u;
      }
      out[me] = hash ^ times;`),
    leaves: {
      out: each(6, (me) => {
        let [n, times, hash] = [7 + me * 20, 0, 1];
        while (n !== 1) {
          n = n % 2 === 0 ? n / 2 : 3 * n + 1;
          if (++times % 16 === 0) hash = Math.imul(hash + n, hash + n) >>> 0;
          hash = (Math.imul(hash, 1664525) + 1013904223) >>> 0;
        }
        return (hash ^ times) >>> 0;
      }),
    },
    ...SIX,
  },
  {
    name: "Euclid's loop swaps what it keeps, before and after calls",
    source: six(`var a = square(me + 5u) * 6u; var b = square(me + 2u) * 9u;
      loop { if b == 0u { break; } let rest = a % b; a = b; b = rest; _ = square(a); }
      out[me] = a;`),
    leaves: { out: each(6, (me) => gcd(6 * (me + 5) ** 2, 9 * (me + 2) ** 2)) },
    ...SIX,
  },
  {
    name: "lanes leave one after the other, and those that stay call together",
    source: `@service fn note(x: u32);\n${OUT}
      fn kernel() {
        for (var i = 0u; i < 4u; i++) { if lane_index < i { return; } note(10u * i + lane_index); out[lane_index] += 1u; }
      }`,
    run: { functions: { note: () => {} }, buffers: out(4), laneCount: 4 },
    calls: each(4, (i) => each(4 - i, (lane) => `note(${10 * i + lane + i})`)).flat(),
    leaves: { out: [1, 2, 3, 4] },
    counts: { packetCount: 4 },
  },
  {
    name: "lanes of a wave go apart to other functions, and meet again",
    source: `@service fn f(x: u32) -> u32; @service fn g(x: u32) -> u32;\n${OUT}
      fn kernel() {
        var x = lane_index;
        if x % 3u == 0u { x = f(x); } else if x % 3u == 1u { x = g(x) + f(x); }
        out[lane_index] = f(x) + x;
      }`,
    run: {
      functions: { f: (x: number) => x + 100, g: (x: number) => 10 * x },
      buffers: out(6),
      laneCount: 6,
    },
    leaves: {
      out: each(6, (x) => 100 + 2 * [x + 100, 11 * x + 100, x][x % 3]!),
    },
  },
  {
    name: "empty statements, comments and lists in angle brackets are read as in WGSL",
    source: six(`;;
      let a = array<vec2<u32>, (2>>1)+1>(vec2<u32>(me, 2u), vec2<u32>(square(2u) /* < */, 4u)); // >
      if a[0].x < a[1].x && a[1].y > (a[0].y) { out[me] = u32(a[0].x<a[1].y) + square(a[1].x>>1u); }
      /* out[me] = /* nested */ square(9u); */ ;`),
    leaves: { out: [5, 5, 5, 5, 0, 0] },
    ...SIX,
  },
  {
    name: "constants, aliases and asserts of a module stand behind their uses",
    source: six(
      `var list: Row; for (var i = 0u; i < LENGTH; i++) { list[i] = TABLE[i] + square(i); }
      out[me] = list[me % LENGTH] + u32(SHIFTED);`,
      `alias Row = array<u32, LENGTH>; const LENGTH = COUNT / 2u; const COUNT = 6u;
      const TABLE = array(5u, 6u, 7u); const SHIFTED = (-7 + 3 * 4) << 2u; const_assert COUNT > 4u;`,
    ),
    leaves: { out: each(6, (me) => [5, 7, 11][me % 3]! + 20) },
    ...SIX,
  },
  {
    name: "a call may be all of a kernel, and its result unused",
    source: `${SQUARE}fn kernel() { _ = square(3u); }`,
    run: { functions: { square }, laneCount: 1 },
    server: ONE.server,
    calls: ["square(3)"],
    counts: { packetCount: 1, epochCount: 2 },
  },
  {
    name: "a kernel without calls takes one epoch",
    source: "fn kernel() {}",
    run: { laneCount: 1 },
    server: ONE.server,
    counts: {
      ...{ epochCount: 1, packetCount: 0, starvedEpochCount: 0 },
      ...{ refusedCallCount: 0, badMailboxCount: 0 },
    },
  },
];
