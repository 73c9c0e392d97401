import { type DayClock, startOfDay } from "../../../../../server/contract/pos/shop-day.ts";
import { isAt } from "./attempt-store.ts";
import type { TillPlace } from "./till.ts";

/** The newest sale a person made at this device. */
interface LastSale extends TillPlace {
  readonly saleId: string;
  readonly paidAt: number;
}

const STORAGE_KEY = "tillgate.last-sales";
/** After this long the customer has left: the sale is found in Today. */
const SHOWN_FOR_MS = 15 * 60_000;

/** Keeps the sale for its seller, over their one before. */
export function rememberSale(sale: LastSale): void {
  const others = listSales().filter(({ staffId }) => staffId !== sale.staffId);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, sale]));
  } catch {
    // A browser that keeps nothing shows nothing after a reload; the sale itself is safe.
  }
}

/** The sale to show again after a reload: made by the same person, today, a moment ago. */
export function findRecentSale(
  { day, ...place }: TillPlace & { readonly day: DayClock },
  now: number,
): Pick<LastSale, "saleId" | "paidAt"> | undefined {
  return listSales().find(
    (sale) =>
      isAt(place, sale) && now - sale.paidAt < SHOWN_FOR_MS && sale.paidAt >= startOfDay(now, day),
  );
}

/** When the money of a sale was taken here, while it is the newest of its seller. */
export function paidAtOf(saleId: string): number | undefined {
  return listSales().find((sale) => sale.saleId === saleId)?.paidAt;
}

function listSales(): LastSale[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as unknown;
    return Array.isArray(stored) ? stored.filter(isLastSale) : [];
  } catch {
    return [];
  }
}

function isLastSale(value: unknown): value is LastSale {
  return typeof value === "object" && value !== null && "saleId" in value && "paidAt" in value;
}
