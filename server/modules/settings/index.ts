import type { Scope } from "../../db/changes.ts";
import type { Db, Transactor, Tx } from "../../db/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit } from "../audit-trail/index.ts";

/** What an owner can switch for one environment. */
export interface EnvironmentSettings {
  /** Whether recoverable provider errors are retried for 24 h (spec §1, queue and retry). */
  queueEnabled: boolean;
}

export async function getSettings(db: Db | Tx, scope: Scope): Promise<EnvironmentSettings> {
  const row = await db
    .selectFrom("environment_settings")
    .select("queue_enabled")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .executeTakeFirstOrThrow();
  return { queueEnabled: row.queue_enabled === 1 };
}

export class SettingsService {
  readonly #parts: { db: Db; transactor: Transactor; clock: Clock };

  constructor(parts: { db: Db; transactor: Transactor; clock: Clock }) {
    this.#parts = parts;
  }

  get(scope: Scope): Promise<EnvironmentSettings> {
    return getSettings(this.#parts.db, scope);
  }

  async set(scope: Scope, settings: EnvironmentSettings): Promise<EnvironmentSettings> {
    const { transactor, clock } = this.#parts;
    await transactor.transact(async (tx) => {
      await tx
        .updateTable("environment_settings")
        .set({ queue_enabled: settings.queueEnabled ? 1 : 0 })
        .where("account_id", "=", scope.accountId)
        .where("environment", "=", scope.environment)
        .execute();
      await recordAudit(tx, {
        accountId: scope.accountId,
        staffId: undefined,
        action: "settings.change",
        subject: scope.environment,
        detail: { ...settings },
        at: clock.now(),
      });
    });
    return settings;
  }
}
