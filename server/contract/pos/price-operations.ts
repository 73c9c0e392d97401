import { defineOperation } from "./operation.ts";
import {
  BlockedOffers,
  PriceListInput,
  PriceListState,
  PriceParams,
  PricePreview,
  PricePreviewInput,
  PriceQuestion,
  PriceRate,
  PriceReason,
  PriceUndoInput,
  PriceVersionContent,
  PriceVersionParams,
  PriceVersions,
  PriceVersionsQuery,
} from "./price-lists.ts";
import { PosSearchIndex } from "./search-index.ts";

/** A list of the most rules that there may be. */
const LIST_BYTES = 2 * 1024 * 1024;

/** How prices are made, by the owner and whom the owner lets. */
export const priceOperations = {
  get: defineOperation({
    method: "GET",
    path: "/prices/:environment",
    params: PriceParams,
    answer: PriceListState,
    access: "staff",
    right: "changePrices",
    refusals: [],
  }),
  /** What an environment sells, where the owner picks what a rule is for. */
  listOffers: defineOperation({
    method: "GET",
    path: "/prices/:environment/offers",
    params: PriceParams,
    answer: PosSearchIndex,
    access: "staff",
    right: "changePrices",
    refusals: [],
  }),
  listVersions: defineOperation({
    method: "GET",
    path: "/prices/:environment/versions",
    params: PriceParams,
    query: PriceVersionsQuery,
    answer: PriceVersions,
    access: "staff",
    right: "changePrices",
    refusals: [],
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
  /** Saves nothing. */
  preview: defineOperation({
    method: "POST",
    path: "/prices/:environment/preview",
    params: PriceParams,
    body: PricePreviewInput,
    answer: PricePreview,
    access: "staff",
    right: "changePrices",
    refusals: [],
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
  /** What is not sold for want of a price, and what it could be raised to. */
  listBlocked: defineOperation({
    method: "GET",
    path: "/prices/:environment/blocked",
    params: PriceParams,
    answer: BlockedOffers,
    access: "staff",
    right: "changePrices",
    refusals: [],
  }),
  /** For people who may see the shop's figures: it says what an offer costs. */
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
    refusals: [],
  }),
};
