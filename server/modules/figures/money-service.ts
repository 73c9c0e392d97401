import type { FigureMoney } from "../../contract/pos/figures.ts";
import type { ShiftTax } from "../../contract/pos/taxes.ts";
import type { Scope } from "../../db/changes.ts";
import { addedToSafe, type CashFlow, sumCashFlow } from "../shifts/index.ts";
import { toFigures } from "./figure-definitions.ts";
import { readPeriod, viewPeriod } from "./figure-period.ts";
import { type FigureReader, headingOf } from "./figure-reader.ts";
import type { Days } from "./figure-service.ts";
import { NO_SUMS, sumSpans } from "./figure-sums-store.ts";
import { readFxResult } from "./fx-result-store.ts";
import { sumTaxRates } from "./tax-rates-store.ts";
import { readTenderFigures } from "./tender-figures.ts";
import { readTieOut } from "./tie-out-store.ts";

/** Where the money is: from what was sold to the drawers, and from the cost to the ledger. */
export class MoneyService {
  readonly #reader: FigureReader;

  constructor(reader: FigureReader) {
    this.#reader = reader;
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the day */
  async view(reader: Scope, query: Days): Promise<FigureMoney> {
    const asked = await this.#reader.ask(reader);
    const { scope, shop, now } = asked;
    const period = readPeriod(query, shop);
    return this.#reader.read(scope, period, async (db) => {
      const [sums = NO_SUMS] = await sumSpans(db, scope, [period]);
      const flow = await sumCashFlow(db, scope, period);
      const { payIns, payOuts, drops, differences, deposits } = flow;
      const cash = sums.cash - sums.cash_back;
      const taken = { cash: sums.cash, card: sums.card, other: sums.other };
      const refunded = { cash: sums.cash_back, card: sums.card_back, other: sums.other_back };
      const { tenders } = shop;
      const fxResult = await readFxResult(db, scope, period);
      return {
        ...headingOf(asked),
        period: viewPeriod(period, now),
        figures: toFigures(sums),
        taken,
        refunded,
        byTender: await readTenderFigures(db, scope, period, { tenders, taken, refunded }),
        drawers: {
          payIns,
          payOuts,
          drops,
          differences,
          deposits,
          safe: addedToSafe(flow),
          cash: cash + payIns - payOuts + differences - deposits,
        },
        ...(fxResult !== undefined && { fxResult }),
        tieOut: await readTieOut(db, scope, period, sums),
      };
    });
  }

  /** The tax of days by kind and rate: all of it is the tax of their figures (rules#figure-tax-rates). */
  async listTaxes(reader: Scope, query: Days): Promise<ShiftTax[]> {
    const { scope, shop } = await this.#reader.ask(reader);
    const period = readPeriod(query, shop);
    return this.#reader.read(scope, period, (db) => sumTaxRates(db, scope, period));
  }

  /** The cash flow of days. */
  async readCashFlow(reader: Scope, query: Days): Promise<CashFlow> {
    const { scope, shop } = await this.#reader.ask(reader);
    const period = readPeriod(query, shop);
    return this.#reader.read(scope, period, (db) => sumCashFlow(db, scope, period));
  }
}
