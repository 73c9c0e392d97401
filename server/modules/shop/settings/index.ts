import { ENVIRONMENTS, type Environment } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import type { ConfirmNumber } from "../../../contract/pos/number-check.ts";
import { ReceiptText } from "../../../contract/pos/receipt-text.ts";
import type {
  ClockState,
  EnvironmentSettings,
  PosSettings,
} from "../../../contract/pos/settings.ts";
import {
  type DayClock,
  findTimeZone,
  machineTimeZone,
  type TimeZone,
} from "../../../contract/pos/shop-day.ts";
import { Problem } from "../../../contract/problem.ts";
import { acceptClock, readClock } from "../../../db/business-time.ts";
import { recordChangeInBoth, type Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type Clock, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { type AuditDetail, recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";

/** Maximum difference between the machine's clock and the displayed time that an owner confirms. */
const SHOWN_SLACK_MS = 5 * MINUTE;

export interface SettingsChange extends Partial<Record<Environment, EnvironmentSettings>> {
  lookupEnabled?: boolean;
  idleLockMinutes?: number;
  timeZone?: TimeZone;
  /** Start of the shop's day, in minutes after midnight. */
  dayStartsAt?: number;
  /** Cash rounding step in minor units of the shop's currency; 0 disables rounding. */
  cashStep?: number;
  /** When customers have to confirm the number of a top-up on their display. */
  confirmNumber?: ConfirmNumber;
  /** Days until delivered PINs and codes are deleted; 0 stores them forever. */
  keepDetailsDays?: number;
  /** Days until customers' numbers of finished sales are deleted; 0 stores them forever. */
  keepNumbersDays?: number;
  receipt?: Partial<ReceiptText>;
}

/** Returns the settings of an environment, such as retries (rules#purchase-retry). */
export async function getSettings(db: Db | Tx, scope: Scope): Promise<EnvironmentSettings> {
  const { accountId, environment } = scope;
  const [row] = (await selectQueueEnabled(db, { accountId, environment })).rows;
  if (!row) throw new Error(`the environment ${environment} has no settings`);
  return { queueEnabled: row.queue_enabled === 1 };
}

const selectQueueEnabled = compileOnce<Scope, { queue_enabled: 0 | 1 }>((db, param) =>
  db
    .selectFrom("environment_settings")
    .select("queue_enabled")
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment")),
);

export async function readDayClock(db: Db | Tx, accountId: string): Promise<DayClock> {
  const { timeZone, dayStartsAt } = await getAccountSettings(db, accountId);
  return { timeZone, dayStartsAt };
}

interface AccountSettings {
  lookupEnabled: boolean;
  idleLockMinutes: number;
  /** Time zone for `dayStartsAt`, which is in minutes after midnight. */
  timeZone: TimeZone;
  dayStartsAt: number;
  /** Cash rounding step in minor units of the shop's currency; 0 disables rounding. */
  cashStep: number;
  /** When customers have to confirm the number of a top-up on their display. */
  confirmNumber: ConfirmNumber;
  keepNumbersDays: number;
  receipt: ReceiptText;
}

async function getAccountSettings(db: Db | Tx, accountId: string): Promise<AccountSettings> {
  const row = await db
    .selectFrom("accounts")
    .select(["lookup_enabled", "idle_lock_minutes", "time_zone", "receipt_text_json", "cash_step"])
    .select(["day_starts_at", "confirm_number", "keep_numbers_days"])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return {
    lookupEnabled: row.lookup_enabled === 1,
    idleLockMinutes: row.idle_lock_minutes,
    timeZone: row.time_zone ?? machineTimeZone(),
    dayStartsAt: row.day_starts_at,
    cashStep: row.cash_step,
    confirmNumber: row.confirm_number,
    keepNumbersDays: row.keep_numbers_days,
    receipt: readColumn(ReceiptText, row.receipt_text_json, {
      table: "accounts",
      column: "receipt_text_json",
      row: accountId,
    }),
  };
}

async function getAll(
  db: Db | Tx,
  accountId: string,
): Promise<AccountSettings & Pick<PosSettings, "environments">> {
  return {
    ...(await getAccountSettings(db, accountId)),
    environments: {
      test: await getSettings(db, { accountId, environment: "test" }),
      live: await getSettings(db, { accountId, environment: "live" }),
    },
  };
}

async function getKeepDetailsDays(db: Db | Tx, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("accounts")
    .select("keep_details_days")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return row.keep_details_days;
}

export class SettingsService {
  readonly #deps: { db: Db; transactor: Transactor; clock: Clock };

  constructor(parts: { db: Db; transactor: Transactor; clock: Clock }) {
    this.#deps = parts;
  }

  async isLookupEnabled(accountId: string): Promise<boolean> {
    return (await getAccountSettings(this.#deps.db, accountId)).lookupEnabled;
  }

  getKeepDetailsDays(accountId: string): Promise<number> {
    return getKeepDetailsDays(this.#deps.db, accountId);
  }

  getOfAccount(accountId: string): Promise<AccountSettings> {
    return getAccountSettings(this.#deps.db, accountId);
  }

  getAll(accountId: string): Promise<PosSettings> {
    return readSnapshot(this.#deps.db, (snapshot) => getAll(snapshot, accountId));
  }

  async getClock(accountId: string): Promise<ClockState> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const { newest, isWrong } = await readClock(db, accountId, now);
    return {
      now: toTimestamp(now),
      ...(newest !== undefined && { newest: toTimestamp(newest) }),
      isWrong,
    };
  }

  /**
   * Accepts the machine's clock, even if the newest record is later (rules#clock-accepted).
   * @param shown time that the owner saw and confirmed
   * @throws Problem INVALID_REQUEST for `now`, or for `clock` if the machine's clock was never set
   */
  async acceptClock(who: Author, shown: number): Promise<ClockState> {
    const { transactor, clock } = this.#deps;
    const { accountId, staffId } = who;
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      if (Math.abs(shown - at) > SHOWN_SLACK_MS) {
        throw new Problem("INVALID_REQUEST", "The clock of this machine shows another time now.", {
          now: "must be the time of this machine",
        });
      }
      const { isWrong } = await readClock(tx, accountId, at);
      if (!isWrong) return;
      const newest = await acceptClock(tx, accountId, at);
      const detail = { from: toTimestamp(newest), to: toTimestamp(at) };
      const entry = { accountId, staffId, action: "settings.clock", subject: accountId } as const;
      await recordAudit(tx, { ...entry, detail, at });
    });
    return this.getClock(accountId);
  }

  /**
   * Changes all given settings, or none after an error.
   * @throws Problem INVALID_REQUEST naming `timeZone`
   */
  async change(who: Author, change: SettingsChange): Promise<PosSettings> {
    const timeZone = change.timeZone === undefined ? undefined : readTimeZone(change.timeZone);
    return this.#deps.transactor.transact(who.accountId, async (tx) => {
      const before = await getAll(tx, who.accountId);
      const { lookupEnabled = before.lookupEnabled, idleLockMinutes = before.idleLockMinutes } =
        change;
      if (lookupEnabled !== before.lookupEnabled) await this.#setLookup(tx, who, lookupEnabled);
      if (idleLockMinutes !== before.idleLockMinutes) {
        await this.#setOfTills(tx, who, { idleLockMinutes }, before);
      }
      if (timeZone !== undefined && timeZone !== before.timeZone) {
        await this.#setOfTills(tx, who, { timeZone }, before);
      }
      const { dayStartsAt = before.dayStartsAt } = change;
      if (dayStartsAt !== before.dayStartsAt) {
        await this.#setOfTills(tx, who, { dayStartsAt }, before);
      }
      if (change.cashStep !== undefined && change.cashStep !== before.cashStep) {
        await this.#setOfTills(tx, who, { cashStep: change.cashStep }, before);
      }
      const { confirmNumber = before.confirmNumber } = change;
      if (confirmNumber !== before.confirmNumber) {
        await this.#setOfTills(tx, who, { confirmNumber }, before);
      }
      if (change.keepDetailsDays !== undefined) {
        await this.#setKeepDetails(tx, who, change.keepDetailsDays);
      }
      const { keepNumbersDays = before.keepNumbersDays } = change;
      if (keepNumbersDays !== before.keepNumbersDays) {
        await this.#setKeepNumbers(tx, who, keepNumbersDays, before.keepNumbersDays);
      }
      const receipt = tidyReceipt({ ...before.receipt, ...change.receipt });
      if (JSON.stringify(receipt) !== JSON.stringify(before.receipt)) {
        await this.#setReceipt(tx, who, receipt, before.receipt);
      }
      for (const environment of ENVIRONMENTS) {
        const { queueEnabled } = change[environment] ?? before.environments[environment];
        if (queueEnabled !== before.environments[environment].queueEnabled) {
          await this.setQueueIn(tx, who, environment, queueEnabled);
        }
      }
      return getAll(tx, who.accountId);
    });
  }

  async #setLookup(tx: Tx, who: Author, lookupEnabled: boolean): Promise<void> {
    await tx
      .updateTable("accounts")
      .set({ lookup_enabled: lookupEnabled ? 1 : 0 })
      .where("account_id", "=", who.accountId)
      .execute();
    await this.#record(
      tx,
      who,
      who.accountId,
      whatChanged({ lookupEnabled: !lookupEnabled }, { lookupEnabled }),
    );
  }

  async #setKeepDetails(tx: Tx, who: Author, keepDetailsDays: number): Promise<void> {
    const { accountId } = who;
    const detail = whatChanged(
      { keepDetailsDays: await getKeepDetailsDays(tx, accountId) },
      { keepDetailsDays },
    );
    if (Object.keys(detail).length === 0) return;
    await tx
      .updateTable("accounts")
      .set({ keep_details_days: keepDetailsDays })
      .where("account_id", "=", accountId)
      .execute();
    await this.#record(tx, who, accountId, detail);
  }

  async #setKeepNumbers(tx: Tx, who: Author, keepNumbersDays: number, was: number): Promise<void> {
    const { accountId } = who;
    await tx
      .updateTable("accounts")
      .set({ keep_numbers_days: keepNumbersDays })
      .where("account_id", "=", accountId)
      .execute();
    const detail = whatChanged({ keepNumbersDays: was }, { keepNumbersDays });
    await this.#record(tx, who, accountId, detail);
  }

  async #setOfTills(
    tx: Tx,
    who: Author,
    change: SettingOfTills,
    before: AccountSettings,
  ): Promise<void> {
    const { accountId } = who;
    const at = this.#deps.clock.now();
    const { column, was } = getColumn(change, before);
    await tx.updateTable("accounts").set(column).where("account_id", "=", accountId).execute();
    await this.#record(tx, who, accountId, whatChanged(was, change));
    await recordChangeInBoth(tx, accountId, { topic: "shop", subject: accountId, at });
  }

  /** Does not notify tills, because each receipt reads the present text. */
  async #setReceipt(tx: Tx, who: Author, receipt: ReceiptText, before: ReceiptText): Promise<void> {
    await tx
      .updateTable("accounts")
      .set({ receipt_text_json: JSON.stringify(receipt) })
      .where("account_id", "=", who.accountId)
      .execute();
    const detail = whatChanged(toAuditFacts(before), toAuditFacts(receipt));
    await this.#record(tx, who, who.accountId, detail);
  }

  async setQueueIn(
    tx: Tx,
    who: Author,
    environment: Environment,
    queueEnabled: boolean,
  ): Promise<void> {
    await tx
      .updateTable("environment_settings")
      .set({ queue_enabled: queueEnabled ? 1 : 0 })
      .where(inScope({ accountId: who.accountId, environment }))
      .execute();
    const detail = whatChanged({ queueEnabled: !queueEnabled }, { queueEnabled });
    await this.#record(tx, who, environment, { ...detail, environment });
  }

  #record(tx: Tx, who: Author, subject: string, detail: AuditDetail): Promise<void> {
    return recordAudit(tx, {
      accountId: who.accountId,
      staffId: who.staffId,
      action: "settings.change",
      subject,
      detail,
      at: this.#deps.clock.now(),
    });
  }
}

