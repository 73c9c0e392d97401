import { useTranslation } from "react-i18next";
import type { PosOffer } from "../../../../server/contract/pos/counter.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import type { Translate } from "../../../lib/i18n.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import classes from "./offer-tile.module.css";
import stepClasses from "./step.module.css";

interface OfferTileProps {
  readonly offer: PosOffer;
  readonly digit: number;
  readonly focused: boolean;
  readonly onPick: () => void;
}

/** An offer: what the customer pays is largest, then what the phone gets. */
export function OfferTile({ offer, digit, focused, onPick }: OfferTileProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isRange = offer.priceType === "RANGE";
  return (
    <button
      type="button"
      className={`${stepClasses.tile} ${classes.tile}`}
      data-focused={focused}
      data-range={isRange}
      onClick={onPick}
    >
      <span className={classes.key}>
        <KeyCap>{digit}</KeyCap>
      </span>
      <span className={classes.price}>{priceWords(offer, format)}</span>
      <span className={classes.title}>{isRange ? t("counter.anyAmount") : offer.title}</span>
      <span className={stepClasses.small}>
        {offerDetails(offer, t, format).join(" · ") || offer.notes}
      </span>
    </button>
  );
}

function priceWords({ price }: PosOffer, format: Format): string {
  const money = (minor: number) => format.moneyShort(minor, price.currency, price.currencyDivisor);
  return price.fixed === undefined
    ? `${money(price.min ?? 0)} – ${money(price.max ?? 0)}`
    : format.money(price.fixed + price.fee, price.currency, price.currencyDivisor);
}

/** What the phone gets besides its title: the amount, and what a bundle holds. */
export function offerDetails(offer: PosOffer, t: Translate, format: Format): string[] {
  const { send } = offer;
  const details: string[] = [];
  if (offer.subType === "Mobile Top Up" && send.fixed !== undefined) {
    const amount = format.moneyShort(send.fixed, send.currency, send.currencyDivisor, "code");
    details.push(t("counter.get", { amount }));
  }
  if (offer.dataUnlimited) {
    details.push(t("counter.dataUnlimited"));
  } else if (offer.dataGB > 0) {
    details.push(t("counter.dataGB", { amount: format.number(offer.dataGB) }));
  }
  if (offer.voiceUnlimited) {
    details.push(t("counter.voiceUnlimited"));
  } else if (offer.voiceMinutes > 0) {
    details.push(t("counter.voiceMinutes", { amount: format.number(offer.voiceMinutes) }));
  }
  if (offer.smsUnlimited) {
    details.push(t("counter.smsUnlimited"));
  } else if (offer.smsNumber > 0) {
    details.push(t("counter.smsNumber", { amount: format.number(offer.smsNumber) }));
  }
  if (offer.durationDays > 0) {
    details.push(t("counter.days", { count: offer.durationDays }));
  }
  return details;
}
