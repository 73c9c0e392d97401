import { expect, it } from "vitest";
import { FIRST_TENDERS, type ShopTenders } from "../../../server/contract/pos/shop-tenders.ts";
import { draftsOf, inputOf, moved, nameFaults, newDraft } from "./tender-draft.ts";

const SAVED: ShopTenders = {
  revision: 0,
  list: FIRST_TENDERS.map((tender) => ({ ...tender, used: false })),
};
const WORDS = { CASH: "Cash", CARD: "Card", OTHER: "Other" };

it("an unchanged tender is sent as received, except for a standard name, which is omitted", () => {
  expect(draftsOf(SAVED).map(inputOf)).toEqual(FIRST_TENDERS);
  const named = draftsOf(SAVED).map((draft) => ({ ...draft, name: " Visa " }));
  expect(named.map(inputOf).map(({ name }) => name)).toEqual(["Visa", "Visa", "Visa"]);
});

it("missing and repeated names are reported, regardless of case", () => {
  const [cash, card, other] = draftsOf(SAVED);
  if (!cash || !card || !other) throw new Error("three there are");
  const faults = nameFaults(
    [cash, { ...card, name: "VISA" }, { ...other, name: "visa " }, newDraft("new")],
    ({ kind }) => WORDS[kind],
  );
  expect([...faults]).toEqual([
    ["OTHER", "twice"],
    ["new", "empty"],
  ]);
  const asCash = { ...newDraft("new"), name: "cash" };
  expect([...nameFaults([cash, asCash], ({ kind }) => WORDS[kind])]).toEqual([["new", "twice"]]);
});

it("a tender moves up or down by one row", () => {
  const drafts = draftsOf(SAVED);
  expect(moved(drafts, 2, -1).map(({ key }) => key)).toEqual(["CASH", "OTHER", "CARD"]);
  expect(moved(drafts, 0, 1).map(({ key }) => key)).toEqual(["CARD", "CASH", "OTHER"]);
});
