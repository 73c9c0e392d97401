import { sql } from "kysely";
import type { FigureMoney } from "../../contract/pos/figures.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { toFigures } from "./figure-definitions.ts";
import { readPeriod, viewPeriod } from "./figure-period.ts";
import { type FigureReader, headingOf } from "./figure-reader.ts";
import type { Days } from "./figure-service.ts";
import { NO_SUMS, type Span, sumSpans } from "./figure-sums-store.ts";
import { readFxResult } from "./fx-result-store.ts";
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
      const moved = await sumMovements(db, scope, period);
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
          ...moved,
          cash: sums.cash - sums.cash_back + moved.payIns - moved.payOuts - moved.drops,
        },
        ...(fxResult !== undefined && { fxResult }),
        tieOut: await readTieOut(db, scope, period, sums),
      };
    });
  }
}

/** Cash put into drawers and taken out of them beside sales. */
async function sumMovements(db: Db, scope: Scope, { from, until }: Span) {
  const sumOf = (kind: string) =>
    sql<number>`coalesce(sum(amount) filter (where kind = ${kind}), 0)`;
  return db
    .selectFrom("shift_movements")
    .select([
      sumOf("PAY_IN").as("payIns"),
      sumOf("PAY_OUT").as("payOuts"),
      sumOf("DROP").as("drops"),
    ])
    .where(inScope(scope))
    .where("recorded_at", ">=", from)
    .where("recorded_at", "<", until)
    .executeTakeFirstOrThrow();
}
