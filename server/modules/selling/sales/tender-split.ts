import type { SaleInput } from "../../../contract/pos/sales.ts";
import type { ShopTender } from "../../../contract/pos/shop-tenders.ts";
import {
  cashRoundingOf,
  sharesOf,
  type Tender,
  type TenderInput,
  tenderIdOf,
} from "../../../contract/pos/tenders.ts";
import { invalidField, Problem, refuseFields } from "../../../contract/problem.ts";
import type { Shop } from "../../shop/shop/index.ts";

/**
 * @param isPaid whether the money was already taken
 * @throws Problem PRICE_CHANGED, TENDER_OVER, TENDER_SHORT, TENDER_RETIRED, INVALID_REQUEST
 */
export function payBy(
  total: number,
  input: Pick<SaleInput, "tenders" | "cashRounding">,
  { shop, isPaid }: { shop: Pick<Shop, "cashStep" | "tenders">; isPaid: boolean },
): { cashRounding: number; tenders: Tender[] } {
  const cashRounding = checkRounding(total, input, shop.cashStep);
  const tenders = splitTenders(total, input.tenders, cashRounding);
  return { cashRounding, tenders: nameTenders(tenders, { known: shop.tenders, isPaid }) };
}

/**
 * Splits the total between the tenders, in the given order. The amounts add up to the total plus
 * the rounding of the cash part. Only cash may exceed the due amount, and the excess is change.
 * @param rounding result of `cashRoundingOf`
 * @throws Problem INVALID_REQUEST, TENDER_OVER, TENDER_SHORT, naming the invalid tender
 */
export function splitTenders(
  total: number,
  tenders: readonly TenderInput[],
  rounding = 0,
): Tender[] {
  requireWellFormed(tenders);
  let left = total;
  for (const [index, { kind, amount = 0 }] of tenders.entries()) {
    if (kind === "CASH") continue;
    if (amount > left) {
      throw new Problem("TENDER_OVER", "More is paid by card than the sale comes to.", {
        [`tenders.${index}.amount`]: `must not be more than ${left}`,
      });
    }
    left -= amount;
  }
  if (left === 0 && total > 0) refuseCash(tenders);
  requireCash(left + rounding, tenders);
  return sharesOf(total, tenders, rounding);
}

/**
 * Adds the present names of the tenders, which the sale stores (rules#tender-named).
 * @param isPaid whether the money was already taken; a retired tender is then accepted
 * @throws Problem INVALID_REQUEST, TENDER_RETIRED, naming the invalid tender
 */
function nameTenders(
  tenders: readonly Tender[],
  { known, isPaid }: { known: readonly ShopTender[]; isPaid: boolean },
): Tender[] {
  return tenders.map((tender, index) => {
    const { name } = requireTender(tender, { known, isPaid, field: `tenders.${index}.tenderId` });
    return { ...tender, ...(name !== undefined && { name }) };
  });
}

/**
 * @param field name of the field with the tender's id
 * @throws Problem INVALID_REQUEST, TENDER_RETIRED
 */
export function requireTender(
  tender: Pick<TenderInput, "kind" | "tenderId">,
  { known, isPaid, field }: { known: readonly ShopTender[]; isPaid: boolean; field: string },
): ShopTender {
  const tenderId = tenderIdOf(tender);
  const found = known.find((one) => one.tenderId === tenderId);
  if (found?.kind !== tender.kind) {
    throw invalidField(field, `is no tender of the shop of the kind ${tender.kind}`);
  }
  if (!found.offered && !isPaid) {
    throw new Problem("TENDER_RETIRED", "The shop does not take this tender any more.", {
      [field]: "is not taken any more",
    });
  }
  return found;
}

/** @throws Problem PRICE_CHANGED if the till displayed a different rounding */
function checkRounding(
  total: number,
  { tenders, cashRounding: told }: Pick<SaleInput, "tenders" | "cashRounding">,
  step: number,
): number {
  const rounding = cashRoundingOf(total, tenders, step);
  if (told === undefined || told === rounding) return rounding;
  throw new Problem("PRICE_CHANGED", "Cash is rounded otherwise by now.", {
    cashRounding: `is ${rounding} now`,
  });
}

/** Refuses cash beside tenders that pay everything: digits typed by mistake would become change. */
function refuseCash(tenders: readonly TenderInput[]): void {
  const index = tenders.findIndex(({ tendered = 0 }) => tendered > 0);
  if (index < 0) return;
  throw new Problem("TENDER_OVER", "The other payments already cover the sale.", {
    [`tenders.${index}.tendered`]: "must be 0, because nothing is left to pay",
  });
}

function requireCash(due: number, tenders: readonly TenderInput[]): void {
  const index = tenders.findIndex(({ kind }) => kind === "CASH");
  const tendered = tenders[index]?.tendered ?? 0;
  if (tendered >= due) return;
  const [field, rule] =
    index < 0
      ? ["tenders", `must pay ${due} more`]
      : [`tenders.${index}.tendered`, `must be at least ${due}`];
  throw new Problem("TENDER_SHORT", "What was handed over does not cover the price.", {
    [field]: rule,
  });
}

type FieldFault = [field: string, rule: string];

/** @throws Problem INVALID_REQUEST */
function requireWellFormed(tenders: readonly TenderInput[]): void {
  const faults = tenders.flatMap(({ kind, amount, tendered, reference }, index) => {
    const at = (name: string, rule: string): FieldFault => [`tenders.${index}.${name}`, rule];
    if (kind !== "CASH") {
      return [
        ...(amount === undefined ? [at("amount", "is required")] : []),
        ...(tendered === undefined ? [] : [at("tendered", "is for cash alone")]),
      ];
    }
    const isFirst = tenders.findIndex((tender) => tender.kind === "CASH") === index;
    return [
      ...(isFirst ? [] : [at("kind", "is CASH a second time")]),
      ...(tendered === undefined ? [at("tendered", "is required")] : []),
      ...(amount === undefined ? [] : [at("amount", "is not for cash")]),
      ...(reference === undefined ? [] : [at("reference", "is not for cash")]),
    ];
  });
  refuseFields("The payment is", Object.fromEntries(faults));
}
