import type { AlertKind } from "../../contract/pos/alerts.ts";
import type { Finding } from "./alert-source.ts";
import type { StoredAlert } from "./alert-store.ts";

/** What was found of the kinds that were looked at; of others nothing is known. */
export type Found = ReadonlyMap<AlertKind, readonly Finding[]>;

interface Moment {
  readonly now: number;
  newId(): string;
}

/**
 * What has to be written so that the open alerts are what was found: new ones, what changed of others,
 * and those that are well again. An alert owes a mail when it is opened, and when it is more urgent than
 * it ever was (rules#alert-once).
 * @returns the alerts as they are from now on; none where nothing changed
 */
export function planSteps(
  open: readonly StoredAlert[],
  found: Found,
  { now, newId }: Moment,
): StoredAlert[] {
  const known = new Map(open.map((alert) => [keyOf(alert.kind, alert), alert]));
  const steps: StoredAlert[] = [];
  const stays = new Set<string>();
  for (const [kind, findings] of found) {
    for (const finding of findings) {
      const key = keyOf(kind, finding);
      stays.add(key);
      const before = known.get(key);
      if (!before) steps.push(openAlert(kind, finding, { now, newId }));
      else if (!isSame(before, finding)) steps.push(changeAlert(before, finding, now));
    }
  }
  const over = open.filter(
    (alert) => found.has(alert.kind) && !stays.has(keyOf(alert.kind, alert)),
  );
  return [...steps, ...over.map((alert) => ({ ...alert, resolvedAt: now, mailDueAt: undefined }))];
}

function keyOf(
  kind: AlertKind,
  { environment, subject }: Pick<Finding, "environment" | "subject">,
) {
  return JSON.stringify([kind, environment ?? "", subject]);
}

function isSame(alert: StoredAlert, { cause, level, mark, facts }: Finding): boolean {
  const isAsFound = JSON.stringify(alert.facts) === JSON.stringify(facts);
  return isAsFound && alert.cause === cause && alert.level === level && alert.mark === mark;
}

function openAlert(kind: AlertKind, finding: Finding, { now, newId }: Moment): StoredAlert {
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
