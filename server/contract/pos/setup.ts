import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  currencyUnit,
  Environment,
  Input,
  MinorAmount,
} from "../common.ts";
import { LONGEST_SHOP_NAME, LONGEST_STAFF_NAME, Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { Pin } from "./pins.ts";
import { DayStart, TimeZone } from "./shop-day.ts";
import { ShopLogo } from "./shop-logo.ts";
import { ShopTender } from "./shop-tenders.ts";
import { PosSession } from "./staff.ts";
import { CashStep } from "./tenders.ts";

/**
 * A pilot of live sales: only one till sells, within caps in minor units of the shop's currency.
 */
export const PilotState = Type.Object({
  mostPerSale: MinorAmount,
  mostPerDay: MinorAmount,
  goodSales: Type.Integer(),
  needed: Type.Integer({ description: "Number of delivered sales that end the pilot" }),
  isHere: Type.Boolean({ description: "True if the requesting till may sell" }),
  till: Type.String({ description: "Name of the selling till; empty if it has none" }),
  chosenBy: Type.String({ description: "Person at that till when it was chosen; may be empty" }),
});
export type PilotState = Static<typeof PilotState>;

const Cap = Type.Integer({ minimum: 1, maximum: 999_999_999_999 });

export const PilotCapsInput = Input({ mostPerSale: Cap, mostPerDay: Cap });

export const LANGUAGES = ["en", "es", "fr", "pt", "ar"] as const;
export const Language = Type.Enum(LANGUAGES);
export type Language = Static<typeof Language>;

export type Direction = "ltr" | "rtl";

const LANGUAGE_FACTS: Record<Language, { readonly direction: Direction }> = {
  en: { direction: "ltr" },
  es: { direction: "ltr" },
  fr: { direction: "ltr" },
  pt: { direction: "ltr" },
  ar: { direction: "rtl" },
};

/**
 * Returns the direction of a language or locale, such as `ar` or `ar-EG`; `ltr`
 * for an unknown language.
 */
export function directionOf(language: string): Direction {
  const code = language.split("-", 1)[0] ?? "";
  return Object.hasOwn(LANGUAGE_FACTS, code) ? LANGUAGE_FACTS[code as Language].direction : "ltr";
}

/** `GET /pos/status`: facts that the till needs before sign-in. */
export const PosStatus = Type.Object({
  version: Type.String(),
  setUp: Type.Boolean(),
  shopName: Type.String(),
  currency: Type.String({ description: "The shop's currency, empty before set-up" }),
  currencyDivisor: CurrencyDivisor,
  language: Language,
  environment: Environment,
  idleLockMinutes: Type.Integer({
    description: "Idle time after which the till locks; 0 is never",
  }),
  timeZone: TimeZone,
  dayStartsAt: DayStart,
  cashStep: CashStep,
  tenders: Type.Optional(Type.Array(ShopTender, { description: "Tenders, for signed-in people" })),
  logo: Type.Optional(ShopLogo),
  country: Type.String({
    description: "Country of the shop, ISO 3166-1 alpha-2; empty if not set",
  }),
  pilot: Type.Optional(PilotState),
});
export type PosStatus = Static<typeof PosStatus>;

/** A positive exact decimal as text: a float could lose digits. */
export const Rate = Type.String({
  pattern: "^[0-9]{1,9}(\\.[0-9]{1,9})?$",
  description: "a decimal number such as 7.75",
  examples: ["7.75"],
});

/** `GET /pos/setup/currencies`: currencies for a new shop, each with a proposed rate. */
export const SetupCurrencies = Type.Object({
  walletCurrency: CurrencyCode,
  asOf: Type.String({ description: "Date of the reference rates, YYYY-MM-DD" }),
  list: Type.Array(
    Type.Object({
      ...currencyUnit,
      rate: Type.String({ description: "Units of it for one of the wallet's currency" }),
    }),
  ),
});
export type SetupCurrencies = Static<typeof SetupCurrencies>;

/**
 * Prices of a new shop: face values and amounts that are easy to pay in cash, or the
 * provider's suggested prices.
 */
export const STARTING_PRICES = ["FACE_VALUE", "SUGGESTED"] as const;

/**
 * `POST /pos/setup`: creates the shop and signs the owner in. The default
 * time zone is the machine's.
 */
export const SetupInput = Input({
  shopName: Name(LONGEST_SHOP_NAME),
  currency: CurrencyCode,
  rate: Type.Optional(Rate),
  timeZone: Type.Optional(TimeZone),
  language: Language,
  prices: Type.Optional(
    Type.Enum(STARTING_PRICES, {
      description:
        "FACE_VALUE, the default: domestic top-ups cost their face value, and other prices can be paid in cash. SUGGESTED: the provider's suggested prices",
    }),
  ),
  ownerName: Type.Optional(Name(LONGEST_STAFF_NAME)),
  ownerPin: Pin,
});
export type SetupInput = Static<typeof SetupInput>;

export const setupOperations = {
  getStatus: defineOperation({
    method: "GET",
    path: "/status",
    answer: PosStatus,
    access: "anyone",
  }),
  listCurrencies: defineOperation({
    method: "GET",
    path: "/setup/currencies",
    answer: SetupCurrencies,
    access: "anyone",
  }),
  /** Accepted only on the gateway's own machine. */
  setUp: defineOperation({
    method: "POST",
    path: "/setup",
    body: SetupInput,
    answer: PosSession,
    access: "anyone",
    refusals: ["FORBIDDEN", "ALREADY_SET_UP", "PIN_WEAK"],
  }),
};
