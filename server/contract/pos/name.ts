import { Type } from "typebox";

/**
 * Characters no name needs: controls, line breaks, zero-width spaces, marks that turn the direction
 * of text around, and halves of characters. Joiners stay: Persian and emoji are written with them.
 */
const UNFIT = "\\p{Cc}\\u200B\\u2028-\\u202E\\u2060-\\u2069\\uFEFF\\uD800-\\uDFFF";

/** At least one visible character, and none of those. */
export const NAME_PATTERN = `^[^${UNFIT}]*[^\\s${UNFIT}][^${UNFIT}]*$`;

/** A name that people read, of at most `longest` characters. */
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

/** How a name is kept: without blanks around it, and composed, so that equal names are equal. */
export function tidyName(name: string): string {
  return name.normalize("NFC").trim();
}
