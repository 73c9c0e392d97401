import type { Language } from "../../../server/contract/pos/setup.ts";

export type Script = "latin" | "arabic";

const DIGITS = "1234567890";
const QWERTY = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const LATIN: Partial<Record<Language, readonly string[]>> = {
  es: ["qwertyuiop", "asdfghjklñ", "zxcvbnm"],
  fr: ["azertyuiop", "qsdfghjklm", "wxcvbn"],
  pt: ["qwertyuiop", "asdfghjklç", "zxcvbnm"],
};
const ARABIC = ["ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤرىةوزظذأإ"];
const ACCENTS: Partial<Record<Language, string>> = {
  es: "áéíóúü¿¡",
  fr: "àâçéèêëîïôùû",
  pt: "áàâãéêíóôõú",
};
const SIGNS = ["@.-_/+,:;'", `&#()!?"*%=`];

/** The rows of letters of a language, or of Latin beside Arabic; digits above them. */
export function letterRows(language: Language, script: Script): readonly string[] {
  return [DIGITS, ...(script === "arabic" ? ARABIC : (LATIN[language] ?? QWERTY))];
}

/** The letters alone, from A to Z, for windows with no room for the usual rows. */
export function lettersInOrder(language: Language, script: Script): string {
  const [, ...rows] = letterRows(language, script);
  return [...rows.join("")].toSorted((a, b) => a.localeCompare(b, language)).join("");
}

/** Signs, and the letters with accents. */
export function signRows(language: Language): readonly string[] {
  const accents = ACCENTS[language];
  return [DIGITS, ...SIGNS, ...(accents ? [accents] : [])];
}

/** What begins a number of another country, or parts an amount, where the field takes it. */
export function signOf(mode: string): string | undefined {
  return { tel: "+", decimal: "." }[mode];
}
