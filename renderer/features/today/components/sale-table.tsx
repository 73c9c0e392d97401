import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { Flag } from "../../../components/flag.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { TYPING_MS, useAnnounced } from "../../../lib/announcer.ts";
import { meaningOf } from "../../../lib/key-edge.ts";
import { arrowTarget, tabStop } from "../../../lib/roving-focus.ts";
import { saleLineAt, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useRecipient } from "../../../lib/use-place-words.ts";
import classes from "./sale-table.module.css";

interface SaleTableProps {
  readonly sales: readonly Sale[];
  readonly chosen: string | undefined;
  readonly onChoose: (saleId: string) => void;
  readonly empty: { readonly title: string; readonly hint: string };
}

/** The sales of the day, newest first; each opens beside the list. */
export function SaleTable({ sales, chosen, onChoose, empty }: SaleTableProps) {
  const { t } = useTranslation();
  useAnnounced(
    sales.length === 0 ? empty.title : t("counter.spoken.found", { count: sales.length }),
    { afterMs: TYPING_MS },
  );
  const list = useRef<HTMLUListElement>(null);
  const chosenAt = sales.findIndex(({ saleId }) => saleId === chosen);
  if (sales.length === 0) {
    return (
      <div className={classes.empty}>
        <p className={classes.emptyTitle}>{empty.title}</p>
        <p>{empty.hint}</p>
      </div>
    );
  }
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={t("today.list")}
      onKeyDown={(event) => {
        const meaning = meaningOf(event.nativeEvent);
        const to =
          meaning.kind === "command" ? arrowTarget(meaning.key, chosenAt, sales.length) : undefined;
        const sale = to === undefined ? undefined : sales[to];
        if (sale) {
          event.preventDefault();
          onChoose(sale.saleId);
          list.current?.querySelectorAll("button")[to ?? 0]?.focus();
        }
      }}
    >
      {sales.map((sale, index) => (
        <SaleRow
          key={sale.saleId}
          sale={sale}
          isChosen={sale.saleId === chosen}
          isTabStop={tabStop(index, chosenAt) === 0}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

interface SaleRowProps {
  readonly sale: Sale;
  readonly isChosen: boolean;
  /** Tab stops here; the arrows go on to the others. */
  readonly isTabStop: boolean;
  readonly onChoose: (saleId: string) => void;
}

function SaleRow({ sale, isChosen, isTabStop, onChoose }: SaleRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isSending = sale.lines.some(({ outcome }) => outcome === "SENDING");
  const now = useNow(1000, isSending);
  const outcome = saleOutcomeAt(sale, now);
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const what = line ? lineTitle(line) : "";
  const more = sale.lines.length - 1;
  const price = format.money(sale.total, sale.currency, sale.currencyDivisor);
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        aria-current={isChosen}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => onChoose(sale.saleId)}
      >
        <span className={classes.time}>
          {format.time(sale.createdAt)}
          <small>{sale.saleNumber}</small>
        </span>
        <span className={classes.who}>
          <span className={classes.number}>
            {line?.country ? <Flag country={line.country} /> : null}{" "}
            <bdi dir={line?.recipientFormatted ? "ltr" : "auto"}>
              {(line && recipientOf(line)) || line?.brandName}
            </bdi>
          </span>
          <small>{more > 0 ? t("today.andMore", { what, more }) : what}</small>
        </span>
        <OutcomeBadge outcome={outcome} />
        <span className={classes.price}>{price}</span>
      </button>
    </li>
  );
}
