/** Drops accents, case and soft hyphens. */
export function foldLetters(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[\p{M}\u00AD]/gu, "")
    .toLocaleLowerCase();
}

/** Separates a typed amount from its unit: "5gb" becomes "5 GB". */
export function unitApart(typed: string): string {
  return typed.replaceAll(/(?<=^|\s)(\d+(?:[.,]\d+)?)(?=\p{L}+(?:\s|$))/gu, "$1 ");
}
