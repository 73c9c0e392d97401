import type { CheckedForLive, GoingLiveCheck } from "../../contract/pos/till-environment.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { type Clock, DAY, HOUR, MINUTE, toTimestamp } from "../../lib/clock.ts";
import { Exact } from "../../lib/money.ts";
import { SealError } from "../../lib/sealer.ts";
import { findAudit } from "../audit-trail/index.ts";
import type { BackupService } from "../backups/index.ts";
import type { CatalogService } from "../catalog/index.ts";
import type { KeyService } from "../keys/index.ts";
import type { PriceReader } from "../prices/index.ts";
import { getSettings } from "../settings/index.ts";
import { listOpenShifts } from "../shifts/index.ts";
import type { ReferenceRates, ShopService } from "../shop/index.ts";
import type { StaffService } from "../staff/index.ts";
import type { StorageService } from "../storage/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import { getBalances } from "../wallet/index.ts";
import type { WebhookService } from "../webhooks/index.ts";
import { wordCheck } from "./check-words.ts";
import { findNotPractised } from "./practice-store.ts";
import { findBelowCost } from "./prices-below-cost.ts";

export interface CheckDeps {
  db: Db;
  clock: Clock;
  shop: ShopService;
  staff: StaffService;
  catalog: CatalogService;
  prices: Pick<PriceReader, "read">;
  upstream: UpstreamService;
  backups: BackupService;
  webhooks: WebhookService;
  keys: KeyService;
  storage: StorageService;
  rates: ReferenceRates;
  /** Bytes that the data may still take; undefined where nobody knows. */
  readFreeBytes(): Promise<number | undefined>;
}

type Figures = CheckedForLive["figures"];

const RATE_KEPT_MS = 7 * DAY;
const BACKUP_KEPT_MS = 2 * DAY;
const FARTHEST_FROM_REFERENCE = 0.05;
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const BYTES_IN_GB = 1024 ** 3;
/** An answer this recent is not queried again. */
const FRESH_MS = MINUTE;

function stopping(check: GoingLiveCheck, passed: boolean, figures: Figures = {}): CheckedForLive {
  return { check, passed, stops: true, figures, message: wordCheck(check, passed, figures) };
}

function warning(check: GoingLiveCheck, passed: boolean, figures: Figures = {}): CheckedForLive {
  return { check, passed, stops: false, figures, message: wordCheck(check, passed, figures) };
}

/**
 * Nobody's shift is open where the shop sells now: its money is counted before it sells elsewhere
 * (rules#live-no-open-shift).
 */
export async function checkShifts(
  db: Parameters<typeof listOpenShifts>[0],
  scope: Scope,
): Promise<CheckedForLive> {
  const open = await listOpenShifts(db, scope);
  const staffIds = [...new Set(open.map((shift) => shift.staff_id))];
  const rows =
    staffIds.length === 0
      ? []
      : await db
          .selectFrom("staff")
          .select("name")
          .where("account_id", "=", scope.accountId)
          .where("staff_id", "in", staffIds)
          .orderBy("name")
          .execute();
  const names = rows.map(({ name }) => name).join(", ");
  return stopping("SHIFTS_CLOSED", open.length === 0, { names });
}

/**
 * Whether the shop can sell in live: first what stops it, then what an owner should know
 * (rules#live-conditions). The gateway is queried now, unless it has answered a moment ago.
 */
export async function checkForLive(deps: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const scope = { accountId, environment: "live" } as const;
  const shop = await deps.shop.get(accountId);
  const reason = await queryGateway(deps, scope);
  const all = [
    await checkShifts(deps.db, { accountId, environment: shop.tillEnvironment }),
    ...(await checkGateway(deps, scope, reason)),
    ...(await checkCatalog(deps, scope, shop.country)),
    ...(await checkRate(deps, accountId)),
    ...(await checkWallet(deps, scope)),
    ...(await checkPeople(deps, accountId)),
    ...(await checkSafety(deps, accountId)),
    await checkQueue(deps, scope),
    ...(await checkPractice(deps, accountId)),
    warning("RECEIPT_FILLED", shop.receipt.address.length > 0 && shop.receipt.support.length > 0),
    ...(await checkIntegrators(deps, accountId)),
  ];
  return [...all.filter(({ stops }) => stops), ...all.filter(({ stops }) => !stops)];
}

