import { defineStream, NOTHING } from "./operation.ts";
import { SaleNews } from "./sales.ts";

export const eventOperations = {
  follow: defineStream({
    method: "GET",
    path: "/events",
    events: {
      sale: SaleNews,
      again: NOTHING,
      wallet: NOTHING,
      shop: NOTHING,
      alerts: NOTHING,
      "signed-out": NOTHING,
    },
    access: "staff",
    refusals: ["RATE_LIMITED", "NOT_FOUND"],
  }),
};
