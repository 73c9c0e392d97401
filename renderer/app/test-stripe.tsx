import type { Environment } from "../../server/contract/common.ts";
import classes from "./test-stripe.module.css";

/** A stripe along the top of every screen while nothing real is sold. */
export function TestStripe({ environment }: { readonly environment: Environment }) {
  return environment === "test" ? <div className={classes.stripe} aria-hidden="true" /> : null;
}
