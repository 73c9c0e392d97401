import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Actor, Author } from "../../../contract/pos/actor.ts";
import {
  ALERT_KINDS,
  ALERT_LEVELS,
  type Alert,
  type AlertKind,
  type AlertList,
  type AlertMail,
  alertKindsFor,
} from "../../../contract/pos/alerts.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, recordChangeInBoth } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { DAY, MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { getBalances, toBalanceRecord } from "../../books/wallet/index.ts";
import type { MailService } from "../../messages/mail/index.ts";
import { enqueueMessage } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import type { Shop, ShopService } from "../../shop/shop/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { AlertMailer } from "./alert-mailer.ts";
import type { AlertSource, Finding } from "./alert-source.ts";
import {
  findAlertMail,
  listOpenAlerts,
  listResolvedAlerts,
  pruneAlerts,
  type StoredAlert,
  saveAlert,
  setSilence,
  writeAlertMail,
} from "./alert-store.ts";
import { BalanceMessages } from "./balance-messages.ts";
import { createSources, type SourceDeps } from "./sources/index.ts";

const RESOLVED_SHOWN_MS = 7 * DAY;
const RESOLVED_SHOWN = 30;

interface AlertServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  rounds: Pick<AlertRounds, "isFirst">;
}

class AlertService {
  readonly #deps: AlertServiceDeps;

  constructor(deps: AlertServiceDeps) {
    this.#deps = deps;
  }

