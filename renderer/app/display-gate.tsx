import { LateCustomerDisplay } from "./late-parts.ts";

/** The customer display. It needs no sign-in. */
export function DisplayGate() {
  return <LateCustomerDisplay />;
}
