import { type Static, Type } from "typebox";
import { Environment, Input, MinorAmount, PLAIN_TEXT, Timestamp } from "../common.ts";
import { Paged, paging } from "../paging.ts";
import { PurchaseValue } from "../v1/purchase-record.ts";
import { Family } from "./families.ts";
import { defineOperation } from "./operation.ts";
import { PriceChannel, PriceList, StoredPriceList, StoredPriceRule } from "./prices.ts";
import { PosSearchIndex } from "./search-index.ts";
import { Rate } from "./setup.ts";

const VersionInPath = Type.String({ pattern: "^[0-9]{1,9}$", description: "a version" });

const PriceParams = Input({ environment: Environment });

const Version = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: "a version of the price list; 0 is before the first",
});

const PriceVersionParams = Input({ environment: Environment, version: VersionInPath });

const PriceVersionsQuery = Input(paging);

const Note = Type.String({ maxLength: 200, ...PLAIN_TEXT });

const PriceVersion = Type.Object({
  version: Version,
  startsAt: Timestamp,
  savedAt: Timestamp,
  staff: Type.Optional(Type.Object({ staffId: Type.String(), name: Type.String() })),
  note: Note,
  rules: Type.Integer(),
});
export type PriceVersion = Static<typeof PriceVersion>;
export const PriceVersions = Paged(PriceVersion);
export type PriceVersions = Static<typeof PriceVersions>;

const PriceVersionContent = Type.Object({ version: Version, list: StoredPriceList });

/** Price list of an environment: the newest version, and the version in force. */
export const PriceListState = Type.Object({
  environment: Environment,
  currency: Type.String(),
  currencyDivisor: Type.Integer(),
  /** Version on which the next version must be based. */
  newest: Version,
  list: StoredPriceList,
  inForce: Version,
  /** Versions that are not in force yet, and when each takes effect. */
  planned: Type.Array(Type.Object({ version: Version, startsAt: Timestamp })),
  /** Time of the next price change by a version or rule. */
  until: Type.Optional(Timestamp),
  /** Losses on sales under rules that allow a loss, in minor units. */
  losses: Type.Array(Type.Object({ ruleId: Type.String(), lost: MinorAmount })),
});
export type PriceListState = Static<typeof PriceListState>;

const startsAt = Type.Optional(Timestamp);

export const PriceListInput = Input({
  list: PriceList,
  /** Version on which the change is based. The change is refused if a newer version exists. */
  base: Version,
  startsAt,
  note: Type.Optional(Note),
});
export type PriceListInput = Static<typeof PriceListInput>;

/** Restores the previous version, or the version `to`. */
export const PriceUndoInput = Input({ base: Version, to: Type.Optional(Version) });
export type PriceUndoInput = Static<typeof PriceUndoInput>;

export const PricePreviewInput = Input({
  list: PriceList,
  startsAt,
  /** Exchange rate of the preview; default: the current rate. */
  rate: Type.Optional(Rate),
  channel: Type.Optional(PriceChannel),
});
export type PricePreviewInput = Static<typeof PricePreviewInput>;

const BlockReason = Type.Enum(["UNDER_FLOOR", "NO_GRID_PRICE", "TOO_LARGE"]);

/** Price of an offer before and after a change. A RANGE offer is priced at its minimum. */
export const PriceChange = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  title: Type.String(),
  old: Type.Optional(MinorAmount),
  new: Type.Optional(MinorAmount),
  marginPercent: Type.Optional(Type.Number()),
  blocked: Type.Optional(BlockReason),
});
export type PriceChange = Static<typeof PriceChange>;

/** A RANGE offer with its lowest and highest price, with and without the floor. */
const ShortenedOffer = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  title: Type.String(),
  min: MinorAmount,
  max: MinorAmount,
  fullMin: MinorAmount,
  fullMax: MinorAmount,
});
export type ShortenedOffer = Static<typeof ShortenedOffer>;

export const PricePreview = Type.Object({
  at: Timestamp,
  currency: Type.String(),
  currencyDivisor: Type.Integer(),
  offers: Type.Integer(),
  changed: Type.Integer(),
  dearer: Type.Integer(),
  cheaper: Type.Integer(),
  blocked: Type.Integer(),
  soldAgain: Type.Integer({ description: "Offers that are blocked now and would not be" }),
  /** Mean margin on cost; all offers have equal weight. */
  marginPercent: Type.Object({ old: Type.Number(), new: Type.Number() }),
  largest: Type.Array(PriceChange),
  /** Offers that would not be sold; only the first ones. */
  blockedOffers: Type.Array(PriceChange),
  shortened: Type.Integer({
    description: "RANGE offers that would lose amounts at their ends, to cover their cost",
  }),
  /** Shortened offers; only the first ones. */
  shortenedOffers: Type.Array(ShortenedOffer),
});
export type PricePreview = Static<typeof PricePreview>;

/** Offers that are not sold because no price reaches their floor; only the first ones. */
export const BlockedOffers = Type.Object({
  total: Type.Integer(),
  currency: Type.String(),
  currencyDivisor: Type.Integer(),
  list: Type.Array(
    Type.Object({
      offerId: Type.String(),
      brandName: Type.String(),
      title: Type.String(),
      blocked: BlockReason,
      rule: Type.Optional(StoredPriceRule),
      least: Type.Optional(Type.Integer({ description: "Minimum for the price of a SET rule" })),
      isSold: Type.Optional(
        Type.Boolean({
          description: "True if it is sold nevertheless, because the shop has no floor",
        }),
      ),
    }),
  ),
});
export type BlockedOffers = Static<typeof BlockedOffers>;

