import type { PosEarlierSale } from "../../../../../../server/contract/pos/counter.ts";
import type { Favourite } from "../../../../../../server/contract/pos/favourites.ts";
import { foldLetters } from "../../../../../lib/search-text.ts";

export interface KnownNumber {
  /** E.164. */
  readonly number: string;
  readonly formatted: string;
  readonly country: string;
  readonly name?: string;
  /** Sale that Enter repeats. */
  readonly lastSale?: PosEarlierSale;
  /** True for a number from a pasted contact. */
  readonly isContact?: true;
}

export interface KnownNumbers {
  /** Earlier customers, newest first. If text is typed: all matching numbers. */
  readonly recents: readonly KnownNumber[];
  readonly favourites: readonly KnownNumber[];
}

const RECENTS_ABOVE_FAVOURITES = 4;
const MAX_FOUND = 6;
/**
 * Minimum number of digits in a search. Fewer digits match the calling code of nearly every number.
 */
const MIN_DIGITS = 3;

export interface TypedText {
  readonly digits: string;
  readonly query: string;
}

/**
 * Returns all known numbers if the field is empty.
 * @param itself the number in the field, which is excluded
 */
export function findKnown(
  recents: readonly PosEarlierSale[],
  favourites: readonly Favourite[],
  { digits, query }: TypedText,
  itself?: string,
): KnownNumbers {
  const sold = recents.map(ofRecent);
  const named = favourites.map(ofFavourite);
  if (query !== "") {
    return { recents: findNamed(named, query), favourites: [] };
  }
  if (digits !== "") {
    // The 0 dialled before a domestic number is not part of the number.
    const part = digits.replace(/^(?:\+|0+)/, "");
    const all = part.length < MIN_DIGITS ? [] : [...named, ...notIn(sold, named)];
    const fitting = all.filter(({ number }) => number.includes(part) && number !== itself);
    return { recents: fitting.slice(0, MAX_FOUND), favourites: [] };
  }
  const above = named.length > 0 ? sold.slice(0, RECENTS_ABOVE_FAVOURITES) : sold;
  return { recents: above, favourites: notIn(named, above) };
}

/** Each typed word must occur in the name or the digits, regardless of accents and case. */
function findNamed(named: readonly KnownNumber[], query: string): readonly KnownNumber[] {
  const words = foldLetters(query).split(/\s+/).filter(Boolean);
  const found = named.filter(({ name = "", number }) =>
    words.every((word) => foldLetters(name).includes(word) || number.includes(word)),
  );
  const rank = ({ name = "" }: KnownNumber) =>
    foldLetters(name).startsWith(words[0] ?? "") ? 0 : 1;
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_FOUND);
}

function notIn(list: readonly KnownNumber[], others: readonly KnownNumber[]): KnownNumber[] {
  const numbers = new Set(others.map(({ number }) => number));
  return list.filter(({ number }) => !numbers.has(number));
}

export function ofRecent(lastSale: PosEarlierSale): KnownNumber {
  const { recipientPhoneNumber, recipientFormatted, country, favourite } = lastSale;
  return {
    number: recipientPhoneNumber,
    formatted: recipientFormatted,
    country,
    ...(favourite !== undefined && { name: favourite }),
    lastSale,
  };
}

function ofFavourite({ number, formatted, country, name, lastSale }: Favourite): KnownNumber {
  return { number, formatted, country, name, ...(lastSale && { lastSale }) };
}
