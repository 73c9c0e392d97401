import type { PriceRate } from "../../../contract/pos/price-lists.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Clock } from "../../../lib/clock.ts";
import { Exact } from "../../../lib/money.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import type { ReferenceRates, ShopService } from "../../shop/shop/index.ts";
import { EMPTY_LIST, findList } from "./price-list-store.ts";
import type { PriceReader } from "./price-reader.ts";

export interface RateDeps {
  db: Db;
  clock: Clock;
  shop: ShopService;
  prices: Pick<PriceReader, "read">;
  rates: ReferenceRates;
}

export type RateDrift = Pick<
  PriceRate,
  "currency" | "walletCurrency" | "rate" | "reference" | "driftPercent" | "alertPercent" | "isAlert"
>;

export async function readDrift(
  { db, clock, shop, prices, rates }: RateDeps,
  scope: Scope,
): Promise<RateDrift> {
  const { currency, rate } = await shop.get(scope.accountId);
  const wallet = await getWalletUnit(db, scope.accountId);
  const { version } = await prices.read(db, scope, clock.now());
  const list = (await findList(db, scope, version)) ?? EMPTY_LIST;
  const reference = rates.base === wallet.currency ? rates.rates[currency] : undefined;
  const isKnown = currency !== wallet.currency && reference !== undefined;
  const drift = isKnown ? new Exact(reference).sub(rate).div(rate).mul(100) : new Exact(0);
  return {
    currency,
    walletCurrency: wallet.currency,
    rate,
    ...(isKnown && { reference: { rate: reference, date: rates.date } }),
    driftPercent: drift.toDecimalPlaces(2).toNumber(),
    alertPercent: Number(list.driftAlertPercent),
    isAlert: drift.abs().gt(list.driftAlertPercent),
  };
}
