import { type ReceiptSending, SENDING_FAULTS } from "../../server/contract/pos/receipt-pages.ts";
import type { Translate } from "./i18n.ts";

const FAULTS = Object.keys(SENDING_FAULTS) as (keyof typeof SENDING_FAULTS)[];

/** What became of a receipt that was sent. A message is handed over; only its sender learns whether it arrives. */
export function sendingWords(
  { way, state, receiver }: Pick<ReceiptSending, "way" | "state" | "receiver">,
  t: Translate,
): string {
  if (way === "EMAIL" || state !== "SENT") {
    return t(`sale.send.state.${state}`);
  }
  return receiver === undefined ? t("sale.send.handed") : t("sale.send.handedTo", { receiver });
}

/** Why one did not go: in the till's words where the till itself says so, or as the server said it. */
export function sendingFaultWords(fault: string, t: Translate): string {
  const known = FAULTS.find((one) => SENDING_FAULTS[one] === fault);
  return known === undefined ? fault : t(`sale.send.fault.${known}`);
}
