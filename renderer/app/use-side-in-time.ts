import { useCallback, useEffect, useState } from "react";
import type { CustomerSide } from "../features/counter/customer-side.ts";

const IDLE: CustomerSide = { phase: "IDLE", lines: [], total: 0 };

/** The customer's side as it is to be shown now: idle once its time is over, whatever the till shows. */
export function useSideInTime(): readonly [CustomerSide, (side: CustomerSide) => void] {
  const [side, setSide] = useState(IDLE);
  const { idleAt } = side;
  useEffect(() => {
    if (idleAt === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => setSide(IDLE), idleAt - Date.now());
    return () => clearTimeout(timer);
  }, [idleAt]);
  const show = useCallback((told: CustomerSide) => {
    const isOver = told.idleAt !== undefined && told.idleAt <= Date.now();
    setSide(isOver ? IDLE : told);
  }, []);
  return [side, show];
}