  /** Returns the alerts that the person can act on (rules#alert-readers); none in training. */
  async list(actor: Actor): Promise<AlertList> {
    const { db, clock, rounds } = this.#deps;
    const { accountId, training } = actor;
    // Read before the alerts, which a check that ends in between would have changed.
    const isChecking = rounds.isFirst;
    const watched = training ? [] : alertKindsFor(actor);
    const mine = ({ kind }: StoredAlert) => watched.includes(kind);
    const open = (await listOpenAlerts(db, accountId)).filter(mine).sort(byUrgency);
    const since = clock.now() - RESOLVED_SHOWN_MS;
    const over = await listResolvedAlerts(db, accountId, { since, limit: RESOLVED_SHOWN });
    const silencers = open.flatMap(({ silencedBy }) => silencedBy ?? []);
    const names = await staffNames(db, accountId, [...new Set(silencers)]);
    const view = (alert: StoredAlert) => viewAlert(alert, names);
    return {
      watched,
      ...(isChecking && { isChecking }),
      open: open.map(view),
      resolved: over.filter(mine).map(view),
    };
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

/**
 * Maximum interval between checks. Not every problem follows a commit of this process: other
 * processes also write, and a rate becomes too old without any write.
 */
const EVERY_MS = MINUTE;
/** Delay of a check after a commit, so that a burst of sales triggers a single check. */
const SOON_MS = 5 * SECOND;

interface AlertRoundsDeps
  extends Pick<Base, "accountId" | "db" | "transactor" | "clock" | "ids" | "log"> {
  shop: ShopService;
  mailer: AlertMailer;
  balances: Pick<BalanceMessages, "check">;
  sources: readonly AlertSource[];
}

/**
 * Stores present problems as rows. Each problem is therefore reported once, even after a power
 * failure, and its resolution is detected (rules#alert-once).
 */
class AlertRounds {
  readonly #deps: AlertRoundsDeps;
  readonly #lookedAt = new Map<AlertSource, number>();
  #cancel: () => void = () => {};
  #dueAt = Number.POSITIVE_INFINITY;
  #turn: Promise<void> = Promise.resolve();
  #isStopped = true;
  #isComplete = false;

  constructor(deps: AlertRoundsDeps) {
    this.#deps = deps;
    deps.transactor.onCommit(() => this.#scheduleCheck(SOON_MS));
  }

  /** True until the first automatic check of the process is complete. */
  get isFirst(): boolean {
    return !this.#isStopped && !this.#isComplete;
  }

  start(): void {
    this.#isStopped = false;
    this.#scheduleCheck(SOON_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#turn;
  }

  #scheduleCheck(delay_ms: number): void {
    const { clock, log } = this.#deps;
    const dueAt = clock.now() + delay_ms;
    if (this.#isStopped || dueAt >= this.#dueAt) return;
    this.#cancel();
    this.#dueAt = dueAt;
    this.#cancel = clock.wakeAt(dueAt, () => {
      this.#turn = this.look()
        .catch((error: unknown) => log.warn({ err: error }, "the check of alerts failed"))
        .finally(() => {
          this.#dueAt = Number.POSITIVE_INFINITY;
          this.#scheduleCheck(EVERY_MS);
        });
    });
  }

  /** Checks all sources. A shop has no alerts before its set-up. */
  async look(): Promise<void> {
    const { accountId, db, transactor, clock, mailer, balances, log } = this.#deps;
    await balances
      .check()
      .catch((error: unknown) => log.warn({ err: error }, "the check of the balances failed"));
    const shop = await this.#deps.shop.find(accountId);
    if (!shop) return;
    const now = clock.now();
    const open = await listOpenAlerts(db, accountId);
    const found = await this.#findAll(shop, open, now);
    const isMailDue = await mailer.isDue(db, open, now);
    if (this.#plan(open, found, now).length > 0 || isMailDue) {
      await transactor.transact(accountId, async (tx) => {
        const steps = this.#plan(await listOpenAlerts(tx, accountId), found, now);
        await this.#write(tx, steps, now);
        await mailer.write(tx, shop, now);
      });
    }
    this.#isComplete = true;
  }

  #plan(open: readonly StoredAlert[], found: FindingsByKind, now: number): StoredAlert[] {
    return planSteps(open, found, { now, newId: () => this.#deps.ids.uuid() });
  }

  async #write(tx: Tx, steps: readonly StoredAlert[], now: number): Promise<void> {
    if (steps.length === 0) return;
    const { accountId } = this.#deps;
    for (const alert of steps) {
      await saveAlert(tx, accountId, alert);
      await announceBalance(tx, accountId, alert);
    }
    await pruneAlerts(tx, accountId, now);
    // Notifies the tills of both environments: some alerts concern the whole shop, and live alerts
    // are also shown in test.
    await recordChangeInBoth(tx, accountId, { topic: "alerts", subject: "", at: now });
  }

  /** Collects all findings. If a source throws, the alerts of its kind stay unchanged. */
  async #findAll(shop: Shop, open: readonly StoredAlert[], now: number): Promise<FindingsByKind> {
    const { accountId, sources, log } = this.#deps;
    const { tillEnvironment: selling } = shop;
    const watched = ENVIRONMENTS.filter((one) => one === "live" || one === selling);
    const found = new Map<AlertSource["kind"], Awaited<ReturnType<AlertSource["find"]>>>();
    for (const source of sources) {
      const { kind, every_ms = 0 } = source;
      const lookedAt = this.#lookedAt.get(source);
      if (lookedAt !== undefined && Math.abs(now - lookedAt) < every_ms) continue;
      const ofKind = open.filter((alert) => alert.kind === kind);
      try {
        const watch = { accountId, now, shop, selling, watched, open: ofKind };
        found.set(kind, await source.find(watch));
        this.#lookedAt.set(source, now);
      } catch (error) {
        log.warn({ err: error, kind }, "a source of alerts failed; its alerts stay unchanged");
      }
    }
    return found;
  }
}

/** Sends the balance to the webhooks once for each alert, as GET returns it. */
async function announceBalance(
  tx: Tx,
  accountId: string,
  { kind, environment, alertId: subject, openedAt: at, resolvedAt }: StoredAlert,
): Promise<void> {
  if (kind !== "WALLET" || !environment || resolvedAt !== undefined) return;
  const scope = { accountId, environment };
  await enqueueMessage(tx, { ...scope, kind: "BALANCE", subject, at }, async () =>
    toBalanceRecord(await getBalances(tx, scope)),
  );
}

/** A missing kind was not checked. */
type FindingsByKind = ReadonlyMap<AlertKind, readonly Finding[]>;

interface PlanContext {
  readonly now: number;
  newId(): string;
}

