import { readNeeds } from "../../../server/contract/pos/approvals.ts";
import { AUDIT_ACTIONS, type AuditRecord } from "../../../server/contract/pos/audit-trail.ts";
import { needWords } from "../../components/approval/need-words.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { Format } from "../../lib/use-format.ts";

interface Unit {
  readonly currency: string;
  readonly currencyDivisor: number;
}

/** What was done, in plain words; what an earlier version recorded keeps its code. */
export function actionWords(action: string, t: Translate): string {
  const known = AUDIT_ACTIONS.find((one) => one === action);
  return known ? t(`audit.action.${known}`) : action;
}

/** Whom or what it is about, where that can be said to people. */
export function subjectWords(record: AuditRecord, t: Translate): string | undefined {
  const { subjectName, staff } = record;
  if (subjectName === undefined) {
    return undefined;
  }
  if (/^\d+$/.test(subjectName)) {
    return t("audit.sale", { number: subjectName.padStart(6, "0") });
  }
  return record.subject === staff?.staffId ? undefined : subjectName;
}

/** The rest of it: both names of an approval, what was before and is now, figures. */
export function detailWords(
  { action, detail }: AuditRecord,
  t: Translate,
  format: Format,
  unit: Unit,
): string[] {
  const words: string[] = [];
  const { needs, approvedBy, requestedBy, from, to } = detail;
  if (typeof needs === "string") {
    words.push(...readNeeds(needs).map((need) => needWords(need, t, format, unit)));
  }
  if (typeof approvedBy === "string" && "approverId" in detail) {
    words.push(t("audit.approvedBy", { name: approvedBy }));
  }
  if (typeof requestedBy === "string") {
    words.push(t("audit.requestedBy", { name: requestedBy }));
  }
  if (from !== undefined && to !== undefined) {
    const say = (value: unknown) =>
      action === "staff.role" ? t(`role.${value as "clerk"}`) : String(value);
    words.push(t("audit.wasNow", { from: say(from), to: say(to) }));
  }
  if (action === "staff.rights" || action === "staff.limits") {
    words.push(...changedWords(detail, t, format, unit));
  }
  if (detail.environment === "test") {
    words.push(t("audit.training"));
  }
  return words;
}

function changedWords(detail: AuditRecord["detail"], t: Translate, format: Format, unit: Unit) {
  return Object.entries(detail).map(([name, value]) => {
    const need = { right: name, asked: Number(value) } as Parameters<typeof needWords>[0];
    return typeof value === "boolean"
      ? `${value ? "✓" : "✗"} ${needWords({ right: need.right }, t, format, unit)}`
      : `≤ ${needWords(need, t, format, unit)}`;
  });
}
