import { LateCustomerDisplay } from "./late-parts.ts";

/** Needs no sign-in. */
export function DisplayGate() {
  return <LateCustomerDisplay />;
}
