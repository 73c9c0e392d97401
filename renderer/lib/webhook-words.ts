import { FAMILIES, type Family } from "../../server/contract/pos/families.ts";
import type { WebhookKind } from "../../server/contract/pos/webhooks.ts";
import { joinParts } from "./direction.ts";
import type { Translate } from "./i18n.ts";
import type { Format } from "./use-format.ts";

/** Translates a kind: results of a family, events, receipts to send, or approval requests. */
export function kindWords(kind: WebhookKind, t: Translate): string {
  if (kind === "RECEIPT") {
    return t("office.settings.hooks.receipts");
  }
  if (kind === "TRANSACTION") {
    return t("office.settings.hooks.ask");
  }
  return isFamily(kind) ? t(`family.${kind}.tab`) : t(`office.settings.hooks.event.${kind}`);
}

function isFamily(kind: WebhookKind): kind is Family {
  return FAMILIES.some((family) => family === kind);
}

export function kindsWords(
  kinds: readonly WebhookKind[],
  { t, format }: { readonly t: Translate; readonly format: Format },
): string {
  return joinParts(
    kinds.map((kind) => kindWords(kind, t)),
    format.locale,
  );
}
