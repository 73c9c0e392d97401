/**
 * The checks of going live. The file has more than 500 lines, because each check is a few lines with
 * its message, and owners see the checks as one list.
 */
import { sql } from "kysely";
import { offsetOf, type TimeZone } from "../../../contract/pos/shop-day.ts";
import {
  type CheckedForLive,
  type GoingLiveCheck,
  PRACTICES,
  type Practice,
} from "../../../contract/pos/till-environment.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { DAY, HOUR, MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { describeAmount, Exact } from "../../../lib/money.ts";
import { SealError } from "../../../lib/sealer.ts";
import { findAudit } from "../../books/audit-trail/index.ts";
import { getBalances, getWalletUnit } from "../../books/wallet/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { findBelowCost, type PriceReader } from "../../catalog/prices/index.ts";
import type { WebhookService } from "../../messages/webhooks/index.ts";
import type { Base } from "../../module.ts";
import { findAlert } from "../../office/wallet-office/index.ts";
import type { UpstreamService } from "../../providers/upstream/index.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import { listOpenShifts } from "../../selling/shifts/index.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import type { ReferenceRates, Shop, ShopService } from "../../shop/shop/index.ts";
import type { StaffService } from "../../shop/staff/index.ts";
import type { BackupTrialService } from "./backup-trial.ts";
import { readFirstSale } from "./first-sale-service.ts";
import { findNote } from "./going-live-store.ts";

/** Period in test from which the average daily cost is calculated. */
const TEST_DAYS_MS = 30 * DAY;
const MIN_FREE_BYTES = 2 * 1024 ** 3;
const BYTES_IN_GB = 1024 ** 3;
/** A provider that responded within this time is not queried again. */
const FRESH_MS = MINUTE;
const MAX_CLOCK_DIFFERENCE_MS = MINUTE;
/** Maximum number of named offers below cost; the price page lists all of them. */
const EXAMPLES_SHOWN = 5;
const MAX_RATE_AGE_MS = 7 * DAY;
const MAX_REFERENCE_DIFFERENCE = 0.05;
/**
 * Maximum age of reference rates. They are part of the program, so an older reference rate does not
 * block a shop.
 */
const MAX_REFERENCE_AGE_MS = 30 * DAY;
const PRACTICE_LINES = 500;

export interface CheckDeps extends Pick<Base, "db" | "clock"> {
  shop: ShopService;
  staff: StaffService;
  catalog: CatalogService;
  prices: Pick<PriceReader, "read">;
  upstream: UpstreamService;
  backups: Pick<BackupService, "getState">;
  webhooks: WebhookService;
  keys: KeyService;
  rates: ReferenceRates;
  backupTrial: Pick<BackupTrialService, "state">;
  /** Returns the free bytes on the disk that stores the data; undefined if unknown. */
  readFreeBytes(): Promise<number | undefined>;
}

type Figures = CheckedForLive["figures"];
type Check = (
  check: GoingLiveCheck,
  passed: boolean,
  missing: string,
  figures?: Figures,
) => CheckedForLive;

/**
 * A check that blocks going live.
 * @param missing the message of a failed check
 */
const stopping: Check = (check, passed, missing, figures = {}) => ({
  check,
  passed,
  stops: true,
  figures,
  message: passed ? "" : missing.trim(),
});

/** A check that does not block going live. */
const warning: Check = (...of) => ({ ...stopping(...of), stops: false });

/**
 * Checks that no shift is open, so that the money of the present environment is counted first
 * (rules#live-no-open-shift).
 */
export async function checkShifts(db: Db, scope: Scope): Promise<CheckedForLive> {
  const open = await listOpenShifts(db, scope);
  if (open.length === 0) return stopping("SHIFTS_CLOSED", true, "", { names: "" });
  const rows = await db
    .selectFrom("staff")
    .select("name")
    .where("account_id", "=", scope.accountId)
    .where("staff_id", "in", [...new Set(open.map((shift) => shift.staff_id))])
    .orderBy("name")
    .execute();
  const names = rows.map(({ name }) => name).join(", ");
  const missing = `A shift is open: ${names}. Close it first, under Shift (F7).`;
  return stopping("SHIFTS_CLOSED", false, missing, { names });
}

