import type { WebhookKind } from "../../../../server/contract/pos/webhooks.ts";
import type { Translate } from "../../../lib/i18n.ts";

/** Translates a kind: results of a family, receipts to send, or approval requests. */
export function kindWords(kind: WebhookKind, t: Translate): string {
  if (kind === "RECEIPT") {
    return t("office.settings.hooks.receipts");
  }
  return kind === "TRANSACTION" ? t("office.settings.hooks.ask") : t(`family.${kind}.tab`);
}
