import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { TENDER_KINDS, TenderId, TenderKind } from "./tenders.ts";

export const MOST_TENDERS = 20;
export const LONGEST_TENDER_NAME = 40;

/**
 * A tender, with the shop's name for it. The first tender of each kind always exists, and its id is
 * the kind. It has a default name until the owner changes it.
 */
const facts = {
  name: Type.Optional(Name(LONGEST_TENDER_NAME)),
  kind: TenderKind,
  opensDrawer: Type.Boolean({ description: "True if payments and refunds by it open the drawer" }),
  offered: Type.Boolean({
    description: "True if the counter offers it; others remain in the records",
  }),
};
export const ShopTender = Type.Object({ tenderId: TenderId, ...facts });
export type ShopTender = Static<typeof ShopTender>;

/** A tender to save. A tender without an id is new. */
export const ShopTenderInput = Input({ tenderId: Type.Optional(TenderId), ...facts });
export type ShopTenderInput = Static<typeof ShopTenderInput>;

const Revision = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: "how often the tenders were changed",
});

/** Tenders as stored with the account. A new shop has no stored list. */
export const StoredTenders = Type.Object({ revision: Revision, list: Type.Array(ShopTender) });
export type StoredTenders = Static<typeof StoredTenders>;

/** `GET /pos/tenders` (owner): all tenders in the counter's order. */
export const ShopTenders = Type.Object({
  revision: Revision,
  list: Type.Array(
    Type.Object({
      ...ShopTender.properties,
      used: Type.Boolean({ description: "True if it was used: it and its kind cannot be changed" }),
    }),
  ),
});
export type ShopTenders = Static<typeof ShopTenders>;

/**
 * `PUT /pos/tenders` (owner): replaces the whole list, whose revision must be `base`. CASH, CARD,
 * OTHER and used tenders must remain, with their kind. Cash is always offered.
 */
export const ShopTendersInput = Input({
  base: Revision,
  list: Type.Array(ShopTenderInput, { minItems: 1, maxItems: MOST_TENDERS }),
});
export type ShopTendersInput = Static<typeof ShopTendersInput>;

export const FIRST_TENDERS: readonly ShopTender[] = TENDER_KINDS.map((kind) => ({
  tenderId: kind,
  kind,
  opensDrawer: kind === "CASH",
  offered: true,
}));

export const shopTenderOperations = {
  list: defineOperation({
    method: "GET",
    path: "/tenders",
    answer: ShopTenders,
    access: "owner",
  }),
  save: defineOperation({
    method: "PUT",
    path: "/tenders",
    body: ShopTendersInput,
    answer: ShopTenders,
    access: "owner",
    refusals: ["TENDERS_CHANGED"],
  }),
};
