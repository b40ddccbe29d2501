// A live wave of one lane tells itself, without barriers: each costs a software adapter as much as
// dozens of other instructions.

var<private> told: Shared;

fn group_barrier() {}

fn group_shared() -> Shared { return told; }
