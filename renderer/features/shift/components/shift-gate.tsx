import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { late } from "../../../lib/late.tsx";
import { currentShiftQuery } from "../api/shift-queries.ts";
import type { Currency } from "./cash-field.tsx";

/** To be fetched ahead: most days begin with it. */
export const LateShiftBegin = late(async () => (await import("./shift-begin.tsx")).ShiftBegin);

interface ShiftGateProps extends Currency {
  /** No drawer is used, so none is asked for. */
  readonly training: boolean;
  readonly children: ReactNode;
}

/**
 * What is sold goes into a drawer, so the counter asks for it first. While the gateway cannot say
 * whether a shift is open, the counter stands: it refuses by itself.
 */
export function ShiftGate({ training, children, ...currency }: ShiftGateProps) {
  const current = useQuery(currentShiftQuery());
  if (training) {
    return children;
  }
  if (current.isPending && current.failureReason === null) {
    return null;
  }
  if (current.data && !current.data.shift) {
    return <LateShiftBegin {...currency} />;
  }
  return children;
}