/** @returns why it cannot be used now; undefined where it answered, or none is connected */
async function queryGateway(
  { upstream, clock }: CheckDeps,
  scope: Scope,
): Promise<{ message: string; refused: boolean } | undefined> {
  const { connected, stored } = await upstream.getStatus(scope);
  if (!connected) return undefined;
  const answeredAt = stored?.balance?.at;
  if (answeredAt !== undefined && Math.abs(clock.now() - answeredAt) < FRESH_MS) return undefined;
  try {
    await upstream.test(scope);
    return undefined;
  } catch (error) {
    if (error instanceof SealError) return { message: error.message, refused: true };
    if (!(error instanceof Problem)) throw error;
    return { message: error.message, refused: error.errorCode !== "SYSTEM_UNAVAILABLE" };
  }
}

async function checkGateway(
  { upstream, clock }: CheckDeps,
  scope: Scope,
  fault: { message: string; refused: boolean } | undefined,
): Promise<CheckedForLive[]> {
  const { connected, stored } = await upstream.getStatus(scope);
  if (!connected || !stored) return [stopping("GATEWAY_CONNECTED", false)];
  const url = stored.baseUrl;
  const age = stored.balance ? Math.abs(clock.now() - stored.balance.at) : Infinity;
  const answers = age <= HOUR && !fault?.refused;
  // In one's own network going live may be rehearsed; a provider's test key is taken for its live one.
  const checkKey = stored.allowPrivate ? warning : stopping;
  return [
    stopping("GATEWAY_CONNECTED", true, { url }),
    stopping("GATEWAY_ANSWERS", answers, { reason: fault?.message ?? "" }),
    checkKey("GATEWAY_KEY_LIVE", !(await upstream.hasTestKey(scope))),
    warning("GATEWAY_ENCRYPTED", url.startsWith("https:"), { url }),
  ];
}

async function checkCatalog(
  { db, clock, prices, upstream, catalog }: CheckDeps,
  scope: Scope,
  country: string,
): Promise<CheckedForLive[]> {
  const { stored } = await upstream.getStatus(scope);
  const reason = stored?.syncFailure?.message ?? "";
  if (stored?.syncedAt === undefined) return [stopping("CATALOG_SYNCED", false, { reason })];
  const { offers } = await catalog.getSnapshot(scope);
  const enabled = offers.filter((offer) => offer.enabled);
  const below = await findBelowCost(enabled, await prices.read(db, scope, clock.now()));
  const [example = ""] = below;
  const leftOut = stored.syncReport?.leftOutCount ?? 0;
  const isHere = country === "" || enabled.some((offer) => offer.country === country);
  return [
    stopping("CATALOG_SYNCED", true),
    stopping("CATALOG_HAS_OFFERS", enabled.length > 0, { offers: enabled.length }),
    stopping("PRICES_COVER_COST", below.length === 0, { offers: below.length, example }),
    warning("CATALOG_COMPLETE", leftOut === 0 && reason === "", { leftOut, reason }),
    warning("CATALOG_FOR_COUNTRY", isHere, { country }),
  ];
}

/** Whether a shop may go live with a rate of that age; the clock may have been put back since. */
export function isRateRecent(setAt: number, now: number): boolean {
  return Math.abs(now - setAt) <= RATE_KEPT_MS;
}

/** A shop that is paid in the wallet's own currency needs no rate. */
async function checkRate(
  { db, clock, shop, rates }: CheckDeps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const { currency, rate, rateSetAt } = await shop.get(accountId);
  const wallet = await getBalances(db, { accountId, environment: "live" });
  if (currency === wallet.currency) return [];
  const figures = { rate, date: toTimestamp(rateSetAt).slice(0, 10) };
  const isRecent = isRateRecent(rateSetAt, clock.now());
  const reference = rates.rates[currency];
  const checks = [stopping("RATE_RECENT", isRecent, figures)];
  if (reference === undefined || rates.base !== wallet.currency) return checks;
  const apart = new Exact(rate).div(reference).sub(1).abs();
  const known = { rate, reference, date: rates.date };
  return [...checks, warning("RATE_NEAR_REFERENCE", apart.lte(FARTHEST_FROM_REFERENCE), known)];
}

