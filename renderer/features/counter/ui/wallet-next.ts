import type { Translate } from "../../../lib/i18n.ts";
import type { NextThing } from "./step-control.ts";

/** Nothing goes on with what the wallet cannot pay for: no customer is asked for its price. */
export function walletNext(t: Translate): NextThing {
  const words = t("counter.next.walletShort");
  return { label: words, ready: false, missing: words };
}
