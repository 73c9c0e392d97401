import type { Translate } from "../../../lib/i18n.ts";
import type { NextThing } from "./step-control.ts";

/**
 * Blocks the step before the customer is asked for money that the wallet cannot turn into a
 * purchase.
 */
export function walletNext(t: Translate): NextThing {
  const words = t("counter.next.walletShort");
  return { label: words, ready: false, missing: words };
}