async function checkWallet({ db, upstream }: CheckDeps, scope: Scope): Promise<CheckedForLive[]> {
  const wallet = await getBalances(db, scope);
  const { balance } = await upstream.getStatus(scope);
  const { available, held, currency, currencyDivisor } = wallet;
  const unit = { currency, currencyDivisor };
  const funded = stopping("WALLET_FUNDED", available > 0, { available, ...unit });
  if (!balance) return [funded];
  const figures = { there: balance.upstream, here: available + held, ...unit };
  return [funded, warning("WALLET_MATCHES_GATEWAY", balance.difference === 0, figures)];
}

async function checkPeople({ db, staff }: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const people = (await staff.list(accountId)).filter(({ active }) => active);
  const setUp = await findAudit(db, { accountId, action: "shop.set-up", subject: accountId });
  const owner = people.find(({ staffId }) => staffId === setUp?.staffId);
  const changed =
    owner && (await findAudit(db, { accountId, action: "staff.pin", subject: owner.staffId }));
  const unlimited = people.filter(
    ({ role, limits }) => role === "clerk" && Object.keys(limits).length === 0,
  ).length;
  return [
    ...(owner ? [stopping("OWNER_PIN_CHANGED", !!changed, { name: owner.name })] : []),
    warning("LIMITS_SET", unlimited === 0, { people: unlimited }),
  ];
}

async function checkSafety(
  { db, clock, backups, storage, readFreeBytes }: CheckDeps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const { backups: kept, failure } = await backups.getState();
  const [newest] = kept;
  const free = await readFreeBytes();
  const { fault, books } = await storage.readState();
  const { time_zone } = await db
    .selectFrom("accounts")
    .select("time_zone")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const made = { at: newest ? toTimestamp(newest.takenAt) : "", reason: failure ?? "" };
  const age = newest ? Math.abs(clock.now() - newest.takenAt) : 0;
  return [
    stopping("BACKUP_MADE", newest !== undefined, made),
    ...(newest
      ? [warning("BACKUP_RECENT", age <= BACKUP_KEPT_MS && failure === undefined, made)]
      : []),
    stopping("BOOKS_SOUND", fault === undefined && books !== "not in order", {
      reason: fault ?? "",
    }),
    ...(free === undefined
      ? []
      : [
          stopping("DISK_HAS_ROOM", free >= LEAST_FREE_BYTES, {
            free: (free / BYTES_IN_GB).toFixed(1),
          }),
        ]),
    stopping("TIME_ZONE_SET", time_zone !== null, { timeZone: time_zone ?? "" }),
  ];
}

async function checkPractice({ db }: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const missing = await findNotPractised(db, accountId);
  return [warning("PRACTISED", missing.length === 0, { missing: missing.join(",") })];
}

/** Without it a provider that is away for a minute fails every sale of that minute. */
async function checkQueue({ db }: CheckDeps, scope: Scope): Promise<CheckedForLive> {
  return warning("QUEUE_ON", (await getSettings(db, scope)).queueEnabled);
}

/** Without any, the check is left out. */
async function checkIntegrators(
  { webhooks, keys }: CheckDeps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const isLive = ({ environment }: { environment: string }) => environment === "live";
  const endpoints = (await webhooks.list(accountId)).filter(isLive);
  const failing = endpoints.filter(({ failingSince }) => failingSince !== undefined).length;
  const valid = (await keys.list(accountId)).filter((key) => isLive(key) && !key.revokedAt);
  const open = valid.filter(({ allowedAddresses }) => allowedAddresses === undefined);
  const names = open.map(({ name }) => name).join(", ");
  return [
    ...(endpoints.length > 0 ? [warning("WEBHOOKS_ANSWER", failing === 0, { failing })] : []),
    ...(valid.length > 0 ? [warning("KEYS_LIMITED", open.length === 0, { names })] : []),
  ];
}
