/**
 * Formats a PIN as delivered: its own hyphens and spaces stay, because some must be typed. A PIN of
 * digits and letters only is grouped by four.
 */
export function writePin(pin: string): string {
  const code = pin.trim();
  return /^[\p{L}\p{N}]+$/u.test(code) ? groupOfFour(code) : code;
}

/** Returns whether a delivered PIN is a link, which is opened instead of typed. */
export function isLink(pin: string): boolean {
  return /^https?:\/\/\S+$/i.test(pin.trim());
}

export function groupOfFour(code: string): string {
  return code.replaceAll(/[\s-]+/g, "").replaceAll(/(.{4})(?=.)/gu, "$1 ");
}
