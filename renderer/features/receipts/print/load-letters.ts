import { resolveWithin } from "../../../lib/resolve-within.ts";
import type { ReceiptBlock } from "../blocks/receipt-block.ts";

const WAIT_MS = 3_000;

/** Waits for the type that blocks are drawn in, by their own letters; a receipt does not wait long. */
export async function loadLetters(blocks: readonly ReceiptBlock[]): Promise<void> {
  const text = JSON.stringify(blocks);
  const fonts = [
    "400 24px Plex",
    "700 24px Plex",
    "400 24px 'Plex Arabic'",
    "700 24px 'Plex Arabic'",
  ];
  const loaded = fonts.map((font) => document.fonts.load(font, text));
  await resolveWithin(Promise.allSettled(loaded), WAIT_MS);
}
