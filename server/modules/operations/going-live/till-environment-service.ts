import type { Environment } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import type {
  CheckedForLive,
  LeftLine,
  LivePriceChanges,
  LiveStep,
  OwnerConfirmation,
  Readiness,
  TillState,
} from "../../../contract/pos/till-environment.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, recordChangeInBoth, type Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { findLastAudit, recordAudit } from "../../books/audit-trail/index.ts";
import { getBalances, getWalletUnit } from "../../books/wallet/index.ts";
import { compareWithSuggested } from "../../catalog/prices/index.ts";
import { findAlert } from "../../office/wallet-office/index.ts";
import { linesWithTransactions } from "../../selling/sales/index.ts";
import { type ShiftService, viewPaidLines } from "../../selling/shifts/index.ts";
import {
  endPilot,
  movePilot,
  type PilotCaps,
  readPilotState,
  startPilot,
} from "../../shop/pilots/index.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
import type { Shop } from "../../shop/shop/index.ts";
import { type CheckDeps, checkForLive, checkShifts, isRateRecent } from "./going-live-checks.ts";
import { findNote, forgetCheckResults, saveCheckResults, writeNote } from "./going-live-store.ts";

/** Maximum number of listed lines; further lines are only counted. */
const LISTED = 100;
/** Maximum time that a purchase is open: usually a day, longer if the provider was unreachable. */
const MAX_OPEN_MS = 7 * DAY;

interface TillEnvironmentDeps extends CheckDeps {
  transactor: Transactor;
  settings: Pick<SettingsService, "getOfAccount">;
  shifts: Pick<ShiftService, "countUnfinished">;
}

const USUAL_PER_SALE = 20;
const USUAL_SALES_A_DAY = 10;

/**
 * All tills change their environment together (rules#environment-of-the-shop) and only without open
 * shifts, so that no sale or count spans two environments. Unfinished purchases continue in the
 * previous environment.
 */
export class TillEnvironmentService {
  readonly #deps: TillEnvironmentDeps;

  constructor(deps: TillEnvironmentDeps) {
    this.#deps = deps;
  }

  /** Includes the outcomes of sales in the environment that the shop left. */
  async getState(accountId: string, device: string | undefined): Promise<TillState> {
    const { db, clock, shop: shops, backupTrial } = this.#deps;
    const shop = await shops.get(accountId);
    const { tillEnvironment: environment, currency, currencyDivisor } = shop;
    const pilot = await readPilotState(db, accountId, device);
    const wallet = await getWalletUnit(db, accountId);
    const subject = accountId;
    const switched = await findLastAudit(db, { accountId, action: "till.environment", subject });
    const left = environment === "live" ? "test" : "live";
    const when = { leftAt: switched?.at, now: clock.now() };
    const lines = await readSnapshot(db, (snapshot) =>
      readLeftLines(snapshot, { accountId, environment: left }, when),
    );
    return {
      environment,
      step: await this.#findStep(accountId, environment, pilot),
      ...(pilot && { pilot }),
      ...(switched && { since: toTimestamp(switched.at) }),
      currency,
      currencyDivisor,
      walletCurrency: wallet.currency,
      alert: await findAlert(db, { accountId, environment: "live" }),
      ...(currency !== wallet.currency && { rate: this.#viewRate(shop, wallet.currency) }),
      ...(backupTrial.state && { backupTrial: backupTrial.state }),
      left: { environment: left, ...lines },
    };
  }

  async #findStep(
    accountId: string,
    environment: Environment,
    pilot: object | undefined,
  ): Promise<LiveStep> {
    if (environment === "live") return pilot ? "PILOT" : "LIVE";
    const { connected } = await this.#deps.upstream.getStatus({ accountId, environment: "live" });
    return connected ? "CHECKING" : "PRACTICE";
  }

  #viewRate(
    { currency, rate, rateSetAt }: { currency: string; rate: string; rateSetAt: number },
    walletCurrency: string,
  ): NonNullable<TillState["rate"]> {
    const { clock, rates } = this.#deps;
    const reference = rates.base === walletCurrency ? rates.rates[currency] : undefined;
    return {
      rate,
      setAt: toTimestamp(rateSetAt),
      isOld: !isRateRecent(rateSetAt, clock.now()),
      ...(reference !== undefined && { reference: { rate: reference, date: rates.date } }),
    };
  }

