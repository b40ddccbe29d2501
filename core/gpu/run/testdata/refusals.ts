import { Opcode } from "../../../memory/opcode.ts";
import { Status } from "../../../memory/status.ts";
import { CASTS_UNHEARD, each, OUT, out, type Program, SQUARE, square } from "./program.ts";

/** Declares a function and a buffer. */
const SQUARES = `${SQUARE}var<storage, read_write> squares: array<u32>;
  fn kernel() { squares[lane_index] = square(lane_index); }`;
const functions = { square };
const words = new Uint32Array(32);
const buffers = { squares: words };
const BOTH = { functions, buffers };

const OPCODES =
  `@service(40000) fn increment(x: u32) -> u32; @service(50000) fn note(x: u32) -> u32;\n`;

/** A kernel whose wave breaks a rule, and what is told of it. */
function broken(reason: string, source: string, more: Partial<Program> = {}): Program {
  return {
    name: `a wave that breaks a rule is named: ${reason}: ${
      source.slice(0, 60).replaceAll(/\s+/g, " ")
    }`,
    source: OPCODES + source,
    fails: ["KernelError", "Cannot finish wave ", reason],
    ...more,
    run: {
      functions: { increment: (x: number) => (x + 1) >>> 0, note: (x: number) => x },
      ...{ portCount: 2, laneCount: 2, waveCount: 2, laneBytes: 64 },
      ...more.run,
    },
  };
}

const SERVE = "fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }";
const STREAM_FULL = "a lane used more of its stream than streamBytes allows";
const BEYOND = "a lane set a word beyond the last of its packet";
const TWO_REQUESTS = "the step made two requests: one goes into the next step";

