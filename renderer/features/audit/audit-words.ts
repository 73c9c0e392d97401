import { readNeeds } from "../../../server/contract/pos/approvals.ts";
import { AUDIT_ACTIONS, type AuditRecord } from "../../../server/contract/pos/audit-trail.ts";
import { needWords } from "../../components/approval/need-words.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { Format } from "../../lib/use-format.ts";
import { varianceWords } from "../../lib/variance-words.ts";

const TENDER_KINDS = ["CASH", "CARD", "OTHER"] as const;
const MOVEMENT_KINDS = ["PAY_IN", "PAY_OUT", "DROP", "NO_SALE"] as const;

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
  words.push(
    ...moneyWords({ action, detail }, t, (minor) =>
      format.money(minor, unit.currency, unit.currencyDivisor),
    ),
  );
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

/** What of it went by each kind of tender, where it went by several. */
function waysOf(
  detail: AuditRecord["detail"],
  t: Translate,
  money: (minor: number) => string,
): string[] {
  return TENDER_KINDS.flatMap((kind) => {
    const part = detail[kind];
    return typeof part === "number" ? [`${t(`counter.tender.${kind}`)} ${money(part)}`] : [];
  });
}

/** What moved: how much, which way, for what reason, and whether a drawer was right. */
function moneyWords(
  { action, detail }: Pick<AuditRecord, "action" | "detail">,
  t: Translate,
  money: (minor: number) => string,
): string[] {
  const { amount, discount, linesBelowCost, float, kind, reason, variance, zNumber } = detail;
  const sum = typeof amount === "number" && amount !== 0 ? [money(amount)] : [];
  switch (action) {
    case "sale.discount":
      return [
        ...(typeof discount === "number" ? [money(discount)] : []),
        ...(typeof linesBelowCost === "number" ? [t("approval.need.belowCost")] : []),
      ];
    case "sale.give-back":
      return [
        ...sum,
        ...(isOneOf(TENDER_KINDS, kind) ? [t(`counter.tender.${kind}`)] : waysOf(detail, t, money)),
      ];
    case "shift.open":
      return typeof float === "number" ? [`${t("shift.float")} ${money(float)}`] : [];
    case "shift.movement":
      return [
        ...(isOneOf(MOVEMENT_KINDS, kind) ? [t(`shift.move.${kind}`)] : []),
        ...sum,
        ...(typeof reason === "string" && reason !== "" ? [`“${reason}”`] : []),
      ];
    case "shift.close":
    case "shift.force-close":
      return [
        ...(typeof zNumber === "number" ? [t("shift.z.title", { number: zNumber })] : []),
        varianceWords(typeof variance === "number" ? variance : undefined, t, money),
      ];
    default:
      return [];
  }
}

function isOneOf<One extends string>(known: readonly One[], value: unknown): value is One {
  return known.some((one) => one === value);
}
