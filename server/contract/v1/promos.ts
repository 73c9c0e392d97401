import { type Static, Type } from "typebox";
import { CurrencyDivisor, Input, LanguageCode, Region, Timestamp } from "../common.ts";
import { Paged, paging } from "../paging.ts";
import { BrandItem } from "./brands.ts";

/** `promoStatus`: follows from the promotion's dates (rules#promo-status). */
const PromoStatus = Type.Enum(["active", "expired", "pending"], {
  title: "PromoStatus",
  description: "Status of a promotion by its dates",
});
export type PromoStatus = Static<typeof PromoStatus>;

const PromoDescription = Type.Object(
  {
    description: Type.String(),
    language: Type.String(),
    terms: Type.String(),
  },
  { title: "PromoDescription", description: "A promotion's text in a language" },
);
export type PromoDescription = Static<typeof PromoDescription>;

/** Promotion. Values are minor units of the promotion's currency (rules#promo-values). */
export const Promo = Type.Object(
  {
    id: Type.String(),
    brand: BrandItem,
    country: Type.String(),
    regions: Region,
    status: PromoStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    startAt: Timestamp,
    endAt: Timestamp,
    minValue: Type.Integer(),
    maxValue: Type.Integer(),
    currency: Type.String({
      pattern: "^([A-Z]{3})?$",
      description:
        "ISO 4217 code of minValue and maxValue; empty if the brand has no offers that determine it",
      examples: ["GTQ"],
    }),
    currencyDivisor: CurrencyDivisor,
    description: PromoDescription,
  },
  { title: "Promo", description: "A promotion of a brand" },
);
export type Promo = Static<typeof Promo>;

export const PromoPage = Paged(Promo);

export const PromoQuery = Input({
  ...paging,
  brand: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Code of a brand",
      examples: ["TIGO"],
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Z]{2}(,[A-Z]{2})*$",
      maxLength: 1024,
      description: "ISO 3166-1 country codes of two capital letters, separated by commas",
      examples: ["GT,SV"],
    }),
  ),
  language: Type.Optional(LanguageCode),
  region: Type.Optional(Region),
  status: Type.Optional(PromoStatus),
});
export type PromoQuery = Static<typeof PromoQuery>;

export const PromoParams = Input({
  promoId: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "Id of the promotion",
    examples: ["PROMO_ID"],
  }),
});
