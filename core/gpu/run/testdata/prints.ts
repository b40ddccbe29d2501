import { each, type Program, SQUARE, square } from "./program.ts";

/** The words of a text for `put_word`. */
function puts(texts: readonly string[]): string {
  return texts.map((text) => {
    const word = [...text].reduce((sum, letter, at) => sum + letter.charCodeAt(0) * 256 ** at, 0);
    return `put_word(${word}u, ${text.length}u);`;
  }).join(" ");
}

const LONG = "A text that is longer than one packet has room for. ".repeat(8);

/** What kernels print and assert. */
export const PRINTS: readonly Program[] = [
  {
    name: "a kernel calls in a loop, and prints from branches",
    source: `${SQUARE}fn kernel() {
        var total = 0u;
        for (var i = 0u; i < lane_index; i++) { if i % 2u == 0u { total += square(i); } else { printf("skip %u\\n", i); } }
        printf("lane %u: %u\\n", lane_index, total);
      }`,
    run: { functions: { square }, laneCount: 4 },
    lines: ["lane 0: 0", "lane 1: 0", "lane 2: 0", "lane 3: 4", "skip 1", "skip 1"],
  },
  ...[64, 128, 512].map((laneBytes): Program => ({
    name: `lines of several packets of ${laneBytes} bytes stay whole`,
    source: `fn kernel() { for (var time = 0u; time < 30u + 10u * lane_index; time++) {
        if time % 3u != lane_index { printf("%u of lane %u, wave %u\\n", time, lane_index, wave_index); }
        else { printf("%.1f %u of lane %u, wave %u\\n", f32(time), time, lane_index, wave_index); } } }`,
    run: { waveCount: 3, laneCount: 4, laneBytes, portCount: 2 },
    lines: each(
      12,
      (me) => each(30 + 10 * (me % 4), (time) => ({ time, lane: me % 4, wave: me >> 2 })),
    )
      .flat().map(({ time, lane, wave }) =>
        `${time % 3 === lane ? `${time}.0 ` : ""}${time} of lane ${lane}, wave ${wave}`
      ),
  })),
  {
    name: "many lines of a lane are one packet, whatever their formats",
    source: `fn kernel() {
        for (var i = 0u; i < 8u; i++) { if i == 5u { printf("odd one\\n"); } printf("%u,", i); }
      }`,
    run: { laneCount: 1, laneBytes: 256 },
    prints: "0,1,2,3,4,odd one\n5,6,7,",
    counts: { packetCount: 1 },
  },
  {
    name: "where a kernel uses its stream, each line goes at once",
    source: `fn kernel() { printf("a"); printf("b"); put("c"); print(); printf("d"); }`,
    run: { laneCount: 1 },
    prints: "abcd",
    counts: { packetCount: 4 },
  },
  {
    name: "a printf that streamBytes has no room for is told",
    source: `fn kernel() { printf("a"); printf("much longer than that %u", 1u); }`,
    run: { laneCount: 1, streamBytes: 16 },
    prints: "a",
    fails: ["KernelError", "more of its stream than streamBytes allows"],
  },
  {
    name: "a lane that breaks a rule has printed several packets before",
    source: `fn kernel() {
        for (var line = 0u; line < 9u; line++) { printf("%u,", line); }
        packet_set(99u, 1u);
        printf("behind");
      }`,
    run: { laneCount: 1, laneBytes: 64 },
    prints: "0,1,2,3,4,5,6,7,8,",
    fails: ["KernelError", "a lane set a word beyond the last of its packet"],
  },
  {
    name: "lines are printed where their condition holds, with what they ask for",
    source: `${SQUARE}fn kernel() {
        printf_if(lane_index > 1u && square(lane_index) > 4u, "lane %u\\n", square(lane_index) + square(1u));
        printf("%d %x %s %v %b %5.2f|%X%%%-*.1f|\\n", -5, 255u, "te%xt", vec2f(0.5, 2), true, 3.14159, 10, 4, 1.5);
      }`,
    run: { functions: { square }, laneCount: 4 },
    lines: ["lane 10", ...each(4, () => "-5 ff te%xt (0.5, 2) true  3.14|A%1.5 |")],
  },
  {
    name: "a stream is as long as the longest printf needs",
    source: `fn kernel() { printf("${LONG}%u\\n", 5u); }`,
    run: { laneCount: 1 },
    prints: `${LONG}5\n`,
  },
  {
    name: "a stream is printed as it was put together",
    source: 'fn kernel() { put("one "); put_u32(7u); put(" // \\u20ac\\n"); print(); }',
    run: { laneCount: 1 },
    prints: "one 7 // \u20ac\n",
  },
  {
    name: "numbers are put in decimal, the smallest and the largest too",
    source: `fn step_0() { ${
      [
        ...["0u", "7u", "10u", "1999999999u", "4294967295u"].map((value) => `put_u32(${value});`),
        ...["0", "-1", "42", "2147483647", "-2147483647 - 1"].map((value) => `put_i32(${value});`),
      ].join(' put(" "); ')
    } print(); }`,
    run: { laneCount: 1 },
    prints: "0 7 10 1999999999 4294967295 0 -1 42 2147483647 -2147483648",
  },
  {
    name: "bytes are put one behind the other, wherever in a word they begin",
    source: `fn step_0() { ${
      puts(["abcd", "e", "fghi", "jk", "lmn", "opq", "rstu", "v", "wxyz"])
    } print(); }`,
    run: { laneCount: 1 },
    prints: "abcdefghijklmnopqrstuvwxyz",
  },
  {
    name: "a long text is printed",
    source: `fn step_0() { put("${LONG}!"); print(); }`,
    run: { laneCount: 1, laneBytes: 64, streamBytes: 512 },
    prints: `${LONG}!`,
  },
  {
    name: "what a lane has printed before a rule is broken is there",
    source: `fn kernel() { printf("before\\n"); assert(lane_index == 5u); printf("behind\\n"); }`,
    run: { laneCount: 1 },
    prints: "before\n",
    fails: [
      "KernelError",
      "Cannot finish wave 0 in line 1 as an assertion failed in lane 0: lane_index == 5u does not hold",
    ],
  },
  {
    name: "an assert that fails is told with its values and its chain of calls",
    source: `@service fn ask(x: u32) -> f32;
      fn leaf(x: f32, list: array<i32, 2>) -> f32 {
        assert(x < 3.0, "%.1f %v %s %b", x, list, "so", x > 2.0,);
        return x * 2.0;
      }
      fn middle(x: f32) -> f32 { return leaf(ask(u32(x)), array(-1, 7)) + 1.0; }
      fn kernel() {
        assert(lane_index < 4u);
        printf_if(lane_index > 1u && ask(1u) > 0.0, "lane %u\\n", lane_index);
        for (var i = 0u; i < 2u; i++) {
          printf("%v\\n", middle(f32(lane_index + i)));
        }
      }`,
    run: { functions: { ask: (x: number) => x }, laneCount: 3 },
    lines: ["lane 2", "1", "3", "3", "5", "5"],
    fails: [
      "KernelError",
      `Cannot finish wave 0 in line 3 as an assertion failed in lane 2: x < 3.0: 3.0 [-1, 7] so true
    at leaf (line 3)
    at middle (line 6)
    at kernel (line 11)`,
    ],
  },
];
