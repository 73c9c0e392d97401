/** Letters without accents and capitals, as people type them when they search. */
export function foldLetters(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();
}
