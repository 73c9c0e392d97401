/** A typed amount apart from the unit right behind it: "5gb" is called "5 GB". */
export function unitApart(typed: string): string {
  return typed.replaceAll(/(?<=^|\s)(\d+(?:[.,]\d+)?)(?=\p{L}+(?:\s|$))/gu, "$1 ");
}
