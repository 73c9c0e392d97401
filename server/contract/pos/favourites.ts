import { type Static, Type } from "typebox";
import { Input, PhoneNumber, Timestamp } from "../common.ts";
import { Name } from "./name.ts";

export const NumberParams = Input({ number: PhoneNumber });

/** `PUT /pos/favourites/{number}`: keeps a customer's number under a name. */
export const FavouriteInput = Input({ name: Name(40) });
export type FavouriteInput = Static<typeof FavouriteInput>;

export const Favourite = Type.Object({
  number: Type.String(),
  formatted: Type.String(),
  country: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
});
export type Favourite = Static<typeof Favourite>;

/** Answer of `GET`, `PUT` and `DELETE /pos/favourites`: all of them, by name. */
export const Favourites = Type.Object({ list: Type.Array(Favourite) });
export type Favourites = Static<typeof Favourites>;

/** `PUT /pos/phone/{number}/carrier`: the carrier that a number really has, to be remembered. */
export const CarrierInput = Input({ brand: Type.String({ minLength: 1, maxLength: 128 }) });
