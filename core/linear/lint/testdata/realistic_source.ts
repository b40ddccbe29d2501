/** Pieces of a program that talks to a server, as people write them; `$` is replaced by a number. */
const PIECES: readonly string[] = [
  `
export interface Order$ {
  readonly id: number;
  readonly items: readonly string[];
}

export function total$(order: Order$): number {
  let sum = 0;
  for (const item of order.items) {
    if (item === "") continue;
    sum += item.length * 3 + (order.id % 7);
  }
  return sum;
}
`,
  `
/** Sends one order and reads the reply. */
export function place$(client: TypedClient, order: { readonly id: number }): number {
  const port = client.open(40_000 + $);
  port.use((packet) => packet.setUint32(0, 0, order.id));
  const sent = port.send((packet) => {
    packet.setUint32(0, 1, order.id + $);
  });
  let reply = 0;
  const back = sent.recv((packet) => {
    reply = packet.getUint32(0, 0);
  });
  back.close();
  return reply;
}
`,
  `
export function poll$(client: TypedClient, limit: number): boolean {
  const maybe = client.tryOpen(41_000 + $);
  if (!maybe.present) return false;
  let sent = maybe.value.send((packet) => packet.setUint32(0, 0, $));
  for (let look = 0; look < limit; look++) {
    const found = sent.query();
    if (found.arrived) {
      found.value.use((packet) => log(packet.getUint32(0, 0)));
      found.value.close();
      return true;
    }
    sent = found.value;
    if (look % 100 === 99) log(\`still waiting for $, look \${look}\`);
  }
  sent.close();
  return false;
}
`,
  `
export async function stream$(client: TypedClient, parts: readonly Uint8Array[]): Promise<number> {
  let byteCount = 0;
  using port = await client.openAsync(42_000 + $, { timeoutSeconds: 2 });
  try {
    let current: PartialPort<true> = move(port);
    for (const part of parts) {
      if (part.length === 0) continue;
      const sent = current.send((packet) => packet.laneBytes(0).set(part.subarray(0, 64)));
      byteCount += part.length;
      current = await sent.recvAsync();
    }
    current.close();
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    log("stream $ is over");
  }
  return byteCount;
}
`,
  `
const table$ = new Map<string, (value: number) => number>([
  ["double", (value) => value * 2],
  ["square", (value) => value * value],
  ["clamp", (value) => Math.min(Math.max(value, 0), $)],
]);

export function apply$(name: string, values: readonly number[]): number[] {
  const operation = table$.get(name);
  if (!operation) throw new RangeError(\`Cannot apply \${name} as there is no such operation\`);
  return values.filter((value) => Number.isFinite(value)).map(operation).map((value, index) => {
    const isLast = index === values.length - 1;
    return isLast ? Math.round(value) : value;
  });
}
`,
  `
export class Desk$ {
  readonly #client: TypedClient;
  #callCount = 0;

  constructor(client: TypedClient) {
    this.#client = client;
  }

  get callCount(): number {
    return this.#callCount;
  }

  ask(kind: "now" | "later" | "never", value: number): number {
    switch (kind) {
      case "never":
        return -1;
      case "later":
        this.#client.open(43_000 + $).send((packet) => packet.setUint32(0, 0, value)).close();
        break;
      case "now": {
        const sent = this.#client.open(43_000 + $).send((packet) => {
          packet.setUint32(0, 0, value);
        });
        this.#callCount++;
        let answer = 0;
        sent.recv((packet) => answer = packet.getUint32(0, 0)).close();
        return answer;
      }
    }
    return 0;
  }
}
`,
  `
export function finish$(port: PartialPort<false>, isUrgent: boolean): void {
  if (isUrgent) {
    port.recv().close();
    return;
  }
  const look = port.query();
  if (look.arrived) {
    const { value } = look;
    value.close();
  } else {
    look.value.close();
  }
}

export function serve$(server: TypedServer): void {
  server.operatePort(44_000 + $, (port) => {
    port.use((packet) => {
      for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
        packet.setUint32(lane, 0, packet.getUint32(lane, 0) + $);
      }
    });
    port.send().close();
  });
}
`,
];

const HEAD = `import { move, TypedClient, TypedServer } from "./linear/mod.ts";
import type { PartialPort } from "./linear/mod.ts";

function log(value: unknown): void {
  lines.push(String(value));
}
const lines: string[] = [];
`;

/**
 * A correct program of at least `lineCount` lines, about half of which has to do with ports.
 * For measuring the lint rules on what they will meet.
 */
export function realisticSource(lineCount: number): string {
  let text = HEAD;
  for (let piece = 0; text.split("\n").length < lineCount; piece++) {
    text += PIECES[piece % PIECES.length]!.replace(/\$(?!\{)/g, String(piece));
  }
  return text;
}
