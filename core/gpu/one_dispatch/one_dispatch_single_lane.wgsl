// The functions of one_dispatch_group.wgsl for waves of one lane, without barriers and atomics: one
// costs a software adapter as much as dozens of other instructions.

var<private> broadcast: Broadcast;

fn group_barrier() {}

fn group_broadcast() -> Broadcast { return broadcast; }

var<private> shared_words: array<u32, SHARED_COUNT>;

fn group_load(place: u32) -> u32 { return shared_words[place]; }

fn group_store(place: u32, value: u32) { shared_words[place] = value; }

fn group_or(place: u32, value: u32) { shared_words[place] |= value; }

fn group_min(place: u32, value: u32) { shared_words[place] = min(shared_words[place], value); }

fn group_exchange(place: u32, value: u32) -> u32 {
  let before = shared_words[place];
  shared_words[place] = value;
  return before;
}
