/**
 * A PIN as it was delivered: with its own hyphens and spaces, since some are part of what is typed in. One
 * of digits and letters alone is in groups of four.
 */
export function writePin(pin: string): string {
  const code = pin.trim();
  return /^[\p{L}\p{N}]+$/u.test(code) ? groupOfFour(code) : code;
}

/** Whether what was delivered as a PIN is a link, which is opened and never typed in. */
export function isLink(pin: string): boolean {
  return /^https?:\/\/\S+$/i.test(pin.trim());
}

/** Digits and letters in groups of four, as they are read aloud and typed in. */
export function groupOfFour(code: string): string {
  return code.replaceAll(/[\s-]+/g, "").replaceAll(/(.{4})(?=.)/gu, "$1 ");
}
