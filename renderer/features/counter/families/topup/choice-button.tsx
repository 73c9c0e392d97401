import { IconReceipt } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { nameOutcome } from "../../../../../server/contract/pos/outcome.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { saleLineAt, saleOutcomeAt } from "../../../../lib/sale-outcome.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { useNow } from "../../../../lib/use-now.ts";
import { usePlaceWords, useRecipient } from "../../../../lib/use-place-words.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import classes from "./recent-list.module.css";

export interface ChoiceButtonProps {
  readonly digit?: number | undefined;
  readonly isFocused: boolean;
  /** True for the only line that Tab focuses. */
  readonly isTabStop: boolean;
  readonly onFocus?: (() => void) | undefined;
  readonly onPick: () => void;
}

export function ChoiceButton({
  digit,
  isFocused,
  isTabStop,
  onFocus,
  onPick,
  children,
}: ChoiceButtonProps & { readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className={classes.recent}
      {...OWN_KEYS}
      data-focused={isFocused}
      aria-current={isFocused}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={(event) => {
        if (isKeyboardFocus(event)) {
          onFocus?.();
        }
      }}
      onClick={onPick}
    >
      {children}
      {digit === undefined ? null : <KeyCap chooses>{digit}</KeyCap>}
    </button>
  );
}

interface SaleRowProps extends ChoiceButtonProps {
  readonly sale: Sale;
}

/** Pressing the row opens the sale and sells nothing. */
export function SaleRow({ sale, ...choice }: SaleRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const facts = [
    line && recipientOf(line),
    format.moment(sale.createdAt),
    line && lineTitle(line),
    t(`sale.outcome.${nameOutcome(saleOutcomeAt(sale, now), sale.lines)}`),
  ];
  return (
    <li className="row">
      <ChoiceButton {...choice}>
        <IconReceipt size="1.5rem" aria-hidden="true" />
        <span className="stack flex-1 min-w-0">
          <span className={classes.number}>{t("sale.number", { number: sale.saleNumber })}</span>
          <span className="row wrap gap-0-2 faint size-caption">
            {facts.filter(Boolean).map((fact, at) => (
              <span key={fact}>
                {at === 0 ? "" : " · "}
                <bdi>{fact}</bdi>
              </span>
            ))}
          </span>
        </span>
        <span className={classes.price}>
          {format.money(sale.total, sale.currency, sale.currencyDivisor)}
        </span>
      </ChoiceButton>
    </li>
  );
}

interface ThingRowProps extends ChoiceButtonProps {
  readonly thing: SoldThing;
}

export function ThingRow({ thing, ...choice }: ThingRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const places = usePlaceWords();
  const { productType, brand, brandName, brandColor, country, region, offer, account, stated } =
    thing;
  const facts = [
    t(`family.${productType}.one`),
    country && format.country(country),
    region && places.region(region),
    account,
    stated?.amount && t("counter.field.stated", { amount: stated.amount }),
    stated?.dueDay && t("counter.field.dueDay", { day: stated.dueDay }),
  ];
  return (
    <li className="row">
      <ChoiceButton {...choice}>
        <BrandFace brand={brand} name={brandName} color={brandColor} />
        <span className="stack flex-1 min-w-0">
          <span className={classes.number}>
            <bdi>{brandName}</bdi>
            {offer ? (
              <>
                {" · "}
                <bdi>{format.contents(offer.title)}</bdi>
              </>
            ) : null}
          </span>
          <span className="row wrap gap-0-2 faint size-caption">
            {facts.filter(Boolean).join(" · ")}
          </span>
        </span>
        {offer ? <span className={classes.price}>{offer.price}</span> : null}
      </ChoiceButton>
    </li>
  );
}
