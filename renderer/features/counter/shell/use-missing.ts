import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnreadKeys } from "../../../lib/key-edge.ts";
import { nameOfStep, typedText } from "./counter-place.ts";
import type { Counter } from "./use-counter.ts";

/** What is missing for Enter to go on, from its press until something else is typed. */
export function useMissing({ state, control }: Counter) {
  const { t } = useTranslation();
  const isUnread = useUnreadKeys();
  const place = `${nameOfStep(state)} ${typedText(state)}`;
  const [tried, setTried] = useState<string>();
  // A mistake at the payment is shown before Enter is pressed, too.
  const missing = tried === place || state.sale.asksLook ? control.next.missing : undefined;
  return {
    missing: isUnread ? t("keyboard.unread") : missing,
    onProceed: () => setTried(place),
  };
}
