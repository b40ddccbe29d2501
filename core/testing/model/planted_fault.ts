import type { CoreModule } from "./session_scene.ts";

/** A change of the core's source that makes it wrong, or quicker to explore. */
export interface SourceChange {
  /** A path from `core/`. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly from: string;
  readonly to: string;
}

/** A defect of the originals, or one that is easily made, and the change that plants it here. */
export interface PlantedFault extends SourceChange {
  readonly name: string;
}

/** A planted fault, and the smallest setting in which it shows. */
export interface PlantedSessionFault extends PlantedFault {
  readonly operations: string;
  readonly clientCount: number;
  readonly serverCount: number;
  /** When the fault is one of tidying, or of refusing. */
  readonly isTidied?: boolean;
  readonly isHandled?: boolean;
}

export const PLANTED_FAULTS: readonly PlantedSessionFault[] = [
  {
    name: "a client flips before it has filled the packet",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    file: "toggle/client/client_port.ts",
    from: "    this.work(fill);\n    this.#giveAway();",
    to: "    this.#giveAway();\n    this.work(fill);",
  },
  {
    name: "a server does not look again after it took the lock",
    operations: "sr",
    clientCount: 2,
    serverCount: 2,
    file: "toggle/port_side.ts",
    from: "    if (this.mailboxes.owns(index)) return true;",
    to:
      '    if (this.constructor.name === "ServerSide" || this.mailboxes.owns(index)) return true;',
  },
  {
    name: "a client does not look again after it took the lock",
    operations: "ss",
    clientCount: 2,
    serverCount: 1,
    file: "toggle/port_side.ts",
    from: "    if (this.mailboxes.owns(index)) return true;",
    to:
      '    if (this.constructor.name === "ClientSide" || this.mailboxes.owns(index)) return true;',
  },
  {
    name: "a server unlocks before it toggles",
    operations: "ss",
    clientCount: 1,
    serverCount: 2,
    file: "toggle/server/server_port.ts",
    from:
      "    if (this.state < PortState.theirs) this.#giveAway();\n    this.state = PortState.closed;\n    this.#side.unlock(this.index);",
    to:
      "    this.#side.unlock(this.index);\n    if (this.state < PortState.theirs) this.#giveAway();\n    this.state = PortState.closed;",
  },
  {
    name: "a server closes while it owns the buffer without toggling",
    operations: "s",
    clientCount: 2,
    serverCount: 1,
    file: "toggle/server/server_port.ts",
    from:
      "    if (this.state < PortState.theirs) this.#giveAway();\n    this.state = PortState.closed;",
    to: "    this.state = PortState.closed;",
  },
  {
    name: "an unhandled opcode is handed back as if it were the reply",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    isHandled: false,
    file: "toggle/server/dispatch.ts",
    from: "    this.#side.setStatus(index, status);\n",
    to: "",
  },
  {
    name: "a hint is cleared after the look instead of before",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    isTidied: true,
    file: "wait/hint.ts",
    from:
      "    this.#words.and(this.#hintWord + word, ~bits);\n    for (let rest = bits; rest !== 0; rest &= rest - 1) {",
    to:
      '    this.#look(word, bits, ports);\n    this.#words.and(this.#hintWord + word, ~bits);\n  }\n\n  #look(word: number, bits: number, ports: Pick<PortLook, "owns">): void {\n    for (let rest = bits; rest !== 0; rest &= rest - 1) {',
  },
  {
    name: "a hint is cleared for a port that another server still holds",
    operations: "sr",
    clientCount: 2,
    serverCount: 2,
    isTidied: true,
    file: "wait/hint.ts",
    from: "        if (ports.owns(index)) this.mark(index);",
    to: "        if ((ports as PortLook).looksReady(index)) this.mark(index);",
  },
  {
    name: "a client marks its hint before it toggles",
    operations: "sr",
    clientCount: 1,
    serverCount: 1,
    isTidied: true,
    file: "toggle/client/client_side.ts",
    from:
      "    this.mailboxes.toggle(index);\n    if (this.#hints.mark(index)) this.#doorbell.ring();",
    to:
      "    if (this.#hints.mark(index)) this.#doorbell.ring();\n    this.mailboxes.toggle(index);",
  },
];

/** Faults of sleeping and waking, for the model that sleeps. */
export const PLANTED_SLEEP_FAULTS: readonly PlantedFault[] = [
  {
    name: "a bell rings without changing its value",
    file: "wait/doorbell.ts",
    from: "    this.#words.add(this.#bellWord, 1);\n",
    to: "",
  },
  {
    name: "a server sleeps without a look after it armed",
    file: "toggle/server/work_search.ts",
    from: "    if (this.#scanAll() !== NO_PORT) return false;\n",
    to: "",
  },
  {
    name: "a server sleeps without a look at the channel's state",
    file: "toggle/server/work_search.ts",
    from: "    return this.#side.channel.stateWord === seenState;",
    to: "    return seenState >= 0;",
  },
  {
    name: "a server sleeps with the hints still set",
    file: "toggle/server/work_search.ts",
    from: "    this.#hints.clearAll();\n",
    to: "",
  },
  {
    name: "a waiter does not announce that it parks",
    file: "wait/inbox_waiter.ts",
    from: "    const before = this.#words.or(this.#parkedWord + index, PARKED);",
    to: "    const before = PARKED;",
  },
];

/** Makes every search tidy the hints, which is otherwise once in a thousand: for the explorer. */
export const TIDY_ALWAYS: SourceChange = {
  file: "toggle/server/work_search.ts",
  from: "const TIDY_SEARCHES = 1 << 10;",
  to: "const TIDY_SEARCHES = 1;",
};

/** Makes an idle server watch its last port for one glance instead of many: for the explorer. */
export const WATCH_ONCE: SourceChange = {
  file: "toggle/server/work_search.ts",
  from: "const WATCH_GLANCES = 48;",
  to: "const WATCH_GLANCES = 1;",
};

/**
 * Loads a copy of the core with changes in its source, so that what is explored is the real code
 * and the code needs no switches.
 *
 * @throws {Error} when a change does not fit the source exactly once
 */
export async function loadChanged(changes: readonly SourceChange[]): Promise<CoreModule> {
  const folder = await Deno.makeTempDir({ prefix: "portlab_model_" });
  try {
    const texts = await readCore();
    for (const change of changes) texts.set(change.file, changed(texts, change));
    for (const [file, text] of texts) await writeFile(`${folder}/${file}`, text);
    return await import(`file://${folder}/mod.ts`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function writeFile(path: string, text: string): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, text);
}

/** Folders of `core/` that `core/mod.ts` does not reach, or that are tests themselves. */
const APART = ["gpu", "linear", "testing"];

async function readCore(folder = ""): Promise<Map<string, string>> {
  const core = new URL("../../", import.meta.url);
  const texts = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder || ".", core))) {
    const path = folder + name;
    if (isDirectory && !APART.includes(path)) {
      for (const [file, text] of await readCore(`${path}/`)) texts.set(file, text);
    } else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
      texts.set(path, await Deno.readTextFile(new URL(path, core)));
    }
  }
  return texts;
}

function changed(texts: ReadonlyMap<string, string>, change: SourceChange): string {
  const parts = (texts.get(change.file) ?? "").split(change.from);
  if (parts.length === 2) return parts.join(change.to);
  throw new Error(
    `Cannot change ${change.file} as the text must occur once: it occurs ${
      parts.length - 1
    } times: ${change.from}`,
  );
}
