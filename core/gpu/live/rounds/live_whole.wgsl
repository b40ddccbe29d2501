// A wave that runs from its beginning to its end in one dispatch: what live_rounds.wgsl has for others.

// Functions that save a frame mention it.
struct SavedLane { frame: SavedFrame }
var<private> lane_states: array<SavedLane, 1>;

fn wave_begins() -> bool {
  wave_tells_begin();
  return true;
}

fn wave_pauses() -> bool { return false; }

fn wave_keep() {}