type SettingOfTills =
  | { idleLockMinutes: number }
  | { timeZone: TimeZone }
  | { dayStartsAt: number }
  | { cashStep: number }
  | { confirmNumber: ConfirmNumber };

function getColumn(change: SettingOfTills, before: AccountSettings) {
  if ("timeZone" in change) {
    return { column: { time_zone: change.timeZone }, was: { timeZone: before.timeZone } };
  }
  if ("dayStartsAt" in change) {
    const { dayStartsAt } = before;
    return { column: { day_starts_at: change.dayStartsAt }, was: { dayStartsAt } };
  }
  if ("cashStep" in change) {
    return { column: { cash_step: change.cashStep }, was: { cashStep: before.cashStep } };
  }
  if ("confirmNumber" in change) {
    const { confirmNumber } = before;
    return { column: { confirm_number: change.confirmNumber }, was: { confirmNumber } };
  }
  const { idleLockMinutes } = before;
  return { column: { idle_lock_minutes: change.idleLockMinutes }, was: { idleLockMinutes } };
}

/** @throws Problem INVALID_REQUEST naming `timeZone` */
function readTimeZone(name: string): TimeZone {
  const timeZone = findTimeZone(name);
  if (timeZone !== undefined) return timeZone;
  throw new Problem("INVALID_REQUEST", `There is no time zone "${name}".`, {
    timeZone: "must be a time zone such as America/Guatemala",
  });
}

function toAuditFacts({ address, support }: ReceiptText): AuditDetail {
  return { receiptAddress: address.join(" | "), receiptSupport: support.join(" | ") };
}

function tidyReceipt({ address, support }: ReceiptText): ReceiptText {
  return { address: address.map(tidyName), support: support.map(tidyName) };
}

export function createSettingsModule(deps: Base) {
  const settings = new SettingsService(deps);
  return {
    services: { settings },
    pos: (app) => registerSettingsRoutes(app, settings),
  } satisfies Module;
}

async function registerSettingsRoutes(app: App, settings: SettingsService): Promise<void> {
  const { settingsOperations } = await import("../../../contract/pos/settings.ts");
  handle(app, settingsOperations.get, ({ actor }) => settings.getAll(actor.accountId));

  handle(app, settingsOperations.change, ({ actor, body }) => {
    const { environments, ...account } = body;
    return settings.change(actor, { ...account, ...environments });
  });

  handle(app, settingsOperations.getClock, ({ actor }) => settings.getClock(actor.accountId));

  handle(app, settingsOperations.acceptClock, ({ actor, body }) =>
    settings.acceptClock(actor, Date.parse(body.now)),
  );
}
