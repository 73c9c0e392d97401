import type { Actor, Author } from "../../../contract/pos/actor.ts";
import {
  ALERT_KINDS,
  ALERT_LEVELS,
  type Alert,
  type AlertList,
  type AlertMail,
  alertKindsFor,
} from "../../../contract/pos/alerts.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange } from "../../../db/changes.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import { staffNames } from "../../shop/staff/index.ts";
import {
  findAlertMail,
  listOpenAlerts,
  listResolvedAlerts,
  type StoredAlert,
  setSilence,
  writeAlertMail,
} from "./alert-store.ts";

const RESOLVED_SHOWN_MS = 7 * DAY;
const RESOLVED_SHOWN = 30;

type AlertServiceDeps = Pick<Base, "db" | "transactor" | "clock">;

export class AlertService {
  readonly #deps: AlertServiceDeps;

  constructor(deps: AlertServiceDeps) {
    this.#deps = deps;
  }

  /** Returns the alerts that the person can act on (rules#alert-readers); none in training. */
  async list(actor: Actor): Promise<AlertList> {
    const { db, clock } = this.#deps;
    const { accountId, training } = actor;
    const watched = training ? [] : alertKindsFor(actor);
    const mine = ({ kind }: StoredAlert) => watched.includes(kind);
    const open = (await listOpenAlerts(db, accountId)).filter(mine).sort(byUrgency);
    const since = clock.now() - RESOLVED_SHOWN_MS;
    const over = await listResolvedAlerts(db, accountId, { since, limit: RESOLVED_SHOWN });
    const silencers = open.flatMap(({ silencedBy }) => silencedBy ?? []);
    const names = await staffNames(db, accountId, [...new Set(silencers)]);
    const view = (alert: StoredAlert) => viewAlert(alert, names);
    return { watched, open: open.map(view), resolved: over.filter(mine).map(view) };
  }

  /**
   * Hides an alert from the bell and mails, until it changes or the silence ends.
   * @throws Problem NOT_FOUND if the alert is not open
   */
  async silence(
    { accountId, staffId, environment }: Actor,
    alertId: string,
    on: boolean,
  ): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      const silence = on ? { at, by: staffId } : undefined;
      const open = await listOpenAlerts(tx, accountId);
      const alert = open.find((one) => one.alertId === alertId);
      if (!alert || !(await setSilence(tx, { accountId, alertId }, silence))) {
        throw new Problem("NOT_FOUND", "This alert is not open any more.");
      }
      const action = on ? "alert.silence" : "alert.unsilence";
      const entry = { accountId, staffId, action, subject: alert.cause, at } as const;
      await recordAudit(tx, entry);
      const scope = { accountId, environment };
      await recordChange(tx, scope, { topic: "alerts", subject: "", at });
    });
  }

  async getMail(accountId: string): Promise<AlertMail> {
    return (await findAlertMail(this.#deps.db, accountId)).settings;
  }

  async setMail({ accountId, staffId }: Author, settings: AlertMail): Promise<AlertMail> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      const before = await findAlertMail(tx, accountId);
      await writeAlertMail(tx, accountId, { ...before, settings });
      const to = settings.list.map(({ address }) => address).join(", ");
      const entry = { accountId, staffId, subject: "alerts", detail: { to }, at: clock.now() };
      await recordAudit(tx, { ...entry, action: "alert.mail" });
    });
    return settings;
  }
}

/** Sorts silenced alerts last, then by urgency, kind, and newest first. */
function byUrgency(a: StoredAlert, b: StoredAlert): number {
  const quiet = ({ silencedAt }: StoredAlert) => (silencedAt === undefined ? 0 : 1);
  const level = (alert: StoredAlert) => ALERT_LEVELS.indexOf(alert.level);
  const kind = (alert: StoredAlert) => ALERT_KINDS.indexOf(alert.kind);
  return quiet(a) - quiet(b) || level(a) - level(b) || kind(a) - kind(b) || b.openedAt - a.openedAt;
}

function viewAlert(alert: StoredAlert, names: ReadonlyMap<string, string>): Alert {
  const { alertId, environment, kind, cause, level, facts, openedAt, resolvedAt } = alert;
  const { silencedAt, silencedBy = "" } = alert;
  return {
    alertId,
    ...(environment && { environment }),
    kind,
    cause,
    level,
    facts,
    openedAt: toTimestamp(openedAt),
    ...(resolvedAt !== undefined && { resolvedAt: toTimestamp(resolvedAt) }),
    ...(silencedAt !== undefined && {
      silenced: { at: toTimestamp(silencedAt), name: names.get(silencedBy) ?? "" },
    }),
  };
}
