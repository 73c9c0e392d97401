/** A formatted number with the minus sign of typography, as wide as a plus: a hyphen is overlooked before an amount. */
export function trueMinus(text: string): string {
  return text.replace("-", "\u2212");
}