/**
 * Runs all going-live checks, blocking checks first (rules#live-conditions). Queries the provider,
 * unless it responded recently. One-time steps are not checked while the shop sells live.
 */
export async function checkForLive(deps: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const scope = { accountId, environment: "live" } as const;
  const shop = await deps.shop.get(accountId);
  const isOnTheWay = shop.tillEnvironment !== "live";
  const once = async (check: () => Promise<CheckedForLive[]>) => (isOnTheWay ? check() : []);
  const all = [
    ...(await checkPractice(deps, accountId)),
    ...(await checkGateways(deps, scope)),
    ...(await checkCatalog(deps, scope, shop.country)),
    ...(await once(() => checkCatalogRead(deps, scope))),
    ...(await checkRate(deps, shop, accountId)),
    ...(await checkWallet(deps, scope, shop.timeZone)),
    ...(await checkAlerts(deps, scope)),
    ...(await checkPeople(deps, accountId)),
    ...(await once(() => checkPaper(deps, shop, accountId))),
    ...(await checkSafety(deps, accountId)),
    ...(await once(() => checkTimeZone(deps, shop, accountId))),
    ...(await checkIntegrators(deps, accountId)),
    ...(await once(() => checkFirstSale(deps, scope))),
  ];
  return [...all.filter(({ stops }) => stops), ...all.filter(({ stops }) => !stops)];
}

const PRACTICE_WORDS: Record<Practice, string> = {
  DELIVERED: "a delivered sale",
  FAILED: "a sale that fails",
  WAITED: "a sale that waits",
  CUSTOMER_REFUND: "money handed back",
  SHIFT_CLOSED: "a closed shift",
};

async function checkPractice({ db }: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const test = { accountId, environment: "test" } as const;
  const lines = await db
    .selectFrom("sale_lines as l")
    .innerJoin("transactions as t", inSameScope("t", "l", "transaction_id"))
    .innerJoin("purchases as p", inSameScope("p", "l", "transaction_id"))
    .select(["t.status", "p.attempts", "p.attempt_state"])
    .where(inScope(test, "l"))
    .orderBy("l.created_at", "desc")
    .limit(PRACTICE_LINES)
    .execute();
  const hasAny = async (table: "customer_refunds" | "z_reports") => {
    const rows = db.selectFrom(table).select("staff_id").where(inScope(test)).limit(1);
    return (await rows.executeTakeFirst()) !== undefined;
  };
  const practised: Record<Practice, boolean> = {
    DELIVERED: lines.some(({ status }) => status === "DONE"),
    FAILED: lines.some(({ status }) => status === "FAILED"),
    // After the first attempt, the till shows "Still being sent". The second attempt follows a
    // quarter of an hour later.
    WAITED: lines.some(
      ({ status, attempts, attempt_state }) =>
        attempts > 1 || (status === "IN_PROGRESS" && attempt_state === "FAILED"),
    ),
    CUSTOMER_REFUND: await hasAny("customer_refunds"),
    SHIFT_CLOSED: await hasAny("z_reports"),
  };
  const missing = PRACTICES.filter((practice) => !practised[practice]);
  const words = missing.map((practice) => PRACTICE_WORDS[practice]).join(", ");
  return [
    warning(
      "PRACTISED",
      missing.length === 0,
      `Not practised in the test environment yet: ${words}.`,
      { missing: missing.join(",") },
    ),
  ];
}

/** Checks each connected provider. A check's result is that of the first provider that fails it. */
async function checkGateways(deps: CheckDeps, scope: Scope): Promise<CheckedForLive[]> {
  const { providerId: first } = await deps.upstream.resolve(scope);
  const checks = await checkGateway(deps, { ...scope, providerId: first });
  for (const { providerId, keySealed, name } of await deps.upstream.list(scope)) {
    if (providerId === first || keySealed === undefined) continue;
    for (const checked of await checkGateway(deps, { ...scope, providerId })) {
      const index = checks.findIndex(({ check }) => check === checked.check);
      const known = checks[index];
      if (checked.passed || (known && !known.passed && known.stops >= checked.stops)) continue;
      const named = { ...checked, message: `${name}: ${checked.message}` };
      if (known) checks[index] = named;
      else checks.push(named);
    }
  }
  return checks;
}

