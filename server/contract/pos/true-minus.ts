/**
 * Replaces the hyphen of a formatted number by a minus sign, which is as wide as a plus: a hyphen
 * before an amount is easily overlooked.
 */
export function trueMinus(text: string): string {
  return text.replace("-", "\u2212");
}
