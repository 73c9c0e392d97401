import { useTranslation } from "react-i18next";
import type { PriceListState } from "../../../../server/contract/pos/price-lists.ts";
import { Notice } from "../../../components/notice.tsx";
import { startWords } from "../../../lib/price-rule-words.ts";
import { useFormat } from "../../../lib/use-format.ts";

export function PlannedNotice({ state }: { readonly state: PriceListState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const planned = state.planned.find(({ version }) => version === state.newest);
  return planned ? (
    <Notice tone="wait">
      {t("office.prices.planned.notice", {
        version: planned.version,
        date: startWords(planned.startsAt, format),
        now: state.inForce,
      })}
    </Notice>
  ) : null;
}
