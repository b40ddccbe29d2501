// L8, one dispatch: lanes call in some turns and not in others, and several times in a row, at
// random.
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

var<private> chance: u32;
var<private> iteration: u32;
var<private> iterations: u32;
var<private> burst: u32;
var<private> count: u32;

fn random() -> u32 {
  chance ^= chance << 13u;
  chance ^= chance >> 17u;
  chance ^= chance << 5u;
  return chance;
}

fn client_fill() -> bool {
  if iterations == 0u {
    chance = 0x9e3779b9u ^ (lane_index + 1u);
    iterations = 128u + random() % 128u;
  }
  while burst == 0u && iteration < iterations {
    iteration++;
    // The kernel of the epochs waits here: only the random number is of interest.
    if random() % 127u == 0u { let skipped = random(); }
    burst = random() % 2u;
    if random() % 64u == 0u { burst = 2u + random() % 7u; }
  }
  packet_set(0u, count);
  return burst > 0u;
}

fn client_use() {
  burst--;
  count = packet_get(0u);
}

fn client_end() { results[lane_index] = count * 1000u + iterations; }

fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }
