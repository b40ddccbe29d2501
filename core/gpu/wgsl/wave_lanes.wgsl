// Which lanes of a wave take part in its port, and what they agree on.

struct Agreement { least: u32, mask: vec2u, longest: u32 }

fn takes_part() -> bool { return in_mask(wave.mask, lane_index); }

// Whether this is the first lane that takes part.
fn is_first_lane() -> bool {
  let lo = wave.mask.x;
  return lane_index == select(firstTrailingBit(lo), 32u + firstTrailingBit(wave.mask.y), lo == 0u);
}
