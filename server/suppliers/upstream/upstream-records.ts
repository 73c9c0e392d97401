import { Type } from "typebox";

/** The wallet there. */
export const UpstreamBalance = Type.Object({
  availableBalance: Type.Integer({
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  currency: Type.String({ pattern: "^[A-Z]{3}$" }),
});
