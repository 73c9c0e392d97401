import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { currentShiftQuery } from "../api/shift-queries.ts";
import type { Currency } from "./cash-field.tsx";
import { OpenShift } from "./open-shift.tsx";
import classes from "./shift-screen.module.css";
import { WhatIsNew } from "./what-is-new.tsx";

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
    return (
      <main className={classes.screen}>
        <div className={classes.card}>
          <OpenShift {...currency} />
          <WhatIsNew />
        </div>
      </main>
    );
  }
  return children;
}
