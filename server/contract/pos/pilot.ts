import { type Static, Type } from "typebox";
import { Input, MinorAmount } from "../common.ts";

/** Live is tried out: one till sells, within caps in minor units of the shop's currency. */
export const PilotState = Type.Object({
  mostPerSale: MinorAmount,
  mostPerDay: MinorAmount,
  goodSales: Type.Integer(),
  needed: Type.Integer({ description: "Good sales after which it is over" }),
  isHere: Type.Boolean({ description: "The till that asks may sell" }),
  till: Type.String({ description: "The name of the till that sells; empty while it has none" }),
  chosenBy: Type.String({ description: "Who was at that till when it was chosen; may be empty" }),
});
export type PilotState = Static<typeof PilotState>;

const Cap = Type.Integer({ minimum: 1, maximum: 999_999_999_999 });

/** What the first live sales may come to; minor units of the shop's currency. */
export const PilotCapsInput = Input({ mostPerSale: Cap, mostPerDay: Cap });