type CheckedProvider = Scope & { providerId: string };

async function checkGateway(deps: CheckDeps, scope: CheckedProvider): Promise<CheckedForLive[]> {
  const { db, upstream, clock } = deps;
  const { currency: ours } = await getWalletUnit(db, scope.accountId);
  const failure = await queryGateway(deps, scope);
  const { connected, stored } = await upstream.getStatus(scope);
  if (!connected || !stored) {
    const missing =
      "No gateway is connected to live. Connect it: tillgate upstream connect --env live.";
    return [stopping("GATEWAY_ANSWERS", false, missing, { state: "NOT_CONNECTED" })];
  }
  const { baseUrl: url, allowPrivate, clockDifference_ms } = stored;
  const age = stored.balance ? Math.abs(clock.now() - stored.balance.at) : Infinity;
  const theirs = failure?.theirCurrency ?? ours;
  const answers = theirs !== ours || (age <= HOUR && !failure?.refused);
  const reason = failure?.message ?? "";
  const currency = `The gateway keeps its money in ${theirs}, your wallet in ${ours}. Connect one that keeps it in ${ours}.`;
  // A shop may rehearse in a private network, without TLS and with a test key.
  const unlessRehearsed = allowPrivate ? warning : stopping;
  return [
    stopping(
      "GATEWAY_ANSWERS",
      answers,
      `The gateway has not answered within the hour. ${reason}`,
      { reason },
    ),
    ...(answers
      ? [
          stopping("GATEWAY_CURRENCY", theirs === ours, currency, { ours, theirs }),
          checkClocks(clockDifference_ms),
        ]
      : []),
    unlessRehearsed(
      "GATEWAY_KEY_LIVE",
      !(await upstream.hasTestKey(scope)),
      "The gateway's key is one of its test environment (test_…), where nothing that is sold is real. Connect with the live one: tillgate upstream connect --env live.",
    ),
    unlessRehearsed(
      "GATEWAY_ENCRYPTED",
      url.startsWith("https:"),
      `The gateway is spoken to without encryption: ${url}.`,
      { url },
    ),
  ];
}

/**
 * @returns the reason why the provider cannot be used; undefined if it responded or none is
 * connected
 */
async function queryGateway(
  { upstream, clock }: CheckDeps,
  scope: CheckedProvider,
): Promise<{ message: string; refused: boolean; theirCurrency?: string | undefined } | undefined> {
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
    if (error.errorCode === "SYSTEM_UNAVAILABLE") return { message: error.message, refused: false };
    const { tests, theirCurrency } = await upstream.judge(scope, undefined);
    const isOther = tests.some(
      ({ test, outcome }) => test === "CURRENCY_EQUAL" && outcome === "BAD",
    );
    return { message: error.message, refused: true, ...(isOther && { theirCurrency }) };
  }
}

/** A provider without a Date header only causes a warning. */
function checkClocks(difference_ms: number | undefined): CheckedForLive {
  const missing = (apart: string) =>
    `The gateway's clock and this one do not agree${apart}. Set this machine's clock.`;
  if (difference_ms === undefined) {
    return warning("CLOCKS_EQUAL", false, missing(""), { seconds: "" });
  }
  const apart = Math.abs(difference_ms);
  const seconds = Math.round(apart / SECOND);
  const words = missing(`: ${seconds} seconds apart`);
  return stopping("CLOCKS_EQUAL", apart <= MAX_CLOCK_DIFFERENCE_MS, words, { seconds });
}