  /** Checks whether a switch is possible. Only open shifts block a switch to test. */
  async check(accountId: string, to: Environment): Promise<Readiness> {
    const { db, shop, shifts } = this.#deps;
    const { tillEnvironment: environment } = await shop.get(accountId);
    const here = { accountId, environment };
    const closed = environment === to ? [] : [await checkShifts(db, here)];
    const forLive = to === "live" ? await checkForLive(this.#deps, accountId) : [];
    const checks = [...closed, ...forLive];
    const underWay = await shifts.countUnfinished(here);
    return { environment, to, ready: missingIn(checks).length === 0, checks, underWay };
  }

  /** @throws Problem INVALID_REQUEST naming `shopName` */
  async requireName(accountId: string, name: string | undefined): Promise<void> {
    const shop = await this.#deps.shop.get(accountId);
    if (folded(name ?? "") === folded(shop.name)) return;
    throw new Problem("INVALID_REQUEST", `Type the shop's name to go live: ${shop.name}.`, {
      shopName: "is not the shop's name",
    });
  }

  /**
   * Switches the environment. Does nothing if the shop already sells in it.
   * @param pilot the pilot's till, and its caps if they differ from the default
   * @returns the results of the checks
   * @throws Problem TILL_NOT_READY with a field for each blocking check
   */
  async switch(
    { accountId, staffId }: Author,
    to: Environment,
    pilot: { caps?: PilotCaps | undefined; device?: string | undefined } = {},
  ): Promise<Readiness> {
    const { transactor, clock, shop } = this.#deps;
    const readiness = await this.check(accountId, to);
    if (readiness.environment === to) return readiness;
    requirePassed(readiness.checks, to);
    const settings = await shop.get(accountId);
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const from = await shop.findTillEnvironment(tx, accountId);
      if (from === to) return;
      // Repeats checks that may have changed during the provider query and whose failure would cost
      // money.
      requirePassed(await this.#checkAgain(tx, { accountId, from, to }), to);
      await shop.setTillEnvironment(tx, accountId, to, at);
      await endPilot(tx, accountId);
      if (to === "live") {
        const caps = pilot.caps ?? usualCaps(settings);
        const firstSale = (await findNote(tx, accountId, "FIRST_SALE"))?.detail.transactionId;
        const till = { device: pilot.device, chosenBy: staffId, firstSale };
        await startPilot(tx, accountId, { ...caps, ...till, at });
      }
      await forgetCheckResults(tx, accountId);
      // The results of the nightly checks are compared with these results.
      const passed = readiness.checks.filter(({ check }) => check !== "SHIFTS_CLOSED");
      if (to === "live") await saveCheckResults(tx, accountId, passed, at);
      const detail = { from, to };
      const entry = { accountId, staffId, action: "till.environment" as const };
      await recordAudit(tx, { ...entry, subject: accountId, detail, at });
      await recordChangeInBoth(tx, accountId, { topic: "shop", subject: accountId, at });
    });
    return { ...readiness, environment: to };
  }

  /** Ends the pilot. The caller has checked the PIN. */
  endPilot(author: Author): Promise<void> {
    return this.#changePilot(author, "ended", (tx) => endPilot(tx, author.accountId));
  }

