// The functions of wave_group.wgsl for waves of one lane. They need no barriers, so that many such
// waves share a workgroup and none of them waits for another.

fn wave_agree(key: u32) -> Agreement {
  return Agreement(key, vec2u(1u, 0u), lane.stream_bytes);
}

fn wave_broadcast_port(finds: bool) -> vec2u { return wave_find_port(finds); }

fn group_goes_on(is_busy: bool, turn: u32) -> bool { return is_busy; }

fn group_order() {}
