/** Returns letters without accents and capitals, as people type them in a search. */
export function foldLetters(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();
}
