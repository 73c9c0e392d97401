import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandMonogram } from "../../../../components/brand-monogram.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ApiError } from "../../../../lib/api-client.ts";
import { withoutIsolates } from "../../../../lib/direction.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { type AttemptLine, recipientOf } from "../attempt/line-item.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import classes from "./basket-lines.module.css";

interface BasketLinesProps {
  readonly sale: CurrentSale;
  readonly lines: readonly AttemptLine[];
}

/** Letters of a price beside which a number still stands whole in the panel. */
const MOST_BESIDE = 12;

/** Lines that are in the basket, each folded into one row with the key that takes it out. */
export function BasketLines({ sale, lines }: BasketLinesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  if (lines.length === 0) {
    return null;
  }
  return (
    <ul className={classes.lines} aria-label={t("counter.basket.title")}>
      {lines.map((line) => {
        const { item, transactionId } = line;
        const index = sale.lines.indexOf(line);
        const title = lineTitle(item);
        const told = sale.state.moved[transactionId];
        const problem = sale.checks.get(transactionId)?.problem;
        const money = (minor: number) =>
          format.money(minor, item.priceCurrency, item.priceCurrencyDivisor);
        const price = money(item.price - (line.discount ?? 0));
        return (
          <li
            key={transactionId}
            className={classes.line}
            data-moved={told !== undefined}
            data-long={withoutIsolates(price).length > MOST_BESIDE}
          >
            <BrandMonogram name={item.brandName} color={item.brandColor} />
            <span className={classes.words}>
              <span className={classes.title} dir="auto">
                {title}
              </span>
              <span className={classes.who} dir="ltr">
                {recipientOf(item)}
              </span>
              {line.discount && !problem ? (
                <span className={classes.discount}>
                  {t("counter.discounted", {
                    price: money(item.price),
                    discount: money(line.discount),
                  })}
                </span>
              ) : null}
              {problem ? (
                <span className={classes.problem}>
                  {
                    errorWords(
                      new ApiError(409, problem.errorCode, problem.message, problem.fields),
                      t,
                      format,
                    ).what
                  }
                </span>
              ) : null}
            </span>
            <span className={classes.price}>
              {told === undefined ? null : (
                <del className={classes.told}>
                  <span className="spoken">{t("counter.before")} </span>
                  {money(told)}
                </del>
              )}
              {price}
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
