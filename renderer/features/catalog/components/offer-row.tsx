import { ActionIcon, Switch } from "@mantine/core";
import { IconPin, IconPinnedFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CatalogRow } from "../../../../server/contract/pos/office-catalog.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./catalog-screen.module.css";

interface OfferRowProps {
  readonly row: CatalogRow;
  readonly onSwitch: (row: CatalogRow, enabled: boolean) => void;
  readonly onPin: (row: CatalogRow) => void;
}

export function OfferRow({ row, onSwitch, onPin }: OfferRowProps) {
  const { t } = useTranslation();
  const amount = useAmount();
  const { state, pinned, brandName, notes, offerId } = row;
  const name = `${brandName} ${amount(row.price)}`;
  const Pin = pinned ? IconPinnedFilled : IconPin;
  return (
    <article className={classes.offer} data-state={state}>
      <OfferName row={row} />
      <div className="stack text-end">
        <strong>{amount(row.price)}</strong>
        {row.cost ? (
          <span className="soft size-caption">
            {t("office.catalog.cost", { amount: amount(row.cost) })}
          </span>
        ) : null}
      </div>
      <span className={classes.state} data-state={state}>
        {t(`office.catalog.state.${state}`)}
      </span>
      <div className="row wrap gap-2">
        <ActionIcon
          variant="subtle"
          size="var(--touch)"
          aria-pressed={pinned}
          aria-label={t("office.catalog.pin", { name })}
          title={t("office.catalog.pinHint")}
          onClick={() => onPin(row)}
        >
          <Pin size="1.25rem" aria-hidden="true" />
        </ActionIcon>
        <Switch
          size="lg"
          aria-label={t("office.catalog.sold", { name: `${name} ${notes || offerId}` })}
          checked={state === "ON" || state === "BLOCKED"}
          disabled={state === "UNAVAILABLE"}
          onChange={({ currentTarget }) => onSwitch(row, currentTarget.checked)}
        />
      </div>
    </article>
  );
}

export function OfferName({ row }: { readonly row: CatalogRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const place = row.country === "" ? "" : format.country(row.country);
  return (
    <div className={classes.name}>
      <strong dir="auto">{row.brandName}</strong>
      <span className="soft size-caption">
        {[t(`family.${row.family}.one`), place].filter(Boolean).join(" · ")}
      </span>
      <span className="break-anywhere soft size-caption" dir="auto">
        {format.contents(row.notes)}
      </span>
    </div>
  );
}

export function useAmount(): (amounts: CatalogRow["price"]) => string {
  const format = useFormat();
  return ({ currency, currencyDivisor, fixed, min = 0, max = 0 }) =>
    fixed === undefined
      ? format.moneyRange([min, max], currency, currencyDivisor)
      : format.money(fixed, currency, currencyDivisor);
}