async function checkCatalog(
  { db, clock, prices, upstream, catalog }: CheckDeps,
  scope: Scope,
  country: string,
): Promise<CheckedForLive[]> {
  const { stored } = await upstream.getStatus(scope);
  if (stored?.syncedAt === undefined) {
    const reason = stored?.syncFailure?.message ?? "";
    const missing = `Its catalog has not been fetched yet: tillgate upstream sync --env live. ${reason}`;
    return [stopping("CATALOG_SYNCED", false, missing, { reason })];
  }
  const { offers } = await catalog.getSnapshot(scope);
  const enabled = offers.filter((offer) => offer.enabled);
  const below = await findBelowCost(enabled, await prices.read(db, scope, clock.now()));
  const example = below.slice(0, EXAMPLES_SHOWN).join(", ");
  const isHere = enabled.some((offer) => country === "" || offer.country === country);
  return [
    stopping("CATALOG_SYNCED", true, ""),
    stopping(
      "CATALOG_FOR_COUNTRY",
      isHere,
      country === ""
        ? "Its catalog has no offer that can be sold."
        : `There is no offer for the shop's own country, ${country}.`,
      { country },
    ),
    stopping(
      "PRICES_COVER_COST",
      below.length === 0,
      `Offers priced below what the wallet pays: ${below.length}, ${example} first.`,
      { offers: below.length, example },
    ),
  ];
}

async function checkCatalogRead(
  { db, clock, prices, upstream }: CheckDeps,
  scope: Scope,
): Promise<CheckedForLive[]> {
  const { stored } = await upstream.getStatus(scope);
  if (stored?.syncedAt === undefined) return [];
  const read = await findNote(db, scope.accountId, "SYNC_READ");
  const seen = await findNote(db, scope.accountId, "PRICES_SEEN");
  const sums = Object.values(stored.syncReport?.sections ?? {});
  const offers = sums.reduce((sum, { added, changed }) => sum + added + changed, 0);
  const leftOut = stored.syncReport?.leftOutCount ?? 0;
  const { version } = await prices.read(db, scope, clock.now());
  return [
    stopping(
      "SYNC_READ",
      read?.detail.baseUrl === stored.baseUrl,
      `Nobody has read what its catalog brought: ${offers} new and changed offers, ${leftOut} left out. Confirm it under Test and live.`,
      { offers, leftOut },
    ),
    stopping(
      "PRICES_SEEN",
      // Without a saved price list, all prices are the suggested prices.
      version === 0 || seen?.detail.version === version,
      "Nobody has seen which prices differ most from the suggested ones. Look at them under Test and live.",
      { version },
    ),
  ];
}

/** Returns whether the rate is recent enough. After the clock was set back, the age is negative. */
export function isRateRecent(setAt: number, now: number): boolean {
  return Math.abs(now - setAt) <= MAX_RATE_AGE_MS;
}

/** A shop whose currency is the wallet's currency needs no rate. */
async function checkRate(
  { db, clock, rates }: CheckDeps,
  { currency, rate, rateSetAt }: Shop,
  accountId: string,
): Promise<CheckedForLive[]> {
  const wallet = await getWalletUnit(db, accountId);
  if (currency === wallet.currency) return [];
  const date = toTimestamp(rateSetAt).slice(0, 10);
  const recent = stopping(
    "RATE_RECENT",
    isRateRecent(rateSetAt, clock.now()),
    `The exchange rate ${rate} is of ${date}, older than 7 days. Set today's: tillgate settings set --rate.`,
    { rate, date },
  );
  const reference = rates.rates[currency];
  if (reference === undefined || rates.base !== wallet.currency) return [recent];
  const isCurrent = Math.abs(clock.now() - Date.parse(rates.date)) <= MAX_REFERENCE_AGE_MS;
  const isNear = new Exact(rate).div(reference).sub(1).abs().lte(MAX_REFERENCE_DIFFERENCE);
  // An outdated reference cannot confirm a rate. It only causes a warning about a rate that is far
  // from it.
  if (!isCurrent && isNear) return [recent];
  const near = (isCurrent ? stopping : warning)(
    "RATE_NEAR_REFERENCE",
    isNear,
    `The exchange rate ${rate} is more than 5% from the reference of ${rates.date}, ${reference}.`,
    { rate, reference, date: rates.date },
  );
  return [recent, near];
}

