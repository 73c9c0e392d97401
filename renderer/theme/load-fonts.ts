import { resolveWithin } from "../lib/resolve-within.ts";

const LONGEST_WAIT_MS = 1_000;
const ARABIC = "ابت";

const FACES = [
  ["400 1em Inter", "Aa"],
  ["400 1em Inter", "ŝ₹"],
  ["400 1em 'Noto Sans Arabic'", ARABIC],
  // Font of the brand cards.
  ["600 1em Plex", "Aa"],
] as const;

/**
 * Waits for the program's fonts before the first paint. If they take long, the till starts with a
 * system font of the same metrics and replaces it later.
 */
export async function loadFonts(): Promise<void> {
  const loaded = FACES.map(([font, text]) => document.fonts.load(font, text));
  await resolveWithin(Promise.allSettled(loaded), LONGEST_WAIT_MS);
}
