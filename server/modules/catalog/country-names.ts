import { LANGUAGES } from "../../contract/pos/setup.ts";

const known = new Map<string, readonly string[]>();
let namers: readonly Intl.DisplayNames[] | undefined;

/**
 * What a country is called in each language of the till.
 * @param code ISO 3166-1 alpha-2
 */
export function countryNames(code: string): readonly string[] {
  const before = known.get(code);
  if (before) return before;
  namers ??= LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: "region" }));
  const names = namers.map((namer) => namer.of(code) ?? code);
  known.set(code, names);
  return names;
}
