import { useEffect, useState } from "react";
import type { CustomerSide } from "../features/counter/customer-side.ts";

export const IDLE_SIDE: CustomerSide = { phase: "IDLE", lines: [], total: 0 };

/** The side as it is to be shown now: idle once its time is over, whatever screen the till is at. */
export function useSideInTime(side: CustomerSide): CustomerSide {
  const { idleAt } = side;
  const [overAt, setOverAt] = useState<number>();
  useEffect(() => {
    if (idleAt === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => setOverAt(idleAt), Math.max(0, idleAt - Date.now()));
    return () => clearTimeout(timer);
  }, [idleAt]);
  const isOver = idleAt !== undefined && (overAt === idleAt || Date.now() >= idleAt);
  return isOver ? IDLE_SIDE : side;
}