/**
 * Returns the writes that make the open alerts match the findings. An alert is mailed when it
 * opens, and when its level exceeds all its earlier levels (rules#alert-once).
 * @returns changed alerts only
 */
function planSteps(
  open: readonly StoredAlert[],
  found: FindingsByKind,
  { now, newId }: PlanContext,
): StoredAlert[] {
  const known = new Map(open.map((alert) => [toKey(alert.kind, alert), alert]));
  const steps: StoredAlert[] = [];
  const stays = new Set<string>();
  for (const [kind, findings] of found) {
    for (const finding of findings) {
      const key = toKey(kind, finding);
      stays.add(key);
      const before = known.get(key);
      if (!before) steps.push(openAlert(kind, finding, { now, newId }));
      else if (!isSame(before, finding)) steps.push(changeAlert(before, finding, now));
    }
  }
  const over = open.filter(
    (alert) => found.has(alert.kind) && !stays.has(toKey(alert.kind, alert)),
  );
  return [...steps, ...over.map((alert) => ({ ...alert, resolvedAt: now, mailDueAt: undefined }))];
}

function toKey(
  kind: AlertKind,
  { environment, subject }: Pick<Finding, "environment" | "subject">,
) {
  return JSON.stringify([kind, environment ?? "", subject]);
}

function isSame(alert: StoredAlert, { cause, level, mark, facts }: Finding): boolean {
  const isAsFound = JSON.stringify(alert.facts) === JSON.stringify(facts);
  return isAsFound && alert.cause === cause && alert.level === level && alert.mark === mark;
}

function openAlert(kind: AlertKind, finding: Finding, { now, newId }: PlanContext): StoredAlert {
  return {
    alertId: newId(),
    kind,
    ...finding,
    worstLevel: finding.level,
    openedAt: now,
    resolvedAt: undefined,
    silencedAt: undefined,
    silencedBy: undefined,
    mailDueAt: now,
  };
}

function changeAlert(before: StoredAlert, finding: Finding, now: number): StoredAlert {
  const isWorse = finding.level === "URGENT" && before.worstLevel === "SOON";
  const isHeardAgain = finding.mark !== before.mark;
  return {
    ...before,
    ...finding,
    worstLevel: isWorse ? finding.level : before.worstLevel,
    ...(isHeardAgain && { silencedAt: undefined, silencedBy: undefined }),
    ...(isWorse && { mailDueAt: before.mailDueAt ?? now }),
  };
}

type AlertsModuleDeps = Base &
  SourceDeps & {
    shop: ShopService;
    mail: MailService;
    /** Runs checks automatically unless false. */
    automaticAlerts?: boolean;
    sandbox?: Sandbox;
  };

export function createAlertsModule({ automaticAlerts = true, ...deps }: AlertsModuleDeps) {
  const mailer = new AlertMailer(deps);
  const balances = new BalanceMessages({ ...deps, isSandbox: deps.sandbox !== undefined });
  const alertRounds = new AlertRounds({ ...deps, mailer, balances, sources: createSources(deps) });
  const alerts = new AlertService({ ...deps, rounds: alertRounds });
  return {
    services: { alertRounds },
    pos: (app) => registerAlertRoutes(app, alerts),
    start() {
      if (automaticAlerts) alertRounds.start();
      balances.start();
    },
    async stop() {
      await alertRounds.stop();
      await balances.stop();
    },
  } satisfies Module;
}

async function registerAlertRoutes(app: App, alerts: AlertService): Promise<void> {
  const { alertOperations } = await import("../../../contract/pos/alerts.ts");
  handle(app, alertOperations.list, ({ actor }) => alerts.list(actor));
  handle(app, alertOperations.silence, async ({ actor, params, body }) => {
    await alerts.silence(actor, params.alertId, body.on);
    return {};
  });
  handle(app, alertOperations.getMail, ({ actor }) => alerts.getMail(actor.accountId));
  handle(app, alertOperations.setMail, ({ actor: { accountId, staffId }, body }) =>
    alerts.setMail({ accountId, staffId }, body),
  );
}
