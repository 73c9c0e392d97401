import { type Static, Type } from "typebox";
import { Input, PhoneNumber, Timestamp } from "../common.ts";
import { PosEarlierSale, PosPhone } from "./counter.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";

const NumberParams = Input({ number: PhoneNumber });

export const LONGEST_FAVOURITE_NAME = 40;

/** `PUT /pos/favourites/{number}`: stores a customer's number with a name. */
const FavouriteInput = Input({ name: Name(LONGEST_FAVOURITE_NAME) });
export type FavouriteInput = Static<typeof FavouriteInput>;

/** `lastSale` is the number's newest top-up that can be sold again, at its current price. */
export const Favourite = Type.Object({
  number: Type.String(),
  formatted: Type.String(),
  country: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
  lastSale: Type.Optional(PosEarlierSale),
});
export type Favourite = Static<typeof Favourite>;

/** Response of `GET`, `PUT` and `DELETE /pos/favourites`: all favourites, by name. */
export const Favourites = Type.Object({ list: Type.Array(Favourite) });
export type Favourites = Static<typeof Favourites>;

/** `PUT /pos/phone/{number}/carrier`: stores the number's actual carrier. */
const CarrierInput = Input({ brand: Type.String({ minLength: 1, maxLength: 128 }) });

/**
 * `POST /pos/customers/erasures` (owner): erases a customer's number, account or other recipient
 * from completed sales. Amounts and figures remain.
 */
const ErasureInput = Input({ number: Type.String({ minLength: 4, maxLength: 64 }) });

/** Number of sold lines from which the recipient was erased. */
const Erased = Type.Object({ lines: Type.Integer() });

export const favouriteOperations = {
  list: defineOperation({
    method: "GET",
    path: "/favourites",
    answer: Favourites,
    access: "seller",
  }),
  save: defineOperation({
    method: "PUT",
    path: "/favourites/:number",
    params: NumberParams,
    body: FavouriteInput,
    answer: Favourites,
    access: "seller",
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/favourites/:number",
    params: NumberParams,
    answer: Favourites,
    access: "seller",
  }),
  rememberCarrier: defineOperation({
    method: "PUT",
    path: "/phone/:number/carrier",
    params: NumberParams,
    body: CarrierInput,
    answer: PosPhone,
    access: "seller",
  }),
  /** An erasure cannot be undone. */
  erase: defineOperation({
    method: "POST",
    path: "/customers/erasures",
    body: ErasureInput,
    answer: Erased,
    access: "owner",
    asksPin: "always",
  }),
};