/** What no run takes, and rules that a wave breaks. */
export const REFUSALS: readonly Program[] = [
  ...([
    [{ buffers }, "TypeError", "its function of the host square is missing: give it in the option"],
    [{ functions }, "TypeError", "its buffer squares is missing: give it in the option buffers"],
    [{ buffers, functions: { sqare: square } }, "TypeError", "host sqare: did you mean square"],
    [
      { functions, buffers: { square: words } },
      "TypeError",
      "no buffer square: did you mean squares",
    ],
    [
      { functions, buffers: { squares: [1] } },
      "TypeError",
      "squares must be an array such as a Float32Array",
    ],
    [{ ...BOTH, laneBytes: 100 }, "RangeError", "laneBytes"],
    [{ ...BOTH, laneCount: 65 }, "RangeError", "laneCount must be an integer from 1 to 64"],
    [{ ...BOTH, waveCount: 70_000 }, "RangeError", "waveCount must be an integer from 1 to 65535"],
    [{ ...BOTH, heapBytes: 5 }, "RangeError", "heapBytes"],
    [{ ...BOTH, constants: { n: 1 } }, "TypeError", "its text has no override n"],
    [{ ...BOTH, refusals: "Reject" }, "TypeError", "current value is Reject; did you mean reject"],
    [{ ...BOTH, wavecount: 2 }, "TypeError", "no option wavecount: did you mean waveCount"],
  ] as const).map(([run, ...fails]): Program => ({
    name: `refused: ${fails[1]}`,
    source: SQUARES,
    run: run as object,
    fails,
  })),
  {
    name: "a buffer that a text does not declare is refused",
    source: "fn kernel() {}",
    run: { buffers },
    fails: ["TypeError", "write var<storage, read_write> squares"],
  },
  {
    name: "a function that a text does not declare is refused",
    source: "fn kernel() {}",
    run: { functions },
    fails: ["TypeError", "write @service fn square("],
  },
  {
    name: "an override without a value wants one",
    source: "\noverride §n: u32; fn kernel() {}",
    fails: ["KernelCompileError", "constants: { n: 1 }"],
  },
  broken("it asked to send, receive or close without a port", "fn step_0() { send(); }"),
  broken("it asked to send, receive or close without a port", "fn step_0() { close(); }"),
  broken(
    "it asked for a call while it had a port open",
    "fn step_0() { begin(40000u); } fn step_1() { call(40000u); }",
  ),
  broken(
    "its lanes asked for different things while they had a port open",
    "fn step_0() { begin(40000u); } fn step_1() { if lane_index == 0u { recv(); } }",
    { run: { waveCount: 1 } },
  ),
  broken(TWO_REQUESTS, "fn step_0() { call(40000u); call(40000u); }", { server: SERVE }),
  broken(TWO_REQUESTS, "fn step_0() { cast_call(40000u); print(); }"),
  broken(
    "after step_2 as the step made two requests",
    "fn step_0() { go(2u); } fn step_1() {} fn step_2() { call(40000u); call(40000u); }",
  ),
  broken("it asked for an opcode beyond 65535", "fn step_0() { call(65536u); }", { server: SERVE }),
  broken(BEYOND, "fn step_0() { packet_set(16u, 1u); call(40000u); }", { server: SERVE }),
  broken(
    "from line 2 on as a lane set a word beyond the last of its packet",
    "fn kernel() { packet_set(16u, 1u); call(40000u); }",
    { server: SERVE },
  ),
  broken("which is not there", "fn step_0() { go(1u); }", { server: SERVE }),
  broken(
    "which is not there",
    "fn step_0() { call(40000u); if lane_index == 1u { go(70000u); } else { go(END); } }",
  ),
  broken(
    "wave 0 after step_ask as it went to step 7, which is not there: there are 2, and the first is 0",
    "fn step_ask() { go(7u); } fn step_end() {}",
    { run: { waveCount: 1 }, server: SERVE },
  ),
  broken(
    STREAM_FULL,
    "fn step_0() { for (var i = 0u; i < 300u; i++) { put_word(65u, 1u); } print(); }",
  ),
  broken(
    "as it asked to send, receive or close without a port",
    "fn step_0() { if wave_index == 1u { send(); } else { packet_set(0u, 7u); call(50000u); } }",
    {
      run: { laneCount: 1 },
      calls: ["note(7)"],
    },
  ),
  broken(
    BEYOND,
    "fn step_0() { packet_set(0u, 7u + lane_index); if lane_index == 0u { packet_set(16u, 9u); } call(50000u); }",
    {
      run: { waveCount: 1 },
      calls: ["note(8)"],
    },
  ),
  broken(
    BEYOND,
    // A wave's words are saved behind each other's: a count beyond the packet would reach the next.
    `struct Frame { count: u32 }
      fn step_0() {
        if wave_index == 0u && lane_index == 0u { packet_set(12u * LANE_WORDS - 1u, 999u); return; }
        packet_set(0u, 100u + wave_index);
        call(50000u);
      }
      fn step_1() { frame.count++; if wave_index == 0u && frame.count < 6u { packet_set(0u, 100u); go(0u); } }`,
    {
      run: { portCount: 1, waveCount: 6 },
      calls: [
        ...each(6, () => "note(100)"),
        ...each(5, (at) => [`note(${101 + at})`, `note(${101 + at})`]).flat(),
      ],
    },
  ),
  broken(
    STREAM_FULL,
    // No lane reads or writes the words of another, whatever index it uses.
    `fn step_0() { packet_set(0u, 10u * lane_index); packet_set(15u, 7u); stream_set_word(0u, 100u + lane_index); call(40000u); }
      fn step_1() { packet_set(0u, reply(16u)); call(50000u); }
      fn step_2() { if lane_index == 0u { for (var i = 1u; i < 100u; i++) { stream_set_word(i, 9u); } } }
      fn step_3() { if lane_index == 1u { packet_set(0u, stream_word(0u)); call(50000u); } }`,
    {
      run: { portCount: 1, waveCount: 1, streamBytes: 16 },
      calls: ["increment(0)", "increment(10)", "note(7)", "note(7)", "note(101)"],
    },
  ),
  broken(
    STREAM_FULL,
    // Most waves wait for the port, their packets saved, when those before them overfill their streams.
    `fn step_0() { packet_set(0u, 100u + wave_index); call(50000u); }
      fn step_1() { for (var i = 0u; i < 20u; i++) { put_word(0xffffffffu, select(4u, 1u, i == 0u)); } }`,
    {
      run: { portCount: 1, waveCount: 6, streamBytes: 16 },
      calls: each(12, (at) => `note(${100 + (at >> 1)})`),
    },
  ),
  {
    name: "a cast of an opcode that nobody serves is refused, with the way out",
    source: "fn step_0() { cast_call(60000u); }",
    run: { laneCount: 1 },
    fails: ["CallError", "60000"],
    without: CASTS_UNHEARD,
  },
  {
    name: "a call of an opcode that nobody serves is refused, once its waves have ended",
    source: "fn step_0() { call(60000u); }",
    run: { laneCount: 1, waveCount: 2 },
    fails: ["CallError", "opcode 60000", "for it: 2 failed calls in this run"],
  },
  {
    name: "a kernel is told the status of a call that nobody serves",
    source: `${OUT}fn step_0() { call(60000u); }
      fn step_1() { out[0] = reply_status(); call(${Opcode.noop}u); }
      fn step_2() { out[1] = reply_status(); }`,
    run: { buffers: out(2), laneCount: 1, refusals: "count" },
    leaves: { out: [Status.unhandledOpcode, Status.ok] },
    counts: { refusedCallCount: 1 },
  },
  {
    name: "extensions want a device that has them, and no live kernel",
    source: "// a comment\nenable f16;\nfn kernel() {}",
    run: { laneCount: 1 },
    fails: ["KernelCompileError", "line 2"],
  },
  {
    name: "a live kernel has no time of its own",
    source: "fn kernel() {}",
    run: { laneCount: 1, timed: true },
    not: { live: "no option timed here: a live kernel waits in its dispatch" },
  },
];