/** The price to explain. A RANGE offer is priced at `value`, or without `value` at its minimum. */
export const PriceQuestion = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  value: Type.Optional(PurchaseValue),
  channel: Type.Optional(PriceChannel),
});
export type PriceQuestion = Static<typeof PriceQuestion>;

const RateSource = Type.Enum(["OWNER", "REFERENCE"]);

/** Steps of a price computation, in order (rules#price-computation). */
const PRICE_STEPS = [
  "COST",
  "FACE_VALUE",
  "BASIS",
  "RULE",
  "PROFIT",
  "TAX",
  "GRID",
  "FLOOR",
  "PRICE",
] as const;
export type PriceStepName = (typeof PRICE_STEPS)[number];

/** Explanation of an offer's price: the rule, and the amount after each step. */
export const PriceReason = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  title: Type.String(),
  country: Type.String({ description: "Empty for a regional eSIM" }),
  productType: Family,
  /** Lowest and highest price of a RANGE offer, without the fee. */
  range: Type.Optional(
    Type.Object({
      min: MinorAmount,
      max: MinorAmount,
      increment: Type.Integer(),
      fee: MinorAmount,
    }),
  ),
  at: Timestamp,
  version: Version,
  currency: Type.String(),
  currencyDivisor: Type.Integer(),
  price: Type.Optional(MinorAmount),
  blocked: Type.Optional(BlockReason),
  rule: Type.Optional(StoredPriceRule),
  cost: Type.Object({
    amount: MinorAmount,
    currency: Type.String(),
    currencyDivisor: Type.Integer(),
  }),
  rate: Type.Object({ rate: Type.String(), setAt: Timestamp, source: RateSource }),
  faceValue: Type.Optional(
    Type.Boolean({ description: "True if the price is the face value of a domestic top-up" }),
  ),
  /** Exact amounts in minor units of the shop's currency, in computation order. */
  steps: Type.Array(Type.Object({ step: Type.Enum(PRICE_STEPS), amount: Type.String() })),
  marginPercent: Type.Number(),
  until: Type.Optional(Timestamp),
});
export type PriceReason = Static<typeof PriceReason>;

export const PriceRate = Type.Object({
  currency: Type.String(),
  walletCurrency: Type.String(),
  rate: Type.String(),
  setAt: Timestamp,
  source: RateSource,
  reference: Type.Optional(Type.Object({ rate: Type.String(), date: Type.String() })),
  driftPercent: Type.Number(),
  alertPercent: Type.Number(),
  isAlert: Type.Boolean(),
  /**
   * Number of offers whose margin on cost is below `belowPercent`, at the shop's exchange rate and
   * at the reference rate.
   */
  margins: Type.Array(
    Type.Object({
      belowPercent: Type.Number(),
      offers: Type.Integer(),
      atReference: Type.Integer(),
    }),
  ),
});
export type PriceRate = Static<typeof PriceRate>;

/** Maximum body size in bytes, enough for a list with the maximum number of rules. */
const LIST_BYTES = 2 * 1024 * 1024;

export const priceOperations = {
  get: defineOperation({
    method: "GET",
    path: "/prices/:environment",
    params: PriceParams,
    answer: PriceListState,
    access: "staff",
    right: "changePrices",
  }),
  /** Offers of an environment that the owner can choose as targets of a rule. */
  listOffers: defineOperation({
    method: "GET",
    path: "/prices/:environment/offers",
    params: PriceParams,
    answer: PosSearchIndex,
    access: "staff",
    right: "changePrices",
  }),
  listVersions: defineOperation({
    method: "GET",
    path: "/prices/:environment/versions",
    params: PriceParams,
    query: PriceVersionsQuery,
    answer: PriceVersions,
    access: "staff",
    right: "changePrices",
  }),
  getVersion: defineOperation({
    method: "GET",
    path: "/prices/:environment/versions/:version",
    params: PriceVersionParams,
    answer: PriceVersionContent,
    access: "staff",
    right: "changePrices",
    refusals: ["NOT_FOUND"],
  }),
  preview: defineOperation({
    method: "POST",
    path: "/prices/:environment/preview",
    params: PriceParams,
    body: PricePreviewInput,
    answer: PricePreview,
    access: "staff",
    right: "changePrices",
    bodyLimitBytes: LIST_BYTES,
  }),
  save: defineOperation({
    method: "PUT",
    path: "/prices/:environment",
    params: PriceParams,
    body: PriceListInput,
    answer: PriceListState,
    access: "staff",
    right: "changePrices",
    refusals: ["PRICE_LIST_CHANGED"],
    bodyLimitBytes: LIST_BYTES,
  }),
  undo: defineOperation({
    method: "POST",
    path: "/prices/:environment/undo",
    params: PriceParams,
    body: PriceUndoInput,
    answer: PriceListState,
    access: "staff",
    right: "changePrices",
    refusals: ["PRICE_LIST_CHANGED", "NOT_FOUND"],
  }),
  /** Offers without a sufficient price, which are not sold, and the price that each needs. */
  listBlocked: defineOperation({
    method: "GET",
    path: "/prices/:environment/blocked",
    params: PriceParams,
    answer: BlockedOffers,
    access: "staff",
    right: "changePrices",
  }),
  /** Requires the permission to see figures, because the steps reveal the offer's cost. */
  explain: defineOperation({
    method: "POST",
    path: "/prices/:environment/reasons",
    params: PriceParams,
    body: PriceQuestion,
    answer: PriceReason,
    access: "staff",
    right: "seeFigures",
    refusals: ["OFFER_NOT_FOUND", "VALUE_NOT_ALLOWED", "VALUE_OUT_OF_RANGE"],
  }),
  getRate: defineOperation({
    method: "GET",
    path: "/prices/:environment/rate",
    params: PriceParams,
    answer: PriceRate,
    access: "staff",
    right: "changePrices",
  }),
};
