import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosEarlierSale } from "../../../../../server/contract/pos/counter.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { OutcomeBadge } from "../../../../components/outcome-badge.tsx";
import { useScreenCommand } from "../../../../lib/screen-commands.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { PauseMark } from "../../ui/brand-pause.tsx";
import { useBrandPause } from "../../ui/use-brand-pause.ts";
import { ChoiceButton, type ChoiceButtonProps } from "./choice-button.tsx";
import type { KnownNumber } from "./favourites/known-numbers.ts";
import { NameEditor } from "./favourites/name-editor.tsx";
import classes from "./recent-list.module.css";

interface KnownRowProps extends ChoiceButtonProps {
  readonly customer: KnownNumber;
  /** What a press sells again; without one, a press goes on with the number. */
  readonly sale: PosEarlierSale | undefined;
}

/** A customer's number: who, what they were sold last, and a star that keeps it under a name. */
export function KnownRow(props: KnownRowProps) {
  const { customer, sale, digit, isFocused, isTabStop, onFocus, onPick } = props;
  const { t } = useTranslation();
  const { formatted, country, name } = customer;
  const [isNaming, setNaming] = useState(false);
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isFocused) {
      row.current?.scrollIntoView?.({ block: "nearest" });
    }
  }, [isFocused]);
  useScreenCommand("name-number", () => setNaming(true), {
    enabled: isFocused && !isNaming,
    isFirst: true,
  });
  if (isNaming) {
    return (
      <li ref={row}>
        <NameEditor customer={customer} onDone={() => setNaming(false)} />
      </li>
    );
  }
  const Star = name === undefined ? IconStar : IconStarFilled;
  return (
    <li ref={row} className={classes.row}>
      <ChoiceButton
        digit={digit}
        isFocused={isFocused}
        isTabStop={isTabStop}
        onFocus={onFocus}
        onPick={onPick}
      >
        <SoldFace sale={sale} />
        <span className={classes.who}>
          <span className={classes.number}>
            <Flag country={country} /> {name === undefined ? null : <bdi>{name}</bdi>}{" "}
            <bdi id={id} dir="ltr" className={name === undefined ? undefined : classes.beside}>
              {formatted}
            </bdi>
          </span>
          {sale ? (
            <LastSold sale={sale} />
          ) : (
            <span className={classes.what}>
              {t(customer.isContact ? "counter.field.contact" : "counter.favourites.neverSold")}
            </span>
          )}
        </span>
        {sale ? <Price sale={sale} /> : null}
      </ChoiceButton>
      <button
        type="button"
        className={classes.star}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={
          name === undefined
            ? t("counter.favourites.keep")
            : t("counter.favourites.rename", { name })
        }
        aria-describedby={id}
        onClick={() => setNaming(true)}
      >
        <Star size="1.25rem" aria-hidden="true" />
      </button>
    </li>
  );
}

function SoldFace({ sale }: Pick<KnownRowProps, "sale">) {
  const { brand = "", brandName = "", brandColor = "" } = sale ?? {};
  return <BrandFace brand={brand} name={brandName} color={brandColor} />;
}

function LastSold({ sale }: { readonly sale: PosEarlierSale }) {
  const format = useFormat();
  const lineTitle = useLineTitle();
  const pause = useBrandPause("TOPUP", sale.brand);
  // What became of the last sale matters more, where it was not delivered.
  const isDelivered = sale.outcome === "DELIVERED";
  return (
    <span className={classes.what}>
      <span className={classes.details}>
        {lineTitle(sale)} · {format.moment(sale.soldAt)}
      </span>
      {/* Its words change while they are looked at: nothing stands behind them that would move. */}
      {pause && isDelivered ? <PauseMark pause={pause} /> : <OutcomeBadge outcome={sale.outcome} />}
    </span>
  );
}

function Price({ sale }: { readonly sale: PosEarlierSale }) {
  const format = useFormat();
  return (
    <span className={classes.price}>
      {format.money(sale.price, sale.priceCurrency, sale.priceCurrencyDivisor)}
    </span>
  );
}
