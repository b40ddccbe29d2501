import type { Words } from "../../memory/words.ts";
import type { LockView } from "../lock/port_locks.ts";
import { Mailboxes } from "../mailbox.ts";
import type { ChannelDesign } from "./channel_design.ts";
import { AddMailboxes, CasMailboxes, ExchangeMailboxes, XorMailboxes } from "./mailbox_updates.ts";
import { type MailboxClass, packed, padded } from "./mailbox_widths.ts";

/** By update, then by width; made once, so that all mailboxes of one design are of one class. */
const CLASSES: Readonly<
  Record<
    ChannelDesign["mailboxUpdate"],
    Readonly<Record<ChannelDesign["mailboxWidth"], MailboxClass>>
  >
> = {
  store: ofEachWidth(Mailboxes),
  exchange: ofEachWidth(ExchangeMailboxes),
  "fetch-add": ofEachWidth(AddMailboxes),
  "fetch-xor": ofEachWidth(XorMailboxes),
  cas: ofEachWidth(CasMailboxes),
};

/** One side's mailboxes and locks as the channel was made with them. */
export function mailboxesOf(words: Words, view: LockView): Mailboxes {
  const { mailboxUpdate, mailboxWidth } = view.layout;
  return new CLASSES[mailboxUpdate][mailboxWidth](words, view);
}

function ofEachWidth(base: MailboxClass) {
  return { word: base, padded: padded(base), bit: packed(base) };
}
