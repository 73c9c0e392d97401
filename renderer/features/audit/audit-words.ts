import { AUDIT_ACTIONS, type AuditRecord } from "../../../server/contract/pos/audit-trail.ts";
import { NEED_NAMES, readNeeds } from "../../../server/contract/pos/rights.ts";
import { factWords, needFigure, needWords } from "../../lib/approval-words.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { MoneyUnit } from "../../lib/money.ts";
import type { Format } from "../../lib/use-format.ts";
import { varianceWords } from "../../lib/variance-words.ts";

/** Recorded fields of settings, printers, connections and wallets that are shown with a label. */
const FIELDS = [
  "name",
  "host",
  "port",
  "paper",
  "drawer",
  "lookupEnabled",
  "queueEnabled",
  "idleLockMinutes",
  "timeZone",
  "cashStep",
  "confirmNumber",
  "dayStartsAt",
  "keepDetailsDays",
  "keepNumbersDays",
  "receiptAddress",
  "receiptSupport",
  "enabled",
  "publicUrl",
  "keepDays",
  "detailsInMail",
  "baseUrl",
  "providerKind",
  "allowPrivate",
  "allowedAddresses",
  "scopes",
  "expiresOn",
  "startsAtLogin",
  "kiosk",
  "tray",
  "available",
  "lowAmount",
  "lowHours",
  "reference",
  "paid",
  "opensDrawer",
  "offered",
  "order",
] as const;

/** Actions whose recorded details are all shown, each with a label. */
const SAYS_ALL = [
  "approval.give",
  "approval.use",
  "receipt.print",
  "receipt.reprint",
  "receipt.link",
  "receipt.unlink",
  "receipt.page-details",
  "receipt.send",
  "receipt.resend",
  "sale.reveal",
  "sale.discount",
  "z-report.reprint",
  "printer.drawer-test",
  "reconciliation.settle",
] as const;

const TENDER_KINDS = ["CASH", "CARD", "OTHER"] as const;
const MOVEMENT_KINDS = ["PAY_IN", "PAY_OUT", "DROP", "NO_SALE"] as const;

/** Returns the text of an action, or its code if only earlier versions recorded it. */
export function actionWords(action: string, t: Translate): string {
  const known = AUDIT_ACTIONS.find((one) => one === action);
  return known ? t(`audit.action.${known}`) : action;
}

/** Returns the name of the record's person or object; undefined if the record has none. */
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

export function detailWords(
  { action, detail }: AuditRecord,
  t: Translate,
  format: Format,
  unit: MoneyUnit,
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
  const own = {
    currency: typeof detail.currency === "string" ? detail.currency : unit.currency,
    currencyDivisor: Number(detail.currencyDivisor ?? unit.currencyDivisor),
  };
  if (action === "staff.rights" || action === "staff.limits") {
    words.push(...changedWords(detail, t, format, own));
  } else {
    words.push(...fieldWords(detail, t, format, own));
  }
  if (SAYS_ALL.some((one) => one === action)) {
    const facts = factWords(detail, { t, format, unit: own });
    words.push(...facts.map(({ label, value }) => t("common.labelled", { label, value })));
  }
  words.push(
    ...moneyWords({ action, detail }, t, (minor) =>
      format.money(minor, own.currency, own.currencyDivisor),
    ),
  );
  if (action === "figures.export") {
    words.push(...exportWords(detail, t, format));
  }
  if (detail.environment === "test") {
    words.push(t("audit.training"));
  }
  return words;
}

/** Formats changed permissions and limits. A limit shows its previous and new value. */
function changedWords(
  detail: AuditRecord["detail"],
  t: Translate,
  format: Format,
  unit: MoneyUnit,
) {
  const names = new Set(Object.keys(detail).map((name) => name.replace(/\.was$/, "")));
  return NEED_NAMES.filter((right) => names.has(right)).map((right) => {
    const [now, was] = [detail[right], detail[`${right}.was`]];
    if (typeof now === "boolean") {
      return `${now ? "✓" : "✗"} ${needWords({ right }, t, format, unit)}`;
    }
    const upTo = (asked: unknown) =>
      typeof asked === "number" ? needFigure({ right, asked }, format, unit) : t("audit.noLimit");
    const words = `≤ ${needWords({ right, asked: Number(now ?? was) }, t, format, unit)}`;
    if (was === undefined && typeof now === "number" && right === "discountPct") return words;
    return `${words}: ${t("audit.wasNow", { from: upTo(was), to: upTo(now) })}`;
  });
}

function fieldWords(detail: AuditRecord["detail"], t: Translate, format: Format, unit: MoneyUnit) {
  return FIELDS.flatMap((name) => {
    const [now, was] = [detail[name], detail[`${name}.was`]];
    if (now === undefined && was === undefined) return [];
    const say = (value: string | number | boolean | undefined) => {
      if (value === undefined || value === "") return "–";
      if (typeof value === "boolean") return value ? "✓" : "✗";
      return (name === "available" || name === "lowAmount") && typeof value === "number"
        ? format.money(value, unit.currency, unit.currencyDivisor)
        : String(value);
    };
    const value =
      was === undefined ? say(now) : t("audit.wasNow", { from: say(was), to: say(now) });
    return [t("common.labelled", { label: t(`audit.field.${name}`), value })];
  });
}

function exportWords(detail: AuditRecord["detail"], t: Translate, format: Format): string[] {
  const { rows, firstDay, lastDay, value, valueName } = detail;
  if (rows !== "LINES" && rows !== "MOVEMENTS" && rows !== "STATEMENT") return [];
  const [from, to] = [firstDay, lastDay].map((day) => format.shopDate(String(day)));
  const only = valueName || value;
  return [
    t(`audit.export.${rows}`),
    from === to ? String(from) : `${from} – ${to}`,
    ...(only === undefined ? [] : [String(only)]),
  ];
}

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

function moneyWords(
  { action, detail }: Pick<AuditRecord, "action" | "detail">,
  t: Translate,
  money: (minor: number) => string,
): string[] {
  const { amount, linesBelowCost, float, kind, tender, reason, variance, zNumber } = detail;
  const sum = typeof amount === "number" && amount !== 0 ? [money(amount)] : [];
  switch (action) {
    case "sale.discount":
      return typeof linesBelowCost === "number" ? [t("approval.need.belowCost")] : [];
    case "sale.customer-refund":
      return [
        ...sum,
        ...(isOneOf(TENDER_KINDS, kind) ? [t(`counter.tender.${kind}`)] : waysOf(detail, t, money)),
        ...(typeof tender === "string" ? [tender] : []),
      ];
    case "tender.add":
    case "tender.change":
    case "tender.remove":
      return isOneOf(TENDER_KINDS, kind) ? [t(`counter.tender.${kind}`)] : [];
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
