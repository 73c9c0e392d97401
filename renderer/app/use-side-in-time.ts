import { useEffect } from "react";
import type { CustomerSide } from "../features/counter/sale/shown/customer-side.ts";

export const IDLE_SIDE: CustomerSide = { phase: "IDLE", lines: [], total: 0 };

/** The customer's side as given, or idle once its time is over. */
export function inTime(side: CustomerSide): CustomerSide {
  return side.idleAt !== undefined && side.idleAt <= Date.now() ? IDLE_SIDE : side;
}

/** Ends what is shown when its time is over, whatever screen the till is at. */
export function useEndInTime({ idleAt }: CustomerSide, show: (side: CustomerSide) => void): void {
  useEffect(() => {
    if (idleAt === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => show(IDLE_SIDE), idleAt - Date.now());
    return () => clearTimeout(timer);
  }, [idleAt, show]);
}
