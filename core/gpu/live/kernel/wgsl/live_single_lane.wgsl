// What waves of one lane have for what lanes tell each other while a kernel runs.

fn wave_is_whole() -> bool { return true; }

fn wave_tell(value: u32) -> u32 { return value; }

fn wave_lanes(takes_part: bool) -> vec2u { return vec2u(1u, 0u); }

fn wave_most(value: u32) -> u32 { return value; }

fn wave_meet() {}

fn wave_last_port(opens: bool) -> u32 { return port_try_last(opens); }

fn lane_tells_rounds() {}

fn wave_wants_pause() -> bool { return loop_rounds > ROUNDS_PAUSE; }
