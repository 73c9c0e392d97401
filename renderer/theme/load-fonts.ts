import { resolveWithin } from "../lib/resolve-within.ts";

const LONGEST_WAIT_MS = 1_000;
const ARABIC = "ابت";

/** In the scripts that every till can be set to. */
const FACES = [
  ["400 1em Inter", "Aa"],
  ["400 1em Inter", "ŝ₹"],
  ["400 1em 'Noto Sans Arabic'", ARABIC],
  // Brand cards.
  ["600 1em Plex", "Aa"],
] as const;

/**
 * Waits for the type that comes with the program, so that the first thing drawn is drawn in it. Where
 * it is slow, the till begins in letters of the same width, and changes them when it is there.
 */
export async function loadFonts(): Promise<void> {
  const loaded = FACES.map(([font, text]) => document.fonts.load(font, text));
  await resolveWithin(Promise.allSettled(loaded), LONGEST_WAIT_MS);
}
