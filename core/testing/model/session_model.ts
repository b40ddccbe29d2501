import type { Model } from "./explorer.ts";
import { type MemoryRules, Violation } from "./scheduled_words.ts";
import { clientProgram, serverProgram } from "./session_program.ts";
import type { Scene, SessionPlan } from "./session_scene.ts";

/** Builds the model. */
export function sessionModel(plan: SessionPlan): Model {
  const { core, portCount, clientCount, serverCount } = plan;
  const layout = core.channelLayout({ portCount, laneCount: 1 });
  const endWord = layout.totalBytes / 4;
  const monitors = { doneWord: endWord, dataWord: endWord + 1 };
  const scene = { plan, layout, monitors };
  return {
    initialMemory: initialMemory(scene),
    programs: [
      ...Array.from({ length: clientCount }, (_, client) => clientProgram(scene, client)),
      ...Array.from({ length: serverCount }, () => serverProgram(scene)),
    ],
    checkEnd: (memory) => checkEnd(scene, memory),
    rules: memoryRules(scene),
    keyOf: (memory, threadKeys) => keyOf(scene, memory, threadKeys),
  };
}

function initialMemory({ plan, layout, monitors }: Scene): Int32Array {
  const memory = new Int32Array(monitors.dataWord + plan.portCount);
  memory[layout.controlWord + plan.core.ControlWord.nextOwnerId] = 1;
  for (let index = 0; index < plan.portCount; index++) {
    memory[layout.clientOutboxWord + index] = plan.parity;
    memory[layout.serverOutboxWord + index] = plan.parity;
  }
  return memory;
}

/** Nobody sleeps and nothing is shut down in this model; each outbox is under its side's lock. */
function memoryRules({ plan: { core, portCount }, layout }: Scene): MemoryRules {
  const controls = [core.ControlWord.state, core.ControlWord.sleepers, core.ControlWord.bell];
  const constants = new Set(controls.map((word) => layout.controlWord + word));
  const locks = new Map<number, number>();
  for (let index = 0; index < portCount; index++) {
    constants.add(layout.clientParkedWord + index).add(layout.serverParkedWord + index);
    locks.set(layout.clientOutboxWord + index, layout.clientLockWord + index);
    locks.set(layout.serverOutboxWord + index, layout.serverLockWord + index);
  }
  return { isConstant: (word) => constants.has(word), lockOf: (word) => locks.get(word) };
}

/** Servers are alike: which of them stands where makes no difference. */
function keyOf(scene: Scene, memory: Int32Array, threadKeys: readonly string[]): string {
  const { plan: { core, portCount, clientCount }, layout, monitors } = scene;
  const servers = threadKeys.map((key, thread) => ({ key, ownerId: thread + 1 }))
    .slice(clientCount).sort((left, right) => left.key < right.key ? -1 : 1);
  const words = [memory[monitors.doneWord]!, memory[layout.hintWord]!];
  for (let index = 0; index < portCount; index++) {
    const headerWord = layout.headersWord + index * core.HEADER_WORDS;
    const serverLock = memory[layout.serverLockWord + index]!;
    words.push(
      memory[layout.clientOutboxWord + index]!,
      memory[layout.serverOutboxWord + index]!,
      memory[layout.clientLockWord + index]!,
      servers.findIndex(({ ownerId }) => ownerId === serverLock),
      memory[headerWord + 2]!,
      memory[headerWord + 3]!,
      memory[monitors.dataWord + index]!,
    );
  }
  const keys = [...threadKeys.slice(0, clientCount), ...servers.map(({ key }) => key)];
  return `${words}|${keys.join("|")}`;
}

function checkEnd({ plan, layout, monitors }: Scene, memory: Int32Array): void {
  for (let index = 0; index < plan.portCount; index++) {
    const isFree =
      memory[layout.clientOutboxWord + index] === memory[layout.serverOutboxWord + index] &&
      memory[layout.clientLockWord + index] === 0 && memory[layout.serverLockWord + index] === 0;
    if (!isFree) throw new Violation(`Port ${index} is not free at the end`);
  }
  if (memory[monitors.doneWord] !== plan.clientCount) throw new Violation("A call did not end");
}
