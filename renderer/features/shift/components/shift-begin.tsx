import type { Currency } from "./cash-field.tsx";
import { OpenShift } from "./open-shift.tsx";
import classes from "./shift-screen.module.css";
import { WhatIsNew } from "./what-is-new.tsx";

/** Where the counter will be, before a shift is open. */
export function ShiftBegin(currency: Currency) {
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <OpenShift {...currency} />
        <WhatIsNew />
      </div>
    </main>
  );
}
