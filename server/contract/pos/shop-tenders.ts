import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { TENDER_KINDS, TenderId, TenderKind } from "./tenders.ts";

export const MOST_TENDERS = 20;
export const LONGEST_TENDER_NAME = 40;

/**
 * A way of paying as the shop calls it. The first of each kind is there from the start, with the kind as
 * its id, and has the program's word for a name until the owner gives it another.
 */
const facts = {
  name: Type.Optional(Name(LONGEST_TENDER_NAME)),
  kind: TenderKind,
  opensDrawer: Type.Boolean({ description: "Taking it, or handing it back, opens the drawer" }),
  offered: Type.Boolean({ description: "At the counter; one that is not stays in the records" }),
};
export const ShopTender = Type.Object({ tenderId: TenderId, ...facts });
export type ShopTender = Static<typeof ShopTender>;

/** One to save; without an id it is a new one. */
export const ShopTenderInput = Input({ tenderId: Type.Optional(TenderId), ...facts });
export type ShopTenderInput = Static<typeof ShopTenderInput>;

const Revision = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: "how often the tenders were changed",
});

/** As they are kept with the account; no list at all is that of a new shop. */
export const StoredTenders = Type.Object({ revision: Revision, list: Type.Array(ShopTender) });
export type StoredTenders = Static<typeof StoredTenders>;

/** `GET /pos/tenders` (owner), in the order in which the counter shows them. */
export const ShopTenders = Type.Object({
  revision: Revision,
  list: Type.Array(
    Type.Object({
      ...ShopTender.properties,
      used: Type.Boolean({ description: "Something was sold by it: its kind stays, and it too" }),
    }),
  ),
});
export type ShopTenders = Static<typeof ShopTenders>;

/**
 * `PUT /pos/tenders` (owner): all of them, made from that revision. Those with the ids CASH, CARD and
 * OTHER and those that were used stay in the list, and keep their kind; cash is always offered.
 */
export const ShopTendersInput = Input({
  base: Revision,
  list: Type.Array(ShopTenderInput, { minItems: 1, maxItems: MOST_TENDERS }),
});
export type ShopTendersInput = Static<typeof ShopTendersInput>;

/** Those of a new shop. */
export const FIRST_TENDERS: readonly ShopTender[] = TENDER_KINDS.map((kind) => ({
  tenderId: kind,
  kind,
  opensDrawer: kind === "CASH",
  offered: true,
}));

/** The ways of paying that the shop names. */
export const shopTenderOperations = {
  list: defineOperation({
    method: "GET",
    path: "/tenders",
    answer: ShopTenders,
    access: "owner",
    refusals: [],
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
