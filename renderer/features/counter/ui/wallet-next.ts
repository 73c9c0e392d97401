import type { Translate } from "../../../lib/i18n.ts";
import type { NextThing } from "./step-control.ts";

/**
 * Blocks the step, so that the clerk takes no money for a purchase that the wallet cannot pay for.
 */
export function walletNext(t: Translate): NextThing {
  const words = t("counter.next.walletShort");
  return { label: words, ready: false, missing: words };
}
