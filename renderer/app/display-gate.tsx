import { LateCustomerDisplay } from "./late-parts.ts";

/** The customer display, which needs no sign-in. */
export function DisplayGate() {
  return <LateCustomerDisplay />;
}
