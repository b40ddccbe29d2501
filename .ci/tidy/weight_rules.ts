import { isTest, type Rule, type Source } from "./source.ts";

/**
 * What each room may weigh, in lines of its product and of its tests. A room is a folder of `core/`, or one
 * beside it; what only explorers and models need is a test. Who raises a budget says why in the commit; who
 * makes a room smaller lowers it.
 */
const BUDGETS: Readonly<Record<string, readonly [product: number, tests: number]>> = {
  ".ci": [5100, 2000],
  "bench": [10150, 6370],
  "core": [200, 200],
  "core/call": [2400, 1650],
  "core/command_ring": [900, 600],
  "core/connect": [2720, 1700],
  "core/four_phase": [200, 200],
  "core/gpu": [25900, 17200],
  "core/gwht": [300, 200],
  "core/linear": [4500, 3800],
  "core/memory": [1500, 800],
  "core/one_packet": [1200, 500],
  "core/packet_stacks": [400, 300],
  "core/process": [1900, 1400],
  "core/services": [9800, 9600],
  "core/signature": [6100, 5000],
  "core/system": [1300, 700],
  "core/testing": [0, 16100],
  "core/text": [1000, 700],
  "core/toggle": [8200, 6800],
  "core/wait": [900, 700],
  "core/worker": [800, 800],
  "notebooks": [1100, 800],
  "results": [5400, 3900],
  "scenarios": [7400, 2400],
};

const WEIGHED = /\.(ts|wgsl)$/;

/** The room of a file; nothing for what is weighed by nobody. */
function roomOf(path: string): string | undefined {
  const [top, second, third] = path.split("/");
  if (!WEIGHED.test(path) || second === undefined) return undefined;
  return top === "core" && third !== undefined ? `${top}/${second}` : top;
}

function lineCount({ text }: Source): number {
  return text.split("\n").length - 1;
}

/** Said at the first file of a room that has grown beyond its budget, and of a room that has none. */
export function roomsKeepTheirBudgets(sources: readonly Source[]): Rule {
  const rooms = Map.groupBy(sources, ({ path }) => roomOf(path));
  return (source) => {
    const room = roomOf(source.path);
    if (room === undefined) return [];
    const others = (rooms.get(room) ?? []).filter(({ path }) => path !== source.path);
    const isFirst = others.every(({ path }) => path > source.path);
    const isKnown = others.length < (rooms.get(room)?.length ?? 0);
    if (!isFirst && isKnown) return [];
    const budget = BUDGETS[room];
    if (budget === undefined) return [`${source.path}: ${room} has no budget in weight_rules.ts`];
    return (["product", "tests"] as const).flatMap((kind, at) => {
      const own = [source, ...others].filter(({ path }) => isTest(path) === (kind === "tests"));
      const lines = own.reduce((sum, one) => sum + lineCount(one), 0);
      return lines <= budget[at]!
        ? []
        : [`${room} has ${lines} lines of ${kind}, where ${budget[at]} are its budget`];
    });
  };
}
