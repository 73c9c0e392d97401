import { sql } from "kysely";
import { offsetOf, type TimeZone } from "../../../contract/pos/shop-day.ts";
import { type CheckedForLive, GOING_LIVE_CHECKS } from "../../../contract/pos/till-environment.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { type Clock, DAY, HOUR, MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { SealError } from "../../../lib/sealer.ts";
import { findAudit } from "../../books/audit-trail/index.ts";
import { getBalances, getWalletUnit } from "../../books/wallet/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { formatPhoneNumber } from "../../catalog/phone-lookup/index.ts";
import type { PriceReader } from "../../catalog/prices/index.ts";
import type { WebhookService } from "../../messages/webhooks/index.ts";
import { findAlert } from "../../office/wallet-office/index.ts";
import type { UpstreamService } from "../../providers/upstream/index.ts";
import { findPurchases } from "../../purchases/purchases/index.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { StorageService } from "../../safety/storage/index.ts";
import { listOpenShifts } from "../../selling/shifts/index.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import type { ReferenceRates, ShopService } from "../../shop/shop/index.ts";
import type { StaffService } from "../../shop/staff/index.ts";
import type { BackupTrialService } from "./backup-trial.ts";
import { checkCatalog, checkCatalogRead, checkRate } from "./catalog-checks.ts";
import { stopping, warning } from "./checked.ts";
import { findNote } from "./notes-store.ts";
import {
  checkIntegrators,
  checkPaper,
  checkPeople,
  checkPractice,
  checkQueue,
} from "./shop-checks.ts";

/** How far back days in test are looked at. */
const LOOKED_BACK_MS = 30 * DAY;

const BACKUP_KEPT_MS = 2 * DAY;
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const BYTES_IN_GB = 1024 ** 3;

