/** Separates a typed amount from its unit: "5gb" becomes "5 GB". */
export function unitApart(typed: string): string {
  return typed.replaceAll(/(?<=^|\s)(\d+(?:[.,]\d+)?)(?=\p{L}+(?:\s|$))/gu, "$1 ");
}
