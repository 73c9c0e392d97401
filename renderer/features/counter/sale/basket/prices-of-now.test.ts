import { expect, test } from "vitest";
import { pricesOfNow } from "./use-sale.ts";

const LINES = [{ transactionId: "first" }, { transactionId: "second" }, { transactionId: "third" }];

test("pricesOfNow assigns each new price to its own line", () => {
  const fields = {
    "lines.1.price": "is 2720 now",
    "lines.1.priceNow": "2720",
    "lines.2.priceNow": "900",
    price: "2720",
  };
  const prices = pricesOfNow({ errorCode: "PRICE_CHANGED", fields }, LINES);
  expect(prices).toEqual({ second: 2_720, third: 900 });
});

test("pricesOfNow returns undefined for a refusal without new prices", () => {
  expect(pricesOfNow({ errorCode: "WALLET_SHORT", fields: {} }, LINES)).toBeUndefined();
});
