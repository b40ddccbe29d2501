import { assert, assertEquals } from "@std/assert";
import { changedModule, type SourceFault } from "../explorer/changed_core.ts";
import { exploreAll, exploreRandom } from "../explorer/explorer.ts";
import { packetLooks, packetModel } from "./packet_model.ts";
import type { PacketChannel, PacketMemory } from "../../one_packet/packet_channel.ts";
import type { PacketProtocol } from "../../one_packet/packet_format.ts";
import type { PacketCore, PacketPlan, ProtocolRules } from "./packet_plan.ts";

const LIMIT = { stateCountMax: 4_000_000, mustEnd: true };

const SEED_COUNT = 300;

/** A defect of the original, or a likely one, and the smallest plan that shows it. */
export interface PlantedPacketFault extends SourceFault, PlanPart {
  readonly name: string;
  /** Further changes that the fault needs. */
  readonly also?: readonly SourceFault[];
}

/** What a plan says beside, or in place of, what the smallest says. */
type PlanPart = Partial<PacketPlan>;
const SMALLEST: PacketPlan = { packetCount: 1, clients: [["call"]], serverCount: 1 };

/** The cases of a protocol. */
export interface PacketModelCases {
  /** Explored in every schedule. */
  readonly settings: readonly PlanPart[];
  /** Explored in random schedules, because there are too many states. */
  readonly random: readonly PlanPart[];
  readonly planted: readonly PlantedPacketFault[];
}

/** Explores a protocol of packets in each setting, and with each fault planted. */
export function testPacketModel<Memory extends PacketMemory>(
  name: string,
  rules: ProtocolRules<Memory>,
  { settings, random, planted }: PacketModelCases,
): void {
  const modelOf = async (part: PlanPart, faults: readonly SourceFault[] = []) => {
    const plan = { ...SMALLEST, ...part };
    const looks = [...packetLooks(plan), ...rules.looks];
    const core = await changedModule<Record<string, unknown>>(rules.module, { faults, looks });
    const parts: PacketCore<Memory> = {
      PacketChannel: core.PacketChannel as typeof PacketChannel,
      protocol: core[rules.name] as PacketProtocol<Memory>,
    };
    return packetModel(parts, rules, plan);
  };
  for (const plan of settings) {
    Deno.test(`${name} model: ${textOf(plan)}`, async () => {
      const { violation, stateCount } = exploreAll(await modelOf(plan), LIMIT);
      assertEquals(violation, undefined);
      assert(stateCount > 100, `only ${stateCount} states were visited`);
    });
  }
  for (const plan of random) {
    Deno.test(`${name} model: ${textOf(plan)}, random schedules`, async () => {
      const seeds = Array.from({ length: SEED_COUNT }, (_, seed) => seed + 1);
      assertEquals(exploreRandom(await modelOf(plan), seeds), undefined);
    });
  }
  for (const fault of planted) {
    Deno.test(`${name} model: finds that ${fault.name}`, async () => {
      const { violation } = exploreAll(await modelOf(fault, [fault, ...fault.also ?? []]), LIMIT);
      assert(violation, "the planted fault was not found");
    });
  }
}

function textOf(part: PlanPart): string {
  const { sleeps, packetCount, clients, serverCount } = { ...SMALLEST, ...part };
  const acts = clients.map((list) => list.join(" ")).join(" | ");
  return `${packetCount} packets, ${serverCount} servers, ${acts}${sleeps ? ", asleep" : ""}`;
}
