import { expect, it } from "vitest";
import { FIRST_TENDERS, type ShopTender } from "../../server/contract/pos/shop-tenders.ts";
import { offeredTenders } from "./tender-keys.ts";

const facts = { opensDrawer: false, offered: true };
function card(name: string, more: Partial<ShopTender> = {}): ShopTender {
  return { tenderId: name, kind: "CARD", name, ...facts, ...more };
}

function keysOf(tenders: readonly ShopTender[]) {
  return offeredTenders(tenders).map(({ tenderId, key }) => `${tenderId} ${key}`);
}

it("the first card tender has the key C, and the first other tender has O, in every shop", () => {
  expect(keysOf(FIRST_TENDERS)).toEqual(["CARD c", "OTHER o"]);
  expect(keysOf([card("Visa terminal"), ...FIRST_TENDERS])).toEqual([
    "Visa terminal c",
    "CARD a",
    "OTHER o",
  ]);
});

it("every further tender has an unused letter as its key, from its name if possible", () => {
  const tenders = [
    ...FIRST_TENDERS,
    card("Bizum"),
    card("Éclair"),
    card("Door"),
    card("Bb"),
    card("بطاقة"),
    card("Retired", { offered: false }),
  ];
  expect(keysOf(tenders).slice(2)).toEqual(["Bizum b", "Éclair e", "Door a", "Bb f", "بطاقة g"]);
});

it("each of twenty tenders has a key", () => {
  const many = Array.from({ length: 17 }, (_, n) => card(`Terminal ${n}`));
  const keys = offeredTenders([...FIRST_TENDERS, ...many]).map(({ key }) => key);
  expect(new Set(keys).size).toBe(19);
  expect(keys).not.toContain("");
  for (const letter of ["d", "r", "w", "p"]) expect(keys).not.toContain(letter);
});
