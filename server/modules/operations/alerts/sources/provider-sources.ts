import { sql } from "kysely";
import type { Environment } from "../../../../contract/common.ts";
import type { Scope } from "../../../../db/changes.ts";
import type { Db } from "../../../../db/database.ts";
import { indexedBy } from "../../../../db/engine-words.ts";
import { inScope } from "../../../../db/scope-filters.ts";
import { DAY, MINUTE, toTimestamp } from "../../../../lib/clock.ts";
import { listNeededDeviations } from "../../../../providers/deviation-store.ts";
import { FIRST_PROVIDER } from "../../../../providers/supply.ts";
import { type CatalogService, listSellers } from "../../../catalog/catalog/index.ts";
import { providerNames } from "../../../providers/upstream/index.ts";
import { listPausedBrands } from "../../../purchases/purchases/index.ts";
import { findSalesByTransaction } from "../../../selling/sales/index.ts";
import type { AlertSource, Finding, Watch } from "../alert-source.ts";

/** Time from the last response that lacks a field to the end of the alert. */
const ANSWER_ALERT_MS = 7 * DAY;
/** A brand is slow if a purchase waits for a response for longer than this. */
const SLOW_AFTER_MS = 2 * MINUTE;

interface ProviderSourcesDeps {
  db: Db;
  catalog: CatalogService;
}

/** Finds brands that were paused automatically, not by a person. */
export function createPauseSource({
  db,
  catalog,
}: ProviderSourcesDeps): AlertSource<"BRAND_PAUSED"> {
  return {
    kind: "BRAND_PAUSED",
    find: (watch) =>
      ofEach(watch, async (environment) => {
        const scope = { accountId: watch.accountId, environment };
        const paused = (await listPausedBrands(db, scope)).filter((brand) => !brand.pausedByHand);
        if (paused.length === 0) return [];
        const { brands } = await catalog.getSnapshot(scope);
        const names = await providerNames(db, scope);
        const found: Finding<"BRAND_PAUSED">[] = [];
        for (const { brand, pausedSince } of paused) {
          const brandName = brands.get(brand)?.brandName ?? brand;
          const name = withProviders(brandName, await listSellers(db, scope, brand), names);
          found.push({
            environment,
            subject: brand,
            cause: "BRAND_PAUSED",
            level: "SOON",
            mark: String(pausedSince),
            facts: { name, since: toTimestamp(pausedSince) },
          });
        }
        return found;
      }),
  };
}

export function createSlowSource({
  db,
}: Pick<ProviderSourcesDeps, "db">): AlertSource<"PROVIDER_SLOW"> {
  return {
    kind: "PROVIDER_SLOW",
    find: (watch) => ofEach(watch, (environment) => findSlow(db, watch, environment)),
  };
}

interface SlowBrand {
  brand: string;
  provider: string;
  name: string;
  waiting: number;
  oldest: number;
}

async function findSlow(
  db: Db,
  { accountId, now }: Watch,
  environment: Environment,
): Promise<Finding<"PROVIDER_SLOW">[]> {
  const { rows } = await sql<SlowBrand>`
    select p.brand, coalesce(p.provider_id, 'first') as provider, max(p.brand_name) as name, count(*) as waiting, min(t.created_at) as oldest
    from transactions t ${indexedBy("transactions_unfinished")}
    join purchases p on p.account_id = t.account_id and p.environment = t.environment
      and p.transaction_id = t.transaction_id
    left join brand_states b on b.account_id = t.account_id and b.environment = t.environment
      and b.brand = p.brand and b.paused_since is not null
      and (b.pause_reason = 'manual' or b.provider_id = coalesce(p.provider_id, 'first'))
    where t.account_id = ${accountId} and t.environment = ${environment} and t.finished_at is null
      and t.training = 0 and t.created_at < ${now - SLOW_AFTER_MS} and b.brand is null
    group by 1, 2
    order by 1, 2`.execute(db);
  const names = await providerNames(db, { accountId, environment });
  return rows.map(({ brand, provider, name, waiting, oldest }) => ({
    environment,
    subject: provider === FIRST_PROVIDER ? brand : `${brand} ${provider}`,
    cause: "PROVIDER_SLOW",
    level: "SOON",
    mark: brand,
    facts: {
      name: withProviders(name, [provider], names),
      count: waiting,
      since: toTimestamp(oldest),
    },
  }));
}

/** Adds the names of providers to that of a brand, in a shop with several providers. */
function withProviders(
  brandName: string,
  providerIds: readonly string[],
  names: ReadonlyMap<string, string>,
): string {
  const known = providerIds.flatMap((id) => names.get(id) ?? []);
  return names.size > 1 && known.length > 0 ? `${brandName} (${known.join(", ")})` : brandName;
}

/**
 * Finds fields that recent responses lack, although the customer or the outcome depends on them.
 * Each field and kind of deviation has its own alert, which names the latest sale.
 */
export function createAnswerSource({
  db,
}: Pick<ProviderSourcesDeps, "db">): AlertSource<"PROVIDER_ANSWERS"> {
  return {
    kind: "PROVIDER_ANSWERS",
    find: (watch) =>
      ofEach(watch, async (environment) => {
        const scope = { accountId: watch.accountId, environment };
        const recent = await listNeededDeviations(db, scope, watch.now - ANSWER_ALERT_MS);
        const references = recent.map(({ lastReference }) => lastReference);
        const sales = await findSalesByTransaction(db, { ...scope, training: false }, references);
        const names = await providerNames(db, scope);
        const sellers = names.size > 1 ? await findSellers(db, scope, references) : new Map();
        return recent.map(
          ({ provider, operation, field, kind, count, firstAt, lastReference }) => ({
            environment,
            subject: `${operation} ${provider} ${field} ${kind}`,
            cause: "ANSWER_UNREADABLE",
            level: "SOON",
            mark: lastReference,
            facts: {
              name: withProviders(provider, [sellers.get(lastReference) ?? ""], names),
              field,
              count,
              since: toTimestamp(firstAt),
              sale: String(sales.get(lastReference)?.saleNumber ?? lastReference),
            },
          }),
        );
      }),
  };
}

/** Returns the providers of purchases, by transaction id. */
async function findSellers(
  db: Db,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<Map<string, string>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("purchases")
    .select(["transaction_id", "provider_id"])
    .where(inScope(scope))
    .where("transaction_id", "in", transactionIds)
    .execute();
  return new Map(rows.map((row) => [row.transaction_id, row.provider_id ?? FIRST_PROVIDER]));
}

async function ofEach<Found>(
  { watched }: Watch,
  find: (environment: Environment) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const environment of watched) found.push(...(await find(environment)));
  return found;
}
