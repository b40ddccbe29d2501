import type { Parameter, Result } from "../declare/kind.ts";
import type { FunctionSignature } from "../declare/signature.ts";
import { SLOT_CODECS, type SlotCodec } from "./slot.ts";

/** Slots that a lane of the smallest packet has for arguments, behind the hash. */
const FLAT_SLOTS = 7;

/** What a signature means for its calls; made once for each function. */
export interface CallShape {
  /** How the caller's arguments lie in a packet, where each is one slot and all fit. */
  readonly flat: readonly SlotCodec[] | undefined;
  /** How the result lies in its slot, where it is one or nothing. */
  readonly result: SlotCodec | undefined;
  /** How many arguments callers give; with a `variadic`, at least. */
  readonly argumentCount: number;
  readonly isVariadic: boolean;
}

/** Sees whether a function's calls fit one packet: then they need no stream. */
export function callShape({ parameters, result }: FunctionSignature): CallShape {
  const given = parameters.filter(({ kind }) => kind !== "constant");
  const isVariadic = given.at(-1)?.kind === "variadic";
  const codecs = given.map(slotCodec);
  const flat = codecs.filter((codec) => codec !== undefined);
  const resultCodec = slotCodec(result);
  const isFlat = resultCodec !== undefined && flat.length === codecs.length &&
    flat.length <= FLAT_SLOTS;
  return {
    flat: isFlat ? flat : undefined,
    result: resultCodec,
    argumentCount: given.length - (isVariadic ? 1 : 0),
    isVariadic,
  };
}

/** How a value of the kind lies in a slot, if it does. */
export function slotCodec(kind: Parameter | Result): SlotCodec | undefined {
  switch (kind.kind) {
    case "scalar":
      return SLOT_CODECS[kind.type];
    case "handle":
      return SLOT_CODECS.handle;
    case "void":
      return SLOT_CODECS.nothing;
    default:
      return undefined;
  }
}
