import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Region } from "../../server/contract/common.ts";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { SoldThing, ThingFinder } from "../features/counter/families/interface/sold-thing.ts";
import { usualChoicesQuery } from "../features/search/api/usual-queries.ts";
import type { FoundBrand, FoundOffer, SearchIndex } from "../features/search/search-index.ts";
import { useSearchIndex } from "../features/search/use-search-index.ts";
import { usualnessOf } from "../features/search/usualness.ts";
import { useFormat } from "../lib/use-format.ts";

/** As many as have a digit. */
const MOST_FOUND = 9;
/** Offers fill the rest. */
const MOST_BRANDS = 5;
/** Among them are top-ups, which are left out. */
const MOST_LOOKED_AT = 60;
/** From so many digits on, what follows the name of a biller is an account and no amount. */
const ACCOUNT = /^(?<name>.*\p{L}.*?)\s+(?<account>\d[\d -]{3,})$/u;

/** Searches what is sold for the one field; undefined until the till has its index. */
export function useThingFinder({
  country: home,
  currency,
  currencyDivisor,
}: Pick<PosStatus, "country" | "currency" | "currencyDivisor">): ThingFinder | undefined {
  const { index } = useSearchIndex(true);
  const usual = useQuery(usualChoicesQuery()).data;
  const format = useFormat();
  return useMemo(() => {
    if (!index) {
      return undefined;
    }
    const usualness = usualnessOf(usual?.list ?? []);
    const priced = (minor: number) => format.money(minor, currency, currencyDivisor);
    return {
      find: (text) => findThings(text, { index, home, usualness, priced }),
      isBegun: (word) => index.isBegun(word),
    };
  }, [index, usual, format, home, currency, currencyDivisor]);
}

interface Search {
  readonly index: SearchIndex;
  readonly home: string;
  readonly usualness: ReturnType<typeof usualnessOf>;
  readonly priced: (minor: number) => string;
}

/** Brands first, then offers; of a biller with an account behind its name, the biller with that account. */
function findThings(text: string, { index, home, usualness, priced }: Search): SoldThing[] {
  const find = (words: string) =>
    index.find(words, { brands: MOST_BRANDS, offers: MOST_LOOKED_AT }, home, usualness);
  const { brands, offers } = find(text);
  // Of a top-up the number comes first, whatever it is to be.
  const cards = offers.filter(({ productType }) => productType !== "TOPUP");
  const found = [
    ...brands.map((brand) => thingOf(brand)),
    ...cards.map((offer) => ({ ...thingOf(offer), ...offerOf(offer, priced) })),
  ];
  if (found.length > 0) {
    return found.slice(0, MOST_FOUND);
  }
  const { name, account = "" } = ACCOUNT.exec(text.trim())?.groups ?? {};
  const billers = name === undefined ? [] : find(name).brands;
  return billers
    .filter(({ productType }) => productType === "BILL_PAY")
    .map((biller) => ({ ...thingOf(biller), account: account.replaceAll(/[ -]/g, "") }));
}

function thingOf(found: FoundBrand): SoldThing {
  const { productType, brand, brandName, brandColor, country, area } = found;
  const [region] = area?.regions ?? [];
  return {
    id: [productType, brand, country, ...(area?.countries ?? [])].join("/"),
    productType,
    brand,
    brandName,
    brandColor,
    country,
    // The catalog's names of regions are those that the gateway takes.
    ...(region !== undefined && { region: region as Region }),
  };
}

function offerOf({ offerId, title, price }: FoundOffer, priced: Search["priced"]) {
  return { id: offerId, offer: { offerId, title, price: priced(price) } };
}