async function checkWallet(
  { db, clock, upstream }: CheckDeps,
  scope: Scope,
  timeZone: TimeZone,
): Promise<CheckedForLive[]> {
  const { available, held, currency, currencyDivisor } = await getBalances(db, scope);
  const { balance } = await upstream.getStatus(scope);
  const unit = { currency, currencyDivisor };
  const average = await readTestDay(db, scope.accountId, { now: clock.now(), timeZone });
  const checks = [
    stopping(
      "WALLET_FUNDED",
      available > 0,
      "The live wallet is empty. Book what you paid in: tillgate wallet recharge --env live.",
      { available, ...unit },
    ),
  ];
  if (balance) {
    const { upstream: there, difference } = balance;
    const here = available + held;
    const missing = `The gateway holds ${describeAmount(there, unit)}, your wallet ${describeAmount(here, unit)}.`;
    const figures = { there, here, ...unit };
    checks.push(warning("WALLET_MATCHES_GATEWAY", difference === 0, missing, figures));
  }
  if (average > 0) {
    const days = (available / average).toFixed(1);
    const missing = `The live wallet lasts for ${days} days like those in test, which cost ${describeAmount(average, unit)} each. Recharge it.`;
    const figures = { available, average, days, ...unit };
    checks.push(warning("WALLET_COVERS_DAY", available >= average, missing, figures));
  }
  return checks;
}

/** Returns the average daily cost in test, in minor units. */
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
    .where("created_at", ">=", now - TEST_DAYS_MS)
    .executeTakeFirstOrThrow();
  return days === 0 ? 0 : Math.round((amount ?? 0) / days);
}

async function checkAlerts({ db }: CheckDeps, scope: Scope): Promise<CheckedForLive[]> {
  const { accountId } = scope;
  const { lowAmount, lowHours } = await findAlert(db, scope);
  const tested = await findAudit(db, { accountId, action: "mail.test", subject: accountId });
  return [
    warning(
      "ALERT_AMOUNT_SET",
      (lowAmount ?? lowHours) !== undefined,
      "Nobody is warned before the live wallet is empty. Set an amount under Test and live, Provider.",
    ),
    warning(
      "ALERT_TESTED",
      tested !== undefined,
      "No test mail was sent yet: alerts may reach nobody. Send one under Reports.",
    ),
  ];
}

async function checkPeople({ db, staff }: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const active = (await staff.list(accountId)).filter((person) => person.active);
  const setUp = await findAudit(db, { accountId, action: "shop.set-up", subject: accountId });
  const owner = active.find(({ staffId }) => staffId === setUp?.staffId);
  const people = active.filter(
    ({ role, limits }) => role === "clerk" && Object.keys(limits).length === 0,
  ).length;
  const missing = `Clerks who sell without any limit: ${people}. Set limits under Staff (F10).`;
  const limits = warning("LIMITS_SET", people === 0, missing, { people });
  if (!owner) return [limits];
  const { name, staffId } = owner;
  const changed = await findAudit(db, { accountId, action: "staff.pin", subject: staffId });
  const unchanged = `${name} still has the PIN of set-up. Change it, under Staff (F10).`;
  return [stopping("OWNER_PIN_CHANGED", changed !== undefined, unchanged, { name }), limits];
}

/**
 * Checks that a person has confirmed the receipt and the drawer, whose result only a person can
 * see.
 */
async function checkPaper(
  { db }: CheckDeps,
  { receipt }: Shop,
  accountId: string,
): Promise<CheckedForLive[]> {
  const printed = await findNote(db, accountId, "RECEIPT_TESTED");
  const opened = await findNote(db, accountId, "DRAWER_OPENED");
  return [
    warning(
      "RECEIPT_FILLED",
      receipt.address.length > 0 && receipt.support.length > 0,
      "Receipts do not say where the shop is or who helps: tillgate settings set --receipt-address --receipt-support.",
    ),
    warning(
      "RECEIPT_TESTED",
      printed !== undefined,
      "No test receipt was printed yet. Print one under Test and live.",
    ),
    warning(
      "DRAWER_OPENED",
      opened !== undefined,
      "Nobody has tried whether the cash drawer opens.",
    ),
  ];
}

