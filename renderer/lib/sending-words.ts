import { type ReceiptSending, SENDING_FAULTS } from "../../server/contract/pos/receipt-pages.ts";
import type { Translate } from "./i18n.ts";

const FAULTS = Object.keys(SENDING_FAULTS) as (keyof typeof SENDING_FAULTS)[];

/**
 * Describes the state of a sent receipt. A text message is only handed over to a service, which
 * alone knows whether the message arrives.
 */
export function sendingWords(
  { way, state, receiver }: Pick<ReceiptSending, "way" | "state" | "receiver">,
  t: Translate,
): string {
  if (way === "EMAIL" || state !== "SENT") {
    return t(`sale.send.state.${state}`);
  }
  return receiver === undefined ? t("sale.send.handed") : t("sale.send.handedTo", { receiver });
}

/** Describes a failure: translated if the till itself reports it, else the server's text. */
export function sendingFaultWords(fault: string, t: Translate): string {
  const known = FAULTS.find((one) => SENDING_FAULTS[one] === fault);
  return known === undefined ? fault : t(`sale.send.fault.${known}`);
}
