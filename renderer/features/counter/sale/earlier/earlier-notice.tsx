import { useTranslation } from "react-i18next";
import { Notice } from "../../../../components/notice.tsx";
import type { Translate } from "../../../../lib/i18n.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import { recipientOf } from "../attempt/line-item.ts";
import { confirmsFirst, type EarlierVerdict } from "./earlier-sale.ts";

/** Shows a verdict about an earlier sale. The most serious verdict has the strongest tone. */
export function EarlierNotice({ verdict }: { readonly verdict: EarlierVerdict | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!verdict) {
    return null;
  }
  const words = earlierWords(verdict, t, format);
  if (!confirmsFirst(verdict)) {
    return <Notice tone="info">{words}</Notice>;
  }
  return (
    <Notice tone={verdict.kind === "being-sent" ? "stop" : "wait"} loud>
      <strong>{words}</strong>
    </Notice>
  );
}

function earlierWords(verdict: EarlierVerdict, t: Translate, format: Format): string {
  const { item } = verdict;
  if (verdict.kind === "twice") {
    return t("counter.earlierVerdict.twice", { number: recipientOf(item) });
  }
  const { soldAt, saleNumber, clerk, recipientFormatted: who } = verdict.earlier;
  const facts = { time: format.moment(soldAt), number: saleNumber ?? "", name: clerk ?? "", who };
  const isNumber = item.number !== undefined;
  switch (verdict.kind) {
    case "being-sent":
      if (isNumber) {
        return saleNumber === undefined
          ? t("counter.earlierVerdict.beingSentUnnumbered")
          : t("counter.earlierVerdict.beingSent", facts);
      }
      return t(
        who === "" ? "counter.earlierVerdict.beingSentSame" : "counter.earlierVerdict.beingSentTo",
        facts,
      );
    case "same-again":
      if (isNumber) {
        return t("counter.earlierVerdict.sameAgain", facts);
      }
      return t(
        who === "" ? "counter.earlierVerdict.soldSame" : "counter.earlierVerdict.sameAgainTo",
        facts,
      );
    case "delivered":
      return isNumber
        ? t("counter.earlierVerdict.delivered", facts)
        : t("counter.earlierVerdict.deliveredTo", facts);
    case "not-delivered":
      return t("counter.earlierVerdict.notDelivered", facts);
  }
}