/** An answer this recent is not queried again. */
const FRESH_MS = MINUTE;
const FARTHEST_CLOCKS_MS = MINUTE;

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
  backupTrial: Pick<BackupTrialService, "state">;
  /** Bytes that the data may still take; undefined where nobody knows. */
  readFreeBytes(): Promise<number | undefined>;
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
 * (rules#live-conditions). The gateway is queried now, unless it has answered a moment ago. What is done
 * once, on the way there, is no matter for a shop that sells live.
 */
export async function checkForLive(deps: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const scope = { accountId, environment: "live" } as const;
  const { tillEnvironment, country, timeZone } = await deps.shop.get(accountId);
  const { currency } = await getWalletUnit(deps.db, accountId);
  const fault = await queryGateway(deps, scope);
  const onTheWay =
    tillEnvironment === "live"
      ? []
      : [
          ...(await checkCatalogRead(deps, scope)),
          ...(await checkTimeZone(deps, accountId)),
          ...(await checkPaper(deps, accountId)),
          await checkFirstSale(deps, scope),
        ];
  const all = [
    await checkShifts(deps.db, { accountId, environment: tillEnvironment }),
    ...(await checkGateway(deps, scope, { fault, currency })),
    ...(await checkCatalog(deps, scope, country)),
    ...(await checkRate(deps, accountId)),
    ...(await checkWallet(deps, scope, timeZone)),
    ...(await checkAlerts(deps, scope)),
    ...(await checkPeople(deps, accountId)),
    ...(await checkSafety(deps, accountId)),
    await checkQueue(deps, scope),
    ...(await checkPractice(deps, accountId)),
    ...(await checkIntegrators(deps, accountId)),
    ...onTheWay,
  ].toSorted((one, other) => orderOf(one) - orderOf(other));
  return [...all.filter(({ stops }) => stops), ...all.filter(({ stops }) => !stops)];
}

function orderOf({ check }: CheckedForLive): number {
  return GOING_LIVE_CHECKS.indexOf(check);
}

interface Deps {
  db: Db;
  upstream: UpstreamService;
}

/**
 * The first live sale through the connected gateway, and its outcome: it arrived, and both wallets are
 * poorer by what it costs (rules#live-first-sale). `state` says how far it is.
 */
async function checkFirstSale({ db, upstream }: Deps, scope: Scope): Promise<CheckedForLive> {
  const note = await findNote(db, scope.accountId, "FIRST_SALE");
  const { stored } = await upstream.getStatus(scope);
  // Through another gateway nothing was sold yet.
  if (!note || (stored && note.detail.baseUrl !== stored.baseUrl)) return first("NONE");
  const { transactionId, before, after } = note.detail;
  const [purchase] = await findPurchases(db, scope, [transactionId]);
  if (!purchase) return first("NONE");
  const { status, amount: cost, currency, currencyDivisor, error } = purchase.transaction;
  const about = {
    brand: purchase.offer.brandName,
    recipient: formatPhoneNumber(purchase.recipient),
    at: toTimestamp(note.at),
    cost,
    currency,
    currencyDivisor,
  };
  if (status === "FAILED") return first("FAILED", { ...about, reason: error?.message ?? "" });
  if (status !== "DONE" || !after) return first("UNDER_WAY", about);
  const there = before.there - after.there;
  const here = before.here - after.here;
  const isEqual = there === cost && here === cost;
  return first(isEqual ? "GOOD" : "DIFFERS", { ...about, there, here });
}

function first(
  state: "NONE" | "UNDER_WAY" | "FAILED" | "DIFFERS" | "GOOD",
  figures: CheckedForLive["figures"] = {},
): CheckedForLive {
  return stopping("FIRST_SALE", state === "GOOD", { ...figures, state });
}

interface GatewayChecksDeps {
  upstream: UpstreamService;
  clock: Clock;
}

/** Why the gateway cannot be used now. */
interface GatewayFault {
  message: string;
  refused: boolean;
  /** It answers, and keeps its money in another currency. */
  theirCurrency: string | undefined;
}

/** @returns undefined where it answered, or none is connected */
async function queryGateway(
  { upstream, clock }: GatewayChecksDeps,
  scope: Scope,
): Promise<GatewayFault | undefined> {
  const { connected, stored } = await upstream.getStatus(scope);
  if (!connected) return undefined;
  const answeredAt = stored?.balance?.at;
  if (answeredAt !== undefined && Math.abs(clock.now() - answeredAt) < FRESH_MS) return undefined;
  try {
    await upstream.test(scope);
    return undefined;
  } catch (error) {
    if (error instanceof SealError) {
      return { message: error.message, refused: true, theirCurrency: undefined };
    }
    if (!(error instanceof Problem)) throw error;
    const refused = error.errorCode !== "SYSTEM_UNAVAILABLE";
    const theirCurrency = refused ? await findOtherCurrency(upstream, scope) : undefined;
    return { message: error.message, refused, theirCurrency };
  }
}

/** What its money is in, where that is why it was refused. */
async function findOtherCurrency(
  upstream: UpstreamService,
  scope: Scope,
): Promise<string | undefined> {
  const { tests, theirCurrency } = await upstream.judge(scope, undefined);
  const isOther = tests.some(({ test, outcome }) => test === "CURRENCY_EQUAL" && outcome === "BAD");
  return isOther ? theirCurrency : undefined;
}

async function checkGateway(
  { upstream, clock }: GatewayChecksDeps,
  scope: Scope,
  { fault, currency }: { fault: GatewayFault | undefined; currency: string },
): Promise<CheckedForLive[]> {
  const { connected, stored } = await upstream.getStatus(scope);
  if (!connected || !stored) return [stopping("GATEWAY_CONNECTED", false)];
  const url = stored.baseUrl;
  const age = stored.balance ? Math.abs(clock.now() - stored.balance.at) : Infinity;
  const theirs = fault?.theirCurrency;
  const answers = theirs !== undefined || (age <= HOUR && !fault?.refused);
  // In one's own network going live may be rehearsed; a provider's test key is taken for its live one.
  const checkKey = stored.allowPrivate ? warning : stopping;
  return [
    stopping("GATEWAY_CONNECTED", true, { url }),
    stopping("GATEWAY_ANSWERS", answers, { reason: fault?.message ?? "" }),
    ...(answers
      ? [
          stopping("GATEWAY_CURRENCY", theirs === undefined, {
            ours: currency,
            theirs: theirs ?? currency,
          }),
          checkClocks(stored.clockDifference_ms),
        ]
      : []),
    checkKey("GATEWAY_KEY_LIVE", !(await upstream.hasTestKey(scope))),
    warning("GATEWAY_ENCRYPTED", url.startsWith("https:"), { url }),
  ];
}

/** A gateway that does not say the time stops nobody. */
function checkClocks(difference_ms: number | undefined): CheckedForLive {
  if (difference_ms === undefined) return warning("CLOCKS_EQUAL", false, { seconds: "" });
  const seconds = Math.round(Math.abs(difference_ms) / SECOND);
  return stopping("CLOCKS_EQUAL", Math.abs(difference_ms) <= FARTHEST_CLOCKS_MS, { seconds });
}

interface SafetyChecksDeps {
  db: Db;
  clock: Clock;
  backups: BackupService;
  backupTrial: Pick<BackupTrialService, "state">;
  storage: StorageService;
  /** Bytes that the data may still take; undefined where nobody knows. */
  readFreeBytes(): Promise<number | undefined>;
}

/** Backups, books and the disk. */
async function checkSafety(
  { db, clock, backups, backupTrial, storage, readFreeBytes }: SafetyChecksDeps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const { backups: kept, failure, isElsewhere } = await backups.getState();
  const [newest] = kept;
  const free = await readFreeBytes();
  const { fault, books } = await storage.readState();
  const tried = await findNote(db, accountId, "BACKUP_RESTORED");
  const made = { at: newest ? toTimestamp(newest.takenAt) : "", reason: failure ?? "" };
  const age = newest ? Math.abs(clock.now() - newest.takenAt) : 0;
  const ofBackups = [
    stopping("BACKUP_MADE", newest !== undefined, made),
    ...(newest
      ? [warning("BACKUP_RECENT", age <= BACKUP_KEPT_MS && failure === undefined, made)]
      : []),
    stopping("BACKUP_RESTORED", tried !== undefined, {
      at: tried ? toTimestamp(tried.at) : "",
      sales: tried?.detail.sales ?? 0,
      state: backupTrial.state?.state === "RUNNING" ? "UNDER_WAY" : "",
    }),
  ];
  return [
    // Who runs the database server answers for them.
    ...(isElsewhere ? [] : ofBackups),
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
  ];
}

/** The day that everything is counted by: set, and read by an owner. */
async function checkTimeZone(
  { db }: SafetyChecksDeps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const { time_zone } = await db
    .selectFrom("accounts")
    .select("time_zone")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (time_zone === null) return [stopping("TIME_ZONE_SET", false, { timeZone: "" })];
  const confirmed = await findNote(db, accountId, "TIME_ZONE_CONFIRMED");
  const timeZone = time_zone;
  return [stopping("TIME_ZONE_CONFIRMED", confirmed?.detail.timeZone === timeZone, { timeZone })];
}

interface WalletChecksDeps {
  db: Db;
  clock: Clock;
  upstream: UpstreamService;
}

/** The live wallet: filled, as much as the provider holds, and how far that goes. */
async function checkWallet(
  { db, clock, upstream }: WalletChecksDeps,
  scope: Scope,
  timeZone: TimeZone,
): Promise<CheckedForLive[]> {
  const wallet = await getBalances(db, scope);
  const { balance } = await upstream.getStatus(scope);
  const { available, held, currency, currencyDivisor } = wallet;
  const unit = { currency, currencyDivisor };
  const average = await readTestDay(db, scope.accountId, { now: clock.now(), timeZone });
  return [
    stopping("WALLET_FUNDED", available > 0, { available, ...unit }),
    ...(balance
      ? [
          warning("WALLET_MATCHES_GATEWAY", balance.difference === 0, {
            there: balance.upstream,
            here: available + held,
            ...unit,
          }),
        ]
      : []),
    ...(average === 0
      ? []
      : [
          warning("WALLET_COVERS_DAY", available >= average, {
            available,
            average,
            days: (available / average).toFixed(1),
            ...unit,
          }),
        ]),
  ];
}

/** What the sales of a day in test cost on average, of the days that had any; minor units. */
async function readTestDay(
  db: Db,
  accountId: string,
  { now, timeZone }: { now: number; timeZone: TimeZone },
): Promise<number> {
  const offset = offsetOf(now, timeZone);
  const { amount, days } = await db
    .selectFrom("transactions")
    .select(({ fn }) => fn.sum<number | null>("amount").as("amount"))
    .select(sql<number>`count(distinct (created_at + ${offset}) / ${DAY})`.as("days"))
    .where(inScope({ accountId, environment: "test" }))
    .where("type", "=", "DEBIT")
    .where("status", "=", "DONE")
    .where("training", "=", 0)
    .where("created_at", ">=", now - LOOKED_BACK_MS)
    .executeTakeFirstOrThrow();
  return days === 0 ? 0 : Math.round((amount ?? 0) / days);
}

/** Whether an owner is told in time: an amount that the wallet is low under, and mail that arrives. */
async function checkAlerts(
  { db }: WalletChecksDeps,
  { accountId, environment }: Scope,
): Promise<CheckedForLive[]> {
  const { lowAmount, lowHours } = await findAlert(db, { accountId, environment });
  const isSet = (lowAmount ?? lowHours) !== undefined;
  const tested = await findAudit(db, { accountId, action: "mail.test", subject: accountId });
  return [warning("ALERT_AMOUNT_SET", isSet), warning("ALERT_TESTED", tested !== undefined)];
}
