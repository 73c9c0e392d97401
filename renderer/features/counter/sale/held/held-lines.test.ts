import fc from "fast-check";
import { expect, it } from "vitest";
import { topup } from "../../testing/fixtures.ts";
import { type AttemptLine, type LineItem, totalOf } from "../attempt/line-item.ts";
import { saleReducer } from "../basket/sale-machine.ts";
import { NO_SALE } from "../basket/sale-state.ts";
import { heldLine, resumedLine } from "./held-lines.ts";

it("a held line keeps its discount, even when its price is queried again", () => {
  const { send: _, ...unpriced } = topup;
  const item = fc.constantFrom(topup, unpriced as typeof topup);
  fc.assert(
    fc.property(item, fc.integer({ min: 1, max: topup.price }), (sold, discount) => {
      const line: AttemptLine = { transactionId: "before", item: sold, discount };
      const resumed = resumedLine(heldLine(line), "after");
      expect(resumed.discount).toBe(discount);
      const attempt = {
        saleId: "s",
        environment: "test" as const,
        staffId: "ana",
        openedAt: 1,
        lines: [resumed],
      };
      const open = saleReducer(NO_SALE, { type: "resumed", attempt });
      const amounts = { send: 5000, sendCurrency: "GTQ", sendCurrencyDivisor: 100 };
      const checks = new Map([["after", { price: topup.price, ...amounts, promos: [] }]]);
      const checked = saleReducer(open, { type: "checked", checks });
      expect(totalOf(checked.attempt?.lines ?? [])).toBe(topup.price - discount);
    }),
  );
});

it("a held bill and a held eSIM keep the details that the confirm step shows", () => {
  const { number: _number, formatted: _formatted, ...head } = topup;
  const bill: LineItem = {
    ...head,
    productType: "BILL_PAY",
    fields: [{ key: "accountNumber", label: "NIS", value: "00123456", shown: "0012 3456" }],
    service: "Electricity",
    due: 15_700,
    priceFee: 383,
  };
  const esim: LineItem = {
    ...head,
    productType: "ESIM",
    country: "",
    place: "Caribbean",
    area: { regions: ["Caribbean"], countries: ["DO", "JM"] },
  };
  for (const item of [bill, esim]) {
    const held = heldLine({ transactionId: "before", item });
    expect(resumedLine(JSON.parse(JSON.stringify(held)), "after").item).toEqual(item);
  }
});
