import type { PosEarlierSale } from "../../../../../../server/contract/pos/counter.ts";
import type { Favourite } from "../../../../../../server/contract/pos/favourites.ts";
import { foldLetters } from "../../../../../lib/fold-letters.ts";

/** A customer's number as the till knows it: sold to before, kept under a name, or both. */
export interface KnownNumber {
  /** E.164. */
  readonly number: string;
  readonly formatted: string;
  readonly country: string;
  readonly name?: string;
  /** What Enter sells again. */
  readonly lastSale?: PosEarlierSale;
  /** Of a contact that was pasted: whether anything was sold to it is not known. */
  readonly isContact?: true;
}

/** What is shown beside the number while it is empty or typed. */
export interface KnownNumbers {
  /** Sold to before, newest first; with something typed, whatever fits it. */
  readonly recents: readonly KnownNumber[];
  /** The favourites that are not among them, by name. */
  readonly favourites: readonly KnownNumber[];
}

/** So few recents leave room for favourites below them. */
const RECENTS_ABOVE_FAVOURITES = 4;
const MOST_FOUND = 6;
/** Fewer digits than these match the country code of nearly every number. */
const LEAST_DIGITS = 3;

export interface TypedText {
  readonly digits: string;
  readonly query: string;
}

/**
 * The numbers that fit what is typed: all of them while nothing is.
 * @param itself the number that the digits are, which is told of elsewhere
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
    // The 0 that people dial before a number is no part of it.
    const part = digits.replace(/^(?:\+|0+)/, "");
    const all = part.length < LEAST_DIGITS ? [] : [...named, ...notIn(sold, named)];
    const fitting = all.filter(({ number }) => number.includes(part) && number !== itself);
    return { recents: fitting.slice(0, MOST_FOUND), favourites: [] };
  }
  const above = named.length > 0 ? sold.slice(0, RECENTS_ABOVE_FAVOURITES) : sold;
  return { recents: above, favourites: notIn(named, above) };
}

/** Every word that was typed begins or stands in the name, whatever its accents and capitals. */
function findNamed(named: readonly KnownNumber[], query: string): readonly KnownNumber[] {
  const words = foldLetters(query).split(/\s+/).filter(Boolean);
  const found = named.filter(({ name = "", number }) =>
    words.every((word) => foldLetters(name).includes(word) || number.includes(word)),
  );
  const rank = ({ name = "" }: KnownNumber) =>
    foldLetters(name).startsWith(words[0] ?? "") ? 0 : 1;
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_FOUND);
}

function notIn(list: readonly KnownNumber[], others: readonly KnownNumber[]): KnownNumber[] {
  const numbers = new Set(others.map(({ number }) => number));
  return list.filter(({ number }) => !numbers.has(number));
}

function ofRecent(lastSale: PosEarlierSale): KnownNumber {
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
