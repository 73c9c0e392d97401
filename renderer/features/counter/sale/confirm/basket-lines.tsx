import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { type AttemptLine, recipientOf } from "../attempt/line-item.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import classes from "./basket-lines.module.css";

interface BasketLinesProps {
  readonly sale: CurrentSale;
  readonly lines: readonly AttemptLine[];
}

export function BasketLines({ sale, lines }: BasketLinesProps) {
  const { t } = useTranslation();
  if (lines.length === 0) {
    return null;
  }
  return (
    <ul className="stack" aria-label={t("counter.basket.title")}>
      {lines.map((line) => (
        <BasketLine key={line.transactionId} sale={sale} line={line} />
      ))}
    </ul>
  );
}

interface BasketLineProps {
  readonly sale: CurrentSale;
  readonly line: AttemptLine;
}

function BasketLine({ sale, line }: BasketLineProps) {
  const { t } = useTranslation();
  const lineTitle = useLineTitle();
  const money = useLineMoney(line);
  const { item, transactionId } = line;
  const index = sale.lines.indexOf(line);
  const title = lineTitle(item);
  const told = sale.state.moved[transactionId];
  const price = money(item.price - (line.discount ?? 0));
  return (
    <li
      className={classes.line}
      data-moved={told !== undefined || sale.state.movedSends[transactionId] !== undefined}
      data-on={line === sale.openLine && sale.state.confirming}
    >
      <BrandFace brand={item.brand} name={item.brandName} color={item.brandColor} />
      <span className={classes.words}>
        <span className={classes.title} dir="auto">
          {title}
        </span>
        <span className={classes.who} dir="ltr">
          {recipientOf(item)}
        </span>
        <LineRemark sale={sale} line={line} />
      </span>
      <span className="strong nowrap text-end">
        {told === undefined ? null : (
          <del className="block wait size-caption regular">
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
        <IconX size="1rem" aria-hidden="true" />
        <span className="spoken">{t("counter.basket.remove", { title })}</span>
        {index < 9 ? <KeyCap>{`Alt ${index + 1}`}</KeyCap> : null}
      </button>
    </li>
  );
}

function LineRemark({ sale, line }: BasketLineProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = useLineMoney(line);
  const problem = sale.checks.get(line.transactionId)?.problem;
  if (problem) {
    const error = new ApiError(409, problem.errorCode, problem.message, problem.fields);
    return <span className="bad size-caption medium">{errorWords(error, t, format).what}</span>;
  }
  return line.discount ? (
    <span className={classes.discount}>
      {t("counter.discounted", { price: money(line.item.price), discount: money(line.discount) })}
    </span>
  ) : null;
}

function useLineMoney({ item }: AttemptLine): (minor: number) => string {
  const format = useFormat();
  return (minor) => format.money(minor, item.priceCurrency, item.priceCurrencyDivisor);
}
