import fc from "fast-check";
import { expect, test } from "vitest";
import type { ShiftFigures } from "../../../server/contract/pos/shifts.ts";
import type { Translate } from "../../lib/i18n.ts";
import { expectedRows, figureSections } from "./shift-sections.ts";

const none = { count: 0, value: 0 };
const noLines = { delivered: none, notDelivered: none, unfinished: none, walletSpent: 0 };
const amount = fc.integer({ min: 1, max: 1_000_000 });
const tally = fc.oneof(
  fc.constant(none),
  fc.record({ count: fc.integer({ min: 1, max: 50 }), value: amount }),
);

/** Returns keys, by which the tests find each row. */
const t = ((key: string) => key) as Translate;
const format = {
  t,
  money: String,
  wallet: String,
  number: String,
  taxRate: String,
};

test("the rows of the drawer in a report add up to the expected cash", () => {
  const moved = fc.record({ payIns: tally, payOuts: tally, drops: tally });
  const given = fc.record({ cash: tally, card: tally });
  fc.assert(
    fc.property(amount, amount, moved, given, (float, taken, movements, { cash, card }) => {
      const figures: ShiftFigures = {
        ...noLines,
        ...movements,
        sales: none,
        walletCurrency: "USD",
        walletCurrencyDivisor: 100,
        discounts: none,
        taxes: [],
        tenders: [],
        cashRounding: 0,
        cashTendered: taken + 500,
        changeGiven: 500,
        families: [],
        customerRefunds: [
          { kind: "CASH", ...cash },
          { kind: "CARD", ...card },
        ],
        noSales: 3,
        carriedOver: noLines,
      };
      const { payIns, payOuts, drops } = movements;
      const out = payOuts.value + drops.value + cash.value;
      const expected = float + taken + payIns.value - out;
      const drawer = figureSections(figures, float, format, expectedRows(expected, format)).find(
        ({ title }) => title === "shift.figures.drawer",
      );
      const amounts = drawer?.rows.filter(({ key }) => key !== "noSales") ?? [];
      const sum = amounts.slice(0, -1).reduce((total, { value }) => total + Number(value), 0);
      expect(sum).toBe(Number(amounts.at(-1)?.value));
    }),
  );
});
