import { type Static, Type } from "typebox";
import { Input, MinorAmount } from "../common.ts";

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
