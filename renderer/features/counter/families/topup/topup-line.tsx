import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { phoneQuery } from "../../api/counter-queries.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import { NameButton } from "./favourites/name-button.tsx";
import classes from "./topup-line.module.css";

/** A carrier other than the detected one may be right, as numbers are ported; it is pointed out. */
function CarrierDoubt({ item }: { readonly item: LineItem }) {
  const { t } = useTranslation();
  const { data } = useQuery(phoneQuery(item.number ?? ""));
  const detected = data?.detected;
  const looksLike = detected?.brand === item.brand ? detected.looksLike : detected?.brandName;
  return looksLike === undefined ? null : (
    <span className={classes.doubt}>
      <IconAlertTriangle size="1.25rem" aria-hidden="true" />
      {t("counter.looksLike", { brand: looksLike })}
    </span>
  );
}

function NumberName({ item: { number = "", formatted = "" } }: { readonly item: LineItem }) {
  return (
    <div>
      <NameButton key={number} number={number} formatted={formatted} />
    </div>
  );
}

/** The number, the carrier it may be moved from, and the name it is kept under. */
export const topupLine: LineDetails = {
  headOf: ({ formatted = "" }) => formatted,
  Beside: CarrierDoubt,
  Below: NumberName,
};
