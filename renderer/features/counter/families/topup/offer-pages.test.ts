import { describe, expect, it } from "vitest";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import { neighbourTab, neighbourTile, viewOffers } from "./offer-pages.ts";

function offer(offerId: string, more: Partial<PosTopupOffer> = {}): PosTopupOffer {
  return { offerId, subType: "Mobile Top Up", priceType: "FIXED", ...more } as PosTopupOffer;
}

const offers = [
  ...Array.from({ length: 11 }, (_, index) => offer(`t${index + 1}`)),
  offer("any", { priceType: "RANGE" }),
  offer("d1", { subType: "Mobile Data" }),
];
const wanted = { subType: undefined, page: 0 };

describe("offer view", () => {
  it("shows only tabs with offers and opens the first tab", () => {
    const view = viewOffers(offers, wanted);
    expect(view.subTypes).toEqual(["Mobile Top Up", "Mobile Data"]);
    expect(view.subType).toBe("Mobile Top Up");
    expect(viewOffers(offers, { ...wanted, subType: "Mobile Bundle" }).subType).toBe(
      "Mobile Top Up",
    );
  });

  it("shows the tile for any amount on the first page", () => {
    const [first, second] = [
      viewOffers(offers, wanted),
      viewOffers(offers, { ...wanted, page: 1 }),
    ];
    expect(first.pages).toBe(2);
    expect(first.tiles.at(-1)?.offerId).toBe("any");
    expect(second.tiles.map(({ offerId }) => offerId)).toEqual(["t9", "t10", "t11"]);
  });

  it("shows an existing page if the requested page does not exist", () => {
    expect(viewOffers(offers, { ...wanted, page: 9 }).page).toBe(1);
    expect(viewOffers([], wanted)).toMatchObject({ page: 0, pages: 1, tiles: [] });
  });

  it("wraps around after the last and before the first tab or tile", () => {
    const view = viewOffers(offers, wanted);
    expect(neighbourTab(view, -1)).toBe("Mobile Data");
    expect(neighbourTile(view, undefined, 1)).toBe("t1");
    expect(neighbourTile(view, "any", 1)).toBe("t1");
    expect(neighbourTile(view, undefined, -1)).toBe("any");
  });
});