  /** @param device the pilot's new till; undefined for the next till that sells */
  movePilot(author: Author, device: string | undefined): Promise<void> {
    const { accountId, staffId } = author;
    return this.#changePilot(author, "another till", (tx) =>
      movePilot(tx, accountId, { device, chosenBy: staffId }),
    );
  }

  /** Stores a confirmation that only an owner can give, with the state that the owner has seen. */
  async confirm(
    { accountId, staffId }: Author & { staffId: string },
    what: OwnerConfirmation,
  ): Promise<void> {
    const { transactor, clock, prices, settings, upstream } = this.#deps;
    const { stored } = await upstream.getStatus({ accountId, environment: "live" });
    const { timeZone } = await settings.getOfAccount(accountId);
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const noted = { at, staffId };
      switch (what) {
        case "TIME_ZONE_CONFIRMED":
          await writeNote(tx, accountId, what, { ...noted, detail: { timeZone } });
          break;
        case "PRICES_SEEN": {
          const { version } = await prices.read(tx, { accountId, environment: "live" }, at);
          await writeNote(tx, accountId, what, { ...noted, detail: { version } });
          break;
        }
        case "SYNC_READ": {
          const baseUrl = stored?.baseUrl ?? "";
          await writeNote(tx, accountId, what, { ...noted, detail: { baseUrl } });
          break;
        }
        default:
          await writeNote(tx, accountId, what, { ...noted, detail: {} });
      }
      const entry = { accountId, staffId, action: "till.checked" as const, subject: accountId };
      await recordAudit(tx, { ...entry, detail: { what }, at });
    });
  }

  listPriceChanges(accountId: string): Promise<LivePriceChanges> {
    return compareWithSuggested(this.#deps, { accountId, environment: "live" });
  }

  async #changePilot(
    { accountId, staffId }: Author,
    pilot: string,
    change: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      await change(tx);
      const entry = { accountId, staffId, action: "till.pilot" as const, subject: accountId };
      await recordAudit(tx, { ...entry, detail: { pilot }, at });
      const scope = { accountId, environment: "live" } as const;
      await recordChange(tx, scope, { topic: "shop", subject: accountId, at });
    });
  }

  async #checkAgain(
    tx: Tx,
    { accountId, from, to }: { accountId: string; from: Environment; to: Environment },
  ): Promise<CheckedForLive[]> {
    const shifts = await checkShifts(tx, { accountId, environment: from });
    if (to === "test") return [shifts];
    const { available } = await getBalances(tx, { accountId, environment: "live" });
    const wallet = { check: "WALLET_FUNDED", passed: available > 0, stops: true } as const;
    return [shifts, { ...wallet, message: "The live wallet is empty.", figures: {} }];
  }
}

function missingIn(checks: readonly CheckedForLive[]): CheckedForLive[] {
  return checks.filter(({ stops, passed }) => stops && !passed);
}

function requirePassed(checks: readonly CheckedForLive[], to: Environment): void {
  const missing = missingIn(checks);
  if (missing.length === 0) return;
  throw new Problem(
    "TILL_NOT_READY",
    `The shop cannot sell in ${to} yet:\n${missing.map(({ message }) => message).join("\n")}`,
    Object.fromEntries(missing.map(({ check, message }) => [check, message])),
  );
}

/**
 * Returns the default caps: 20 units of the wallet's currency per sale, and ten such sales per day.
 */
function usualCaps({ rate, currencyDivisor }: Pick<Shop, "rate" | "currencyDivisor">): PilotCaps {
  const mostPerSale = Math.ceil(USUAL_PER_SALE * Number(rate)) * currencyDivisor;
  return { mostPerSale, mostPerDay: mostPerSale * USUAL_SALES_A_DAY };
}

function folded(name: string): string {
  return tidyName(name).normalize("NFC").toLocaleLowerCase();
}

interface LeftLines {
  total: number;
  /** Unfinished lines, oldest first, then lines finished after the switch, newest first. */
  lines: LeftLine[];
}

/**
 * Returns sales, except training sales, in an environment that the shop left: unfinished lines, and
 * outcomes after the switch (rules#live-begun-sale).
 * @param leftAt undefined if the shop never left the environment
 */
async function readLeftLines(
  db: Db,
  scope: Scope,
  { leftAt, now }: { leftAt: number | undefined; now: number },
): Promise<LeftLines> {
  const ofTill = { ...scope, training: false };
  const sold = linesWithTransactions(db, ofTill).select([
    "t.transaction_id",
    "t.finished_at",
    "l.price",
    "l.discount",
    "l.owed",
  ]);
  const underWay = await sold
    .where("t.finished_at", "is", null)
    .orderBy("t.created_at")
    .orderBy("t.transaction_id")
    .execute();
  const finished =
    leftAt === undefined
      ? []
      : await sold
          .where("l.created_at", ">=", leftAt - MAX_OPEN_MS)
          .where("l.created_at", "<=", leftAt)
          .where("t.finished_at", ">", leftAt)
          .execute();
  // These lines are few: they were sold in the last days before the switch, and were open at the
  // switch.
  const newest = finished.toSorted((a, b) => Number(b.finished_at) - Number(a.finished_at));
  const rows = [...underWay.slice(0, LISTED), ...newest.slice(0, LISTED)];
  const paid = new Map(rows.map((row) => [row.transaction_id, row.price - row.discount]));
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  const lines = (await viewPaidLines(db, ofTill, paid, now)).map((line) => {
    const row = byId.get(line.transactionId);
    const finishedAt = row?.finished_at ?? undefined;
    return {
      ...line,
      ...(finishedAt !== undefined && { finishedAt: toTimestamp(finishedAt) }),
      owed: row?.owed === 1,
    };
  });
  return { total: underWay.length, lines };
}
