import type { Selectable } from "kysely";
import { Type } from "typebox";
import type { Environment } from "../../../contract/common.ts";
import {
  type AlertCause,
  AlertFacts,
  type AlertKind,
  type AlertLevel,
  AlertMail,
  MAILED_KINDS,
} from "../../../contract/pos/alerts.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import { DAY } from "../../../lib/clock.ts";

/** Kinds known to earlier versions, which stored recipients without the list of known kinds. */
const FIRST_KINDS: readonly string[] = [
  ["WALLET", "TIE_OUT", "CASES", "REFUNDS", "PROVIDER_SLOW", "BRAND_PAUSED", "OFFERS_BLOCKED"],
  ["RATE", "LIVE_CHECKS", "BACKUP", "DISK", "WEBHOOK", "WRONG_PINS", "REPORT", "UPDATE", "NETWORK"],
].flat();

const KEPT_MS = 90 * DAY;

/** Instants are in milliseconds. */
export interface StoredAlert {
  alertId: string;
  environment: Environment | undefined;
  kind: AlertKind;
  subject: string;
  cause: AlertCause;
  level: AlertLevel;
  worstLevel: AlertLevel;
  mark: string;
  facts: AlertFacts;
  openedAt: number;
  resolvedAt: number | undefined;
  silencedAt: number | undefined;
  silencedBy: string | undefined;
  mailDueAt: number | undefined;
}

function toAlert(row: Selectable<Tables["alerts"]>): StoredAlert {
  return {
    alertId: row.alert_id,
    environment: row.environment ?? undefined,
    kind: row.kind,
    subject: row.subject,
    cause: row.cause,
    level: row.level,
    worstLevel: row.worst_level,
    mark: row.mark,
    facts: readColumn(AlertFacts, row.facts_json, {
      table: "alerts",
      column: "facts_json",
      row: row.alert_id,
    }),
    openedAt: row.opened_at,
    resolvedAt: row.resolved_at ?? undefined,
    silencedAt: row.silenced_at ?? undefined,
    silencedBy: row.silenced_by ?? undefined,
    mailDueAt: row.mail_due_at ?? undefined,
  };
}

export async function listOpenAlerts(db: Db | Tx, accountId: string): Promise<StoredAlert[]> {
  const rows = await db
    .selectFrom("alerts")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("resolved_at", "is", null)
    .orderBy("opened_at", "desc")
    .execute();
  return rows.map(toAlert);
}

export async function listResolvedAlerts(
  db: Db | Tx,
  accountId: string,
  { since, limit }: { since: number; limit: number },
): Promise<StoredAlert[]> {
  const rows = await db
    .selectFrom("alerts")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("resolved_at", ">=", since)
    .orderBy("resolved_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(toAlert);
}

export async function saveAlert(tx: Tx, accountId: string, alert: StoredAlert): Promise<void> {
  const values = {
    cause: alert.cause,
    level: alert.level,
    worst_level: alert.worstLevel,
    mark: alert.mark,
    facts_json: JSON.stringify(alert.facts),
    resolved_at: alert.resolvedAt ?? null,
    silenced_at: alert.silencedAt ?? null,
    silenced_by: alert.silencedBy ?? null,
    mail_due_at: alert.mailDueAt ?? null,
  };
  await tx
    .insertInto("alerts")
    .values({
      account_id: accountId,
      alert_id: alert.alertId,
      environment: alert.environment ?? null,
      kind: alert.kind,
      subject: alert.subject,
      opened_at: alert.openedAt,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "alert_id"]).doUpdateSet(values))
    .execute();
}

export async function pruneAlerts(tx: Tx, accountId: string, now: number): Promise<void> {
  await tx
    .deleteFrom("alerts")
    .where("account_id", "=", accountId)
    .where("resolved_at", "<", now - KEPT_MS)
    .execute();
}

/** @returns whether the alert is open */
export async function setSilence(
  tx: Tx,
  { accountId, alertId }: { accountId: string; alertId: string },
  silence: { at: number; by: string } | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("alerts")
    .set({ silenced_at: silence?.at ?? null, silenced_by: silence?.by ?? null })
    .where("account_id", "=", accountId)
    .where("alert_id", "=", alertId)
    .where("resolved_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function clearMailsDue(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable("alerts")
    .set({ mail_due_at: null })
    .where("account_id", "=", accountId)
    .where("resolved_at", "is", null)
    .where("mail_due_at", "is not", null)
    .execute();
}

export interface StoredAlertMail {
  settings: AlertMail;
  sentAt: number | undefined;
}

const ALERT_MAIL = accountSetting(
  "alert_mail",
  Type.Object({
    settings: AlertMail,
    /** Kinds of alerts that existed when the recipients were saved. */
    knownKinds: Type.Optional(Type.Array(Type.String())),
    sentAt: Type.Optional(Type.Integer()),
  }),
);

export async function findAlertMail(db: Db | Tx, accountId: string): Promise<StoredAlertMail> {
  const stored = await readSetting(db, accountId, ALERT_MAIL);
  if (!stored) return { settings: { list: [] }, sentAt: undefined };
  const { settings, knownKinds, sentAt } = stored;
  return { settings: withLaterKinds(settings, knownKinds ?? FIRST_KINDS), sentAt };
}

/** Adds kinds that did not exist when the recipients were saved. */
function withLaterKinds({ list }: AlertMail, before: readonly string[]): AlertMail {
  const later = MAILED_KINDS.filter((kind) => !before.includes(kind));
  return { list: list.map((to) => ({ ...to, kinds: [...new Set([...to.kinds, ...later])] })) };
}

export async function writeAlertMail(
  tx: Tx,
  accountId: string,
  { settings, sentAt }: StoredAlertMail,
): Promise<void> {
  const stored = {
    settings,
    knownKinds: [...MAILED_KINDS],
    ...(sentAt !== undefined && { sentAt }),
  };
  await writeSetting(tx, accountId, ALERT_MAIL, stored);
}
