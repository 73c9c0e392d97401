import { expect, test } from "vitest";
import { pricesOfNow } from "./use-payment.ts";

const LINES = [{ transactionId: "first" }, { transactionId: "second" }, { transactionId: "third" }];

test("each line gets its own new price", () => {
  const fields = {
    "lines.1.price": "is 2720 now",
    "lines.1.priceNow": "2720",
    "lines.2.priceNow": "900",
    price: "2720",
  };
  const prices = pricesOfNow({ errorCode: "PRICE_CHANGED", fields }, LINES);
  expect(prices).toEqual({ second: 2_720, third: 900 });
});

test("other refusals contain no prices", () => {
  expect(pricesOfNow({ errorCode: "WALLET_SHORT", fields: {} }, LINES)).toBeUndefined();
});
