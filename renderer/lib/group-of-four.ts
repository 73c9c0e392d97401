/** Digits and letters in groups of four, as they are read aloud and typed in. */
export function groupOfFour(code: string): string {
  return code.replaceAll(/[\s-]+/g, "").replaceAll(/(.{4})(?=.)/gu, "$1 ");
}
