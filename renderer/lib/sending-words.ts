import type { ReceiptSending } from "../../server/contract/pos/receipt-pages.ts";
import type { Translate } from "./i18n.ts";

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
