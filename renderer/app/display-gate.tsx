import { LateCustomerDisplay } from "./late-parts.ts";

/** The customer's side, which needs nobody signed in. */
export function DisplayGate() {
  return <LateCustomerDisplay />;
}
