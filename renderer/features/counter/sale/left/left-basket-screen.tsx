import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { useAnnouncedElement } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { meaningOf } from "../../../../lib/key-edge.ts";
import { newId } from "../../../../lib/new-id.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useScreenKeys } from "../../../../lib/use-screen-keys.ts";
import { discardHeld, postHeldSale } from "../../api/held-queries.ts";
import { type Attempt, removeAttempt } from "../attempt/attempt-store.ts";
import { type AttemptLine, recipientOf, totalOf } from "../attempt/line-item.ts";
import { heldLine } from "../held/held-lines.ts";
import { LONGEST_LABEL } from "../held/use-held.ts";
import classes from "./left-basket-screen.module.css";

interface LeftBasketScreenProps {
  readonly attempt: Attempt;
  readonly onEmpty: () => void;
}

/**
 * Shows a basket that cannot be sold in the shop's environment. The clerk holds the basket in its
 * own environment or deletes it.
 */
export function LeftBasketScreen({ attempt, onEmpty }: LeftBasketScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { environment, lines, saleId } = attempt;
  // Created once, so that a repeat after a lost response sends the same id.
  const [heldSaleId] = useState(newId);
  const said = useRef<HTMLDivElement>(null);
  useAnnouncedElement(said, saleId, { urgency: "assertive" });

  function leave() {
    removeAttempt(saleId);
    onEmpty();
  }
  const hold = useMutation({
    mutationFn: () =>
      postHeldSale({
        heldSaleId,
        label: labelOf(lines),
        environment,
        lines: lines.map(heldLine),
      }),
    onSuccess: () => {
      leave();
      void discardHeld(queryClient, attempt.heldAs);
    },
  });
  useScreenKeys((event) => {
    const isOnButton = event.target instanceof HTMLElement && event.target.closest("a, button");
    const { kind } = meaningOf(event);
    if (kind === "confirm" && !event.repeat && !isOnButton && !hold.isPending) {
      event.preventDefault();
      hold.mutate();
    }
  });
  return (
    <main className="min-h-0 overflow-y-auto">
      <div className={classes.card}>
        <div ref={said} className="stack gap-3">
          <h1 className="size-heading strong leading-115">
            {t(`counter.left.${environment}.title`)}
          </h1>
          <Notice tone="wait">{t(`counter.left.${environment}.what`)}</Notice>
        </div>
        <BasketRows lines={lines} />
        {hold.error ? <ErrorNotice words={errorWords(hold.error, t, format)} /> : null}
        <p className="soft">{t(`counter.left.${environment}.keep`)}</p>
        <div className="flex wrap justify-end gap-3">
          <Button variant="default" size="md" disabled={hold.isPending} onClick={leave}>
            {t("counter.left.remove")}
          </Button>
          <Button
            size="md"
            loading={hold.isPending}
            rightSection={<KeyCap>Enter</KeyCap>}
            onClick={() => hold.mutate()}
          >
            {t("counter.left.hold")}
          </Button>
        </div>
      </div>
    </main>
  );
}

function BasketRows({ lines }: Pick<Attempt, "lines">) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const [first] = lines;
  return (
    <>
      <ul className="stack gap-3" aria-label={t("counter.basket.title")}>
        {lines.map(({ transactionId, item, discount = 0 }) => (
          <li key={transactionId} className={classes.line}>
            <BrandFace brand={item.brand} name={item.brandName} color={item.brandColor} />
            <span className="stack items-start min-w-0 break-anywhere">
              <strong dir="auto">{lineTitle(item)}</strong>
              <bdi dir="ltr">{recipientOf(item)}</bdi>
            </span>
            <span className="strong tabular">
              {format.money(item.price - discount, item.priceCurrency, item.priceCurrencyDivisor)}
            </span>
          </li>
        ))}
      </ul>
      {first ? (
        <p className={classes.total}>
          <span>{t("sale.total")}</span>
          <span>
            {format.money(
              totalOf(lines),
              first.item.priceCurrency,
              first.item.priceCurrencyDivisor,
            )}
          </span>
        </p>
      ) : null}
    </>
  );
}

function labelOf([first]: readonly AttemptLine[]): string {
  const words = first ? recipientOf(first.item) || first.item.brandName : "";
  return words.slice(0, LONGEST_LABEL);
}
