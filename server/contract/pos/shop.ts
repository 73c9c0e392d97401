import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { LONGEST_SHOP_NAME, Name } from "./name.ts";
import { Language } from "./setup.ts";

/** `GET|PATCH /pos/shop` (owner): what the shop is called, and where it is. What is given is changed. */
export const ShopChange = Input({
  name: Type.Optional(Name(LONGEST_SHOP_NAME)),
  language: Type.Optional(Language),
  country: Type.Optional(
    Type.String({
      pattern: "^([A-Z]{2})?$",
      description: "ISO 3166-1 alpha-2; empty for where currency and time zone say",
    }),
  ),
});
export type ShopChange = Static<typeof ShopChange>;

export const ShopFacts = Type.Object({
  name: Type.String(),
  language: Language,
  country: Type.String({ description: "Where the shop is; empty where nothing says it" }),
  chosenCountry: Type.Boolean({ description: "Whether an owner chose it" }),
});
export type ShopFacts = Static<typeof ShopFacts>;
