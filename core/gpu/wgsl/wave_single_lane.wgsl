// A wave of one lane agrees with itself: no barriers, so that many such waves share a workgroup
// without waiting for each other.

struct Agreement { least: u32, mask: vec2u, longest: u32 }

fn takes_part() -> bool { return true; }

fn leads() -> bool { return true; }

fn wave_look_together() {}

fn wave_agree(key: u32) -> Agreement {
  return Agreement(key, vec2u(1u, 0u), lane.stream_bytes);
}

fn wave_share_port(finds: bool) -> u32 {
  if finds { return wave_find_port(); }
  return NO_PORT;
}

fn group_goes_on(is_busy: bool, turn: u32) -> bool { return is_busy; }
