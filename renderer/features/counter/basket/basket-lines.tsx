import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { type AttemptLine, recipientOf } from "../line-item.ts";
import type { Counter } from "../use-counter.ts";
import classes from "./basket-lines.module.css";

interface BasketLinesProps {
  readonly counter: Counter;
  readonly lines: readonly AttemptLine[];
}

/** Lines that are in the basket, each folded into one row with the key that takes it out. */
export function BasketLines({ counter, lines }: BasketLinesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { sale } = counter;
  if (lines.length === 0) {
    return null;
  }
  return (
    <ul className={classes.lines} aria-label={t("counter.basket.title")}>
      {lines.map((line) => {
        const { item, transactionId } = line;
        const index = sale.lines.indexOf(line);
        const title = lineTitle(item);
        return (
          <li
            key={transactionId}
            className={classes.line}
            data-moved={sale.state.moved.includes(transactionId)}
          >
            <BrandMonogram name={item.brandName} color={item.brandColor} />
            <span className={classes.words}>
              <span className={classes.title}>{title}</span>
              <span className={classes.who}>
                <bdi dir="ltr">{recipientOf(item)}</bdi>
              </span>
            </span>
            <span className={classes.price}>
              {format.money(
                item.price - (line.discount ?? 0),
                item.priceCurrency,
                item.priceCurrencyDivisor,
              )}
            </span>
            <button
              type="button"
              className={classes.remove}
              disabled={sale.state.paying}
              onClick={() => sale.dispatch({ type: "line-removed", transactionId })}
            >
              <IconX size="1.25rem" aria-hidden="true" />
              <span className="spoken">{t("counter.basket.remove", { title })}</span>
              {index < 9 ? <KeyCap>{`Alt+${index + 1}`}</KeyCap> : null}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
