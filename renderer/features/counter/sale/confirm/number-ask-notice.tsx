import { IconArrowForward } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../../components/notice.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { recipientOf } from "../attempt/line-item.ts";
import type { NumberAsk } from "../basket/use-number-ask.ts";

/** The sale waits for the customer, who reads the number on their display. */
export function NumberAskNotice({ ask }: { readonly ask: NumberAsk }) {
  const { t } = useTranslation();
  const number = recipientOf(ask.line.item);
  return (
    <Notice tone="wait" loud>
      <strong>
        {t(ask.isShown ? "counter.numberAsk.waits" : "counter.numberAsk.notShown", { number })}
      </strong>{" "}
      <LinkButton
        icon={<IconArrowForward size="1.25rem" aria-hidden="true" />}
        shortcut="F8"
        onPress={ask.skip}
      >
        {t("counter.numberAsk.skip")}
      </LinkButton>
    </Notice>
  );
}
