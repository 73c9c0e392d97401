import { Type } from "typebox";

/**
 * Characters that names must not contain: controls, line breaks, zero-width spaces, direction marks
 * and unpaired surrogates. Joiners are allowed: Persian and emoji need them.
 */
const UNFIT = "\\p{Cc}\\u200B\\u2028-\\u202E\\u2060-\\u2069\\uFEFF\\uD800-\\uDFFF";

/** Requires at least one visible character, and allows none of `UNFIT`. */
export const NAME_PATTERN = `^[^${UNFIT}]*[^\\s${UNFIT}][^${UNFIT}]*$`;

export function Name(longest: number) {
  return Type.String({
    minLength: 1,
    maxLength: longest,
    pattern: NAME_PATTERN,
    description: "a name of visible characters, on one line",
  });
}

export const LONGEST_SHOP_NAME = 60;
export const LONGEST_STAFF_NAME = 40;

/**
 * Returns the stored form of a name: trimmed and NFC-composed, so that equal names compare equal.
 */
export function tidyName(name: string): string {
  return name.normalize("NFC").trim();
}
