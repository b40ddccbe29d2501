import { type ChannelLayout, regionsOf } from "./layout.ts";

/**
 * The memory of a channel as text: one line a region, in the order of their addresses, with who may
 * write it. Sizes are what is used; regions are padded so that none shares a cache line.
 *
 * @example
 * ```ts
 * import { drawLayout } from "./draw_layout.ts";
 * import { channelLayout } from "./layout.ts";
 * const picture = drawLayout(channelLayout({ portCount: 4, laneCount: 2 }));
 * if (!picture.includes("clientOutbox")) throw new Error("every region has a line");
 * ```
 */
export function drawLayout(layout: ChannelLayout): string {
  const { portCount, laneCount, totalBytes } = layout;
  const lines = regionsOf(layout)
    .filter(([, wordCount]) => wordCount > 0)
    .map(([name, wordCount, writer]) => ({ word: layout[`${name}Word`], wordCount, name, writer }))
    .toSorted((one, other) => one.word - other.word)
    .map(({ word, wordCount, ...rest }) =>
      line([`${word * 4}`, `${wordCount * 4}`, rest.name, rest.writer])
    );
  return [
    `${portCount} ports x ${laneCount} lanes, ${totalBytes} bytes`,
    line(["byte", "bytes", "region", "who writes"]),
    ...lines,
  ].join("\n");
}

function line([byte, bytes, name, writer]: readonly [string, string, string, string]): string {
  return `${byte.padStart(9)} ${bytes.padStart(9)}  ${name.padEnd(12)}  ${writer}`;
}
