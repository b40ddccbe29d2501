// Two scenarios as somebody outside of this project writes them: copied to another folder and served
// from an address by tests. It imports nothing, and one of them is an object of a class.

function clearing(byteCount: number) {
  const bytes = new Uint8Array(byteCount);
  return Promise.resolve({
    run(callCount: number) {
      for (let call = 0; call < callCount; call++) bytes.fill(call);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

class Batch {
  readonly name = "outside_batch";
  readonly question = "What does one of ten things cost?";
  readonly axes = { size: [1000, 2000, 3000] };
  readonly floor = { name: "half", setup: ({ size }: { size: number }) => clearing(size * 50) };
  readonly references = [{ name: "twice", setup: this.floor.setup }];
  readonly mainReference = "twice";
  readonly targets = [{
    text: "one thing",
    where: {},
    figure: { kind: "callsPerSecond" },
    bound: "at least",
    limit: 1,
  }];

  callsPerTurn() {
    return 10;
  }

  skip({ size }: { size: number }) {
    return size === 3000 ? "three is a crowd" : undefined;
  }

  setup({ size }: { size: number }) {
    return clearing(size * 100);
  }
}

export const batch = new Batch();

export const other = {
  name: "outside_other",
  question: "Is there another one?",
  axes: {},
  setup: () => clearing(10_000),
};
