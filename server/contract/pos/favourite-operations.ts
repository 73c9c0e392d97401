import { PosPhone } from "./counter.ts";
import {
  CarrierInput,
  Erased,
  ErasureInput,
  FavouriteInput,
  Favourites,
  NumberParams,
} from "./favourites.ts";
import { defineOperation } from "./operation.ts";

/** What the shop knows of its customers' numbers. */
export const favouriteOperations = {
  list: defineOperation({
    method: "GET",
    path: "/favourites",
    answer: Favourites,
    access: "seller",
    refusals: [],
  }),
  save: defineOperation({
    method: "PUT",
    path: "/favourites/:number",
    params: NumberParams,
    body: FavouriteInput,
    answer: Favourites,
    access: "seller",
    refusals: [],
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/favourites/:number",
    params: NumberParams,
    answer: Favourites,
    access: "seller",
    refusals: [],
  }),
  rememberCarrier: defineOperation({
    method: "PUT",
    path: "/phone/:number/carrier",
    params: NumberParams,
    body: CarrierInput,
    answer: PosPhone,
    access: "seller",
    refusals: [],
  }),
  /** Nothing of it comes back. */
  erase: defineOperation({
    method: "POST",
    path: "/customers/erasures",
    body: ErasureInput,
    answer: Erased,
    access: "owner",
    asksPin: "always",
    refusals: [],
  }),
};
