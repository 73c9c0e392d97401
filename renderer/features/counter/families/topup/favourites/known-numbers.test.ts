import { describe, expect, it } from "vitest";
import type { PosEarlierSale } from "../../../../../../server/contract/pos/counter.ts";
import type { Favourite } from "../../../../../../server/contract/pos/favourites.ts";
import { readTyped } from "../typed-text.ts";
import { findKnown } from "./known-numbers.ts";

function sold(number: string, favourite?: string): PosEarlierSale {
  return {
    recipientPhoneNumber: number,
    recipientFormatted: number,
    country: "GT",
    ...(favourite && { favourite }),
  } as PosEarlierSale;
}

function kept(number: string, name: string): Favourite {
  return { number, formatted: number, country: "GT", name } as Favourite;
}

const recents = ["1", "2", "3", "4", "5"].map((last) => sold(`+5025123000${last}`));
const favourites = [
  kept("+50251230005", "Mamá"),
  kept("+50231239999", "María José"),
  kept("+50251230001", "Taxi Luis"),
  kept("+96170123456", "أمي"),
];

function names(typed: { digits?: string; query?: string }) {
  const known = findKnown(recents, favourites, { digits: "", query: "", ...typed });
  return [...known.recents, ...known.favourites].map(({ name, number }) => name ?? number);
}

describe("known-number search", () => {
  it("lists recent customers, then favourites without a recent sale, each number once", () => {
    const known = findKnown(recents, favourites, { digits: "", query: "" });
    expect(known.recents.map(({ number }) => number.slice(-1))).toEqual(["1", "2", "3", "4"]);
    expect(known.favourites.map(({ name }) => name)).toEqual(["Mamá", "María José", "أمي"]);
    expect(findKnown(recents, [], { digits: "", query: "" }).recents).toHaveLength(5);
  });

  it("finds a number by any word of its name, regardless of accents, case and script", () => {
    expect(names({ query: "MAMA" })).toEqual(["Mamá"]);
    expect(names({ query: "ma" })).toEqual(["Mamá", "María José"]);
    expect(names({ query: "jose mar" })).toEqual(["María José"]);
    expect(names({ query: "luis" })).toEqual(["Taxi Luis"]);
    expect(names({ query: "أم" })).toEqual(["أمي"]);
    expect(names({ query: "nobody" })).toEqual([]);
  });

  it("finds a number by its digits with or without the calling code, but not by the calling code alone", () => {
    expect(names({ digits: "9999" })).toEqual(["María José"]);
    expect(names({ digits: "5025123000" })).toHaveLength(5);
    expect(names({ digits: "+50251230005" })).toEqual(["Mamá"]);
    expect(names({ digits: "50" })).toEqual([]);
    expect(names({ digits: "+50" })).toEqual([]);
  });

  it("finds a number by its domestic form with a leading 0", () => {
    expect(names({ digits: "031239" })).toEqual(["María José"]);
    expect(names({ digits: "0" })).toEqual([]);
  });

  it("excludes the number that the clerk has typed in full", () => {
    const typed = { digits: "51230005", query: "" };
    expect(findKnown(recents, favourites, typed).recents).toHaveLength(1);
    expect(findKnown(recents, favourites, typed, "+50251230005").recents).toEqual([]);
  });
});

describe("number field", () => {
  const empty = { digits: "", query: "" };

  it("reads text that starts with letters as a name, and digits as a number", () => {
    expect(readTyped("ma", empty)).toEqual({ type: "name-typed", query: "ma" });
    expect(readTyped("taxi 3", { ...empty, query: "taxi " })).toEqual({
      type: "name-typed",
      query: "taxi 3",
    });
    expect(readTyped("+502 5a", { ...empty, digits: "+5025" })).toEqual({
      type: "number-typed",
      digits: "+5025",
    });
    expect(readTyped("", { ...empty, query: "m" })).toEqual({ type: "number-typed", digits: "" });
  });

  it("reads a pasted number with words around it", () => {
    expect(readTyped("Tel. +502 5123-4567", empty)).toEqual({
      type: "number-typed",
      digits: "+50251234567",
    });
  });
});