async function checkSafety(
  { db, backups, backupTrial, readFreeBytes }: CheckDeps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const checks: CheckedForLive[] = [];
  // These checks apply to a database file only. A database server is backed up by its operator.
  if (!(await backups.getState()).isElsewhere) {
    const restored = await findNote(db, accountId, "BACKUP_RESTORED");
    const isUnderWay = backupTrial.state?.state === "RUNNING";
    const missing = isUnderWay
      ? "A backup is being made and tried."
      : "No backup was ever restored. Try one under Test and live.";
    checks.push(
      stopping("BACKUP_RESTORED", restored !== undefined, missing, {
        at: restored ? toTimestamp(restored.at) : "",
        sales: restored?.detail.sales ?? 0,
        state: isUnderWay ? "UNDER_WAY" : "",
      }),
    );
  }
  const bytes = await readFreeBytes();
  if (bytes !== undefined) {
    const free = (bytes / BYTES_IN_GB).toFixed(1);
    const missing = `The disk has only ${free} GB left. It takes 2 GB.`;
    checks.push(stopping("DISK_HAS_ROOM", bytes >= MIN_FREE_BYTES, missing, { free }));
  }
  return checks;
}

async function checkTimeZone(
  { db }: CheckDeps,
  { timeZone }: Shop,
  accountId: string,
): Promise<CheckedForLive[]> {
  const confirmed = await findNote(db, accountId, "TIME_ZONE_CONFIRMED");
  return [
    stopping(
      "TIME_ZONE_CONFIRMED",
      confirmed?.detail.timeZone === timeZone,
      `Nobody has confirmed the shop's time zone, ${timeZone}. Do so under Test and live.`,
      { timeZone },
    ),
  ];
}

/** A shop without webhooks and keys has no such checks. */
async function checkIntegrators(
  { webhooks, keys, clock }: CheckDeps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const isLive = ({ environment }: { environment: string }) => environment === "live";
  const endpoints = (await webhooks.list(accountId)).filter(isLive);
  const failing = endpoints.filter(({ failingSince }) => failingSince !== undefined).length;
  const now = clock.now();
  const valid = (await keys.list(accountId)).filter(
    ({ revokedAt, expiresAt = Infinity }) => !revokedAt && expiresAt > now,
  );
  const live = valid.filter(isLive);
  const open = live.filter(({ allowedAddresses }) => allowedAddresses === undefined);
  const names = open.map(({ name }) => name).join(", ");
  const checks: CheckedForLive[] = [];
  if (endpoints.length > 0) {
    const missing = `Webhooks of live that do not answer: ${failing}.`;
    checks.push(warning("WEBHOOKS_ANSWER", failing === 0, missing, { failing }));
  }
  if (valid.some((key) => !isLive(key) && key.lastUsedAt)) {
    const missing = "Programs buy in test, and none has an API key for live: tillgate keys create.";
    checks.push(warning("LIVE_KEYS_MADE", live.length > 0, missing));
  }
  if (live.length > 0) {
    const missing = `Live API keys that may be used from any address: ${names}.`;
    checks.push(warning("KEYS_LIMITED", open.length === 0, missing, { names }));
  }
  return checks;
}

async function checkFirstSale(
  { db, upstream }: CheckDeps,
  scope: Scope,
): Promise<CheckedForLive[]> {
  const { state, figures } = await readFirstSale(db, upstream, scope);
  const { brand, recipient, reason, cost, there, here, currency, currencyDivisor } = figures;
  const money = (amount = 0) =>
    describeAmount(amount, { currency: currency ?? "", currencyDivisor: currencyDivisor ?? 1 });
  const missing = {
    NONE: "Nothing was sold live yet. Make the first sale under Test and live: the cheapest offer to your own number.",
    UNDER_WAY: `The first live sale is under way: ${brand} to ${recipient}.`,
    FAILED: `The first live sale failed: ${brand} to ${recipient}. ${reason}`,
    DIFFERS: `The first live sale arrived and cost ${money(cost)}, but the gateway took ${money(there)} and your wallet ${money(here)}. Ask the provider.`,
    GOOD: "",
  };
  return [stopping("FIRST_SALE", state === "GOOD", missing[state], { ...figures, state })];
}
