import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Region } from "../../server/contract/common.ts";
import type { UsualChoice } from "../../server/contract/pos/search-index.ts";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { SoldThing, ThingFinder } from "../features/counter/families/interface/sold-thing.ts";
import { readBillBarcode } from "../features/counter/picker/barcodes/read-bill-barcode.ts";
import { hasAmount } from "../features/search/found-worth.ts";
import type { FoundBrand, FoundOffer, SearchIndex } from "../features/search/search-index.ts";
import { useSearchIndex } from "../features/search/use-search-index.ts";
import { usualChoicesQuery, usualnessOf } from "../features/search/usualness.ts";
import { regionWords } from "../lib/region-words.ts";
import { unitApart } from "../lib/search-text.ts";
import { useFormat } from "../lib/use-format.ts";

/** Maximum number of results: one for each digit key. */
const MOST_FOUND = 9;
const MOST_BRANDS = 5;
/** Number of offers to examine. Exceeds `MOST_FOUND`, because top-ups are removed. */
const MOST_LOOKED_AT = 60;
/** Number of proposals for each family in the shop's country, while the shop has few sales. */
const STARTERS = { VOUCHER: 5, BILL_PAY: 3, ESIM: 1 } as const;
/** A biller's name and an account. A number of four digits or more is an account, not an amount. */
const ACCOUNT = /^(?<name>.*\p{L}.*?)\s+(?<account>\d[\d -]{3,})$/u;

/** Returns the search of the counter's single input; undefined until the index has loaded. */
export function useThingFinder({
  country: home,
  currency,
  currencyDivisor,
}: Pick<PosStatus, "country" | "currency" | "currencyDivisor">): ThingFinder | undefined {
  const { index } = useSearchIndex(true);
  const { data: usual, failureReason } = useQuery(usualChoicesQuery());
  const isAway = failureReason !== null;
  const format = useFormat();
  const { t } = useTranslation();
  return useMemo(() => {
    if (!index) {
      return undefined;
    }
    const usualness = usualnessOf(usual?.list ?? []);
    const priced = (minor: number) => format.money(minor, currency, currencyDivisor);
    const called = ({ productType, brandName, country, area }: FoundBrand) =>
      [
        brandName,
        country && format.country(country),
        ...(area?.regions ?? []).map((region) => regionWords(region, t)),
        t(`family.${productType}.one`),
      ].join(" ");
    const search = {
      index,
      home,
      usualness,
      priced,
      called,
      written: (minor: number, of: string, divisor: number) =>
        format.money(minor, of, divisor, "code"),
      day: format.shopDate,
    };
    return {
      find: (text) => findThings(text, search),
      isBegun: (word) => index.isBegun(word),
      correct: (text) => index.correct(text),
      usual: usual || isAway ? usualThings(usual?.list ?? [], search) : undefined,
    };
  }, [index, usual, isAway, format, t, home, currency, currencyDivisor]);
}

interface Search {
  readonly index: SearchIndex;
  readonly home: string;
  readonly usualness: ReturnType<typeof usualnessOf>;
  readonly priced: (minor: number) => string;
  readonly called: (found: FoundBrand) => string;
  readonly written: (minor: number, currency: string, divisor: number) => string;
  readonly day: (day: string) => string;
}

/**
 * Returns brands first, then offers. A biller's name followed by an account finds the biller with
 * that account.
 */
function findThings(text: string, search: Search): SoldThing[] {
  const { index, home, usualness } = search;
  const find = (words: string) =>
    index.find(words, { brands: MOST_BRANDS, offers: MOST_LOOKED_AT }, home, usualness);
  const { brands, offers } = find(text);
  // Excludes top-ups: their sale starts with the phone number.
  const cards = byPrice(
    offers.filter(({ productType }) => productType !== "TOPUP"),
    text,
  );
  const found = [
    ...brands.map((brand) => thingOf(brand, search)),
    ...cards.map((offer) => offerOf(offer, search)),
  ];
  const bill = billOf(text, search);
  if (bill) {
    return [bill];
  }
  if (found.length > 0) {
    return found.slice(0, MOST_FOUND);
  }
  const { name, account = "" } = ACCOUNT.exec(text.trim())?.groups ?? {};
  const billers = name === undefined ? [] : find(name).brands;
  return billers
    .filter(({ productType }) => productType === "BILL_PAY")
    .map((biller) => {
      const thing = thingOf(biller, search);
      const digits = account.replaceAll(/[ -]/g, "");
      return { ...thing, account: digits, called: `${thing.called} ${account}` };
    });
}

function billOf(text: string, search: Search): SoldThing | undefined {
  const stated = readBillBarcode(text);
  const biller = stated && search.index.billerOf(stated.brand, stated.country);
  if (!biller) {
    return undefined;
  }
  const thing = thingOf(biller, search);
  const { amount, dueDay, currency, currencyDivisor, account } = stated;
  return {
    ...thing,
    id: `${thing.id}/${account}`,
    account,
    stated: {
      ...(amount !== undefined && { amount: search.written(amount, currency, currencyDivisor) }),
      ...(dueDay !== undefined && { dueDay: search.day(dueDay) }),
    },
  };
}

/**
 * Returns a tile for each usual card, plan and biller, but not for top-ups: their sale starts with
 * the phone number.
 */
function usualThings(choices: readonly UsualChoice[], search: Search): SoldThing[] {
  const things = choices.flatMap(({ productType, offerId }) => {
    const offer = productType === "TOPUP" ? undefined : search.index.offer(offerId);
    if (!offer) {
      return [];
    }
    return [productType === "BILL_PAY" ? thingOf(offer, search) : offerOf(offer, search)];
  });
  // A new shop gets proposals from its country. Each sold brand replaces a proposal.
  const starters = search.index
    .startersIn(search.home, STARTERS)
    .map((brand) => thingOf(brand, search));
  const byId = new Map(
    [...things, ...starters.filter(({ brand }) => things.every((one) => one.brand !== brand))].map(
      (thing) => [thing.id, thing],
    ),
  );
  return [...byId.values()].slice(0, MOST_FOUND);
}

/**
 * Groups the offers by brand and country; in a group, the cheapest offer is first. Each group has
 * the position of its best offer. Offers with the typed amount form a separate group, so that no
 * other offer is between them.
 */
export function byPrice(offers: readonly FoundOffer[], typed: string): FoundOffer[] {
  const words = unitApart(typed.trim()).split(/\s+/);
  const groups = Map.groupBy(offers, ({ productType, brand, country, title }) =>
    [productType, brand, country, hasAmount(title, words)].join("/"),
  );
  return [...groups.values()].flatMap((group) => group.sort((a, b) => a.price - b.price));
}

function thingOf(found: FoundBrand, { called }: Pick<Search, "called">): SoldThing {
  const { productType, brand, brandName, brandColor, country, area } = found;
  const [region] = area?.regions ?? [];
  return {
    id: [productType, brand, country, ...(area?.countries ?? [])].join("/"),
    productType,
    brand,
    brandName,
    brandColor,
    called: called(found),
    country,
    ...(region !== undefined && { region: region as Region }),
  };
}

function offerOf(found: FoundOffer, search: Search): SoldThing {
  const { offerId, title, price } = found;
  const thing = thingOf(found, search);
  return {
    ...thing,
    id: offerId,
    called: `${thing.called} ${title}`,
    offer: { offerId, title, price: search.priced(price) },
  };
}
