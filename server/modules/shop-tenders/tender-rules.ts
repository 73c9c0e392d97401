import { tidyName } from "../../contract/pos/name.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { ShopTender, ShopTenderInput } from "../../contract/pos/shop-tenders.ts";
import { tenderName } from "../../contract/pos/tender-words.ts";
import { TENDER_KINDS } from "../../contract/pos/tenders.ts";
import { Problem } from "../../contract/problem.ts";

/** What a list of tenders must agree with. */
interface Before {
  list: readonly ShopTender[];
  /** By which something was sold. */
  used: ReadonlySet<string>;
  language: Language;
}

type Fault = [field: string, rule: string];

/** As it is kept: names tidy, and absent where there is none. */
export function tidyTender({ name, ...tender }: ShopTenderInput): ShopTenderInput {
  return { ...tender, ...(name !== undefined && { name: tidyName(name) }) };
}

/**
 * Cash is there once and is always taken; what was sold by keeps its kind and its place in the list; no
 * two tenders are called the same (rules#tender-list).
 * @throws Problem INVALID_REQUEST naming the fields at fault
 */
export function requireList(list: readonly ShopTenderInput[], before: Before): void {
  const faults = [
    ...findMissing(list, before),
    ...list.flatMap((_, at) => findFaults(at, list, before)),
  ];
  if (faults.length === 0) return;
  const names = faults.map(([name]) => name).join(", ");
  throw new Problem(
    "INVALID_REQUEST",
    `The tenders are not valid: ${names}.`,
    Object.fromEntries(faults),
  );
}

function isFirst(tenderId: string | undefined): boolean {
  return TENDER_KINDS.some((kind) => kind === tenderId);
}

function findMissing(
  list: readonly ShopTenderInput[],
  { list: was, used, language }: Before,
): Fault[] {
  const kept = new Set(list.map(({ tenderId }) => tenderId));
  const gone = was.filter(
    ({ tenderId }) => !kept.has(tenderId) && (isFirst(tenderId) || used.has(tenderId)),
  );
  if (gone.length === 0) return [];
  const names = gone.map((tender) => tenderName(tender, language)).join(", ");
  return [["list", `must keep ${names}, which may be retired`]];
}

function findFaults(at: number, list: readonly ShopTenderInput[], before: Before): Fault[] {
  const tender = list[at];
  if (!tender) return [];
  const { tenderId, kind, name } = tender;
  const fault = (field: string, rule: string): Fault => [`list.${at}.${field}`, rule];
  const was = before.list.find((one) => one.tenderId === tenderId);
  const isKnown = tenderId === undefined || was !== undefined;
  const isTwice = tenderId !== undefined && list.findIndex((one) => one.tenderId === tenderId) < at;
  const keepsKind = isFirst(tenderId) || before.used.has(tenderId ?? "");
  const called = (one: ShopTenderInput) => tenderName(one, before.language).toLowerCase();
  const hasNamesake = list.slice(0, at).some((one) => called(one) === called(tender));
  return [
    ...(isKnown ? [] : [fault("tenderId", "is no tender of the shop")]),
    ...(isTwice ? [fault("tenderId", "is there a second time")] : []),
    ...(was && keepsKind && was.kind !== kind ? [fault("kind", `must stay ${was.kind}`)] : []),
    ...(kind === "CASH" && tenderId !== "CASH" ? [fault("kind", "is CASH a second time")] : []),
    ...(tenderId === "CASH" && !tender.offered ? [fault("offered", "must be true for cash")] : []),
    ...(name === undefined && !isFirst(tenderId) ? [fault("name", "is required")] : []),
    ...(hasNamesake ? [fault("name", "is taken")] : []),
  ];
}
