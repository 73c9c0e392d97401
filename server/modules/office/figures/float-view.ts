import type { FirstPage } from "../../../contract/pos/figures.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { FigureReader } from "./figure-reader.ts";
import type { FigureScope } from "./figure-sums-store.ts";
import { type FloatForecast, forecastFloat } from "./float-forecast.ts";

/** The float as the first page shows it. */
export async function readFloat(
  db: Db,
  scope: FigureScope,
  now: number,
): Promise<FirstPage["float"]> {
  const { currency, currencyDivisor, available, held, salesLeft, emptyAt } = await forecastFloat(
    db,
    scope,
    now,
  );
  return {
    currency,
    currencyDivisor,
    available,
    held,
    ...(salesLeft !== undefined && { salesLeft }),
    ...(emptyAt !== undefined && { lastsUntil: toTimestamp(emptyAt) }),
  };
}

/** How far the wallet goes, for those who look after it. */
export class FloatService {
  readonly #reader: FigureReader;

  constructor(reader: FigureReader) {
    this.#reader = reader;
  }

  /** @throws Problem NOT_SET_UP */
  async forecast(reader: Scope): Promise<FloatForecast> {
    const { scope, now } = await this.#reader.ask(reader);
    const span = { from: now - 29 * DAY, until: now };
    return this.#reader.read(scope, span, (db) => forecastFloat(db, scope, now));
  }
}
