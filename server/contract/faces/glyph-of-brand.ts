import type { Family } from "../pos/families.ts";
import type { Glyph } from "./glyphs.ts";

const OF_SUBTYPE: Readonly<Record<string, Glyph>> = {
  "Mobile Top Up": "mobile",
  "Mobile Bundle": "mobile",
  "Mobile Data": "mobile",
  "Mobile E-PIN": "mobile",
  "eSIM Data": "esim",
  "eSIM Unlimited": "esim",
  "eSIM Voice and Data": "esim",
  "Online Shopping": "shopping",
  "App Store": "apps",
  "Ride Hailing": "transport",
  Transport: "transport",
  "Food Delivery": "delivery",
  Restaurants: "restaurant",
  Groceries: "groceries",
  Retail: "shopping",
  "Convenience Store": "store",
  Travel: "travel",
  Streaming: "streaming",
  Subscription: "streaming",
  "Prepaid Wallet": "wallet",
  Gaming: "games",
  "Pay TV": "tv",
  "TV and Internet": "tv",
  Electricity: "light",
  Water: "water",
  Gas: "gas",
  Fuel: "fuel",
  "Home Improvement": "home",
  Fashion: "fashion",
  Beauty: "beauty",
  Sports: "sport",
  Electronics: "electronics",
  Software: "software",
  Books: "books",
  Pets: "pets",
  Music: "music",
  Entertainment: "tickets",
  "Prepaid Internet": "internet",
  "Telecom Postpaid": "telephone",
  Loan: "loan",
  Government: "government",
  Insurance: "insurance",
  Education: "education",
  Health: "health",
};

const OF_FAMILY: Readonly<Record<Family, Glyph>> = {
  TOPUP: "mobile",
  VOUCHER: "gift",
  ESIM: "esim",
  BILL_PAY: "card",
};

interface Sold {
  readonly productType: Family;
  readonly subTypes: readonly string[];
}

/** Weight of an unspecific subtype: so small that any specific subtype outweighs it. */
const SAYS_LITTLE = 0.001;
const VAGUE = new Set(["Gift Card", "Retail", "Subscription", "Entertainment", "Mobile E-PIN"]);

/**
 * Chooses the icon of a brand by its most frequent product kind. Specific kinds take precedence.
 */
export function glyphOfBrand(offers: Iterable<Sold>): Glyph {
  const counts = new Map<Glyph, number>();
  const count = (glyph: Glyph, weight: number) =>
    counts.set(glyph, (counts.get(glyph) ?? 0) + weight);
  for (const { productType, subTypes } of offers) {
    count(OF_FAMILY[productType], SAYS_LITTLE * SAYS_LITTLE);
    for (const subType of subTypes) {
      const glyph = OF_SUBTYPE[subType];
      if (glyph) count(glyph, VAGUE.has(subType) ? SAYS_LITTLE : 1);
    }
  }
  const [most] = [...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return most?.[0] ?? "card";
}
