import { type Static, Type } from "typebox";
import { Family } from "./families.ts";

/** Something the shop sells often, lately, or at this time of the day. */
const UsualChoice = Type.Object({
  productType: Family,
  brand: Type.String(),
  country: Type.String({ description: "ISO 3166-1 alpha-2, empty for a regional eSIM" }),
  offerId: Type.String(),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "How usual it is beside the most usual one, which has 1",
  }),
});
export type UsualChoice = Static<typeof UsualChoice>;

/** `GET /pos/usual-choices`: what this shop sells at this hour, the most usual first. */
export const UsualChoices = Type.Object({ list: Type.Array(UsualChoice) });
export type UsualChoices = Static<typeof UsualChoices>;
