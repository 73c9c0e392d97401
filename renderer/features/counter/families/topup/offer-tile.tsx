import { useTranslation } from "react-i18next";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import { FitText } from "../../../../components/fit-text.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import type { Translate } from "../../../../lib/i18n.ts";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import { PromoMark } from "../../ui/promo.tsx";
import type { PromoOn } from "../../ui/promos-on.ts";
import stepClasses from "../../ui/step.module.css";
import { WalletMark } from "../../ui/wallet-words.tsx";
import classes from "./offer-tile.module.css";

interface OfferTileProps {
  readonly offer: PosTopupOffer;
  readonly digit: number;
  readonly focused: boolean;
  /** None of the amounts beside this one has digits after the point, so none is written with them. */
  readonly whole: boolean;
  readonly promo: PromoOn;
  /** Shown, and not to be picked. */
  readonly isOff: boolean;
  /** The wallet cannot pay for it. */
  readonly isShort: boolean;
  readonly onPick: () => void;
  /** Tab stops here; the arrows go on to the others. */
  readonly isTabStop: boolean;
  /** The keyboard came to it. */
  readonly onFocus: () => void;
}

/** An offer: what the phone gets is what customers ask for, so it leads; then the price. */
export function OfferTile(props: OfferTileProps) {
  const { offer, digit, focused, whole, promo, isOff, isShort, onPick, isTabStop, onFocus } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isRange = offer.priceType === "RANGE";
  const face = faceValue(offer, format, whole);
  const details = SAYS_CONTENTS.test(offer.title) ? [] : offerDetails(offer, t, format);
  return (
    <button
      type="button"
      className={`${stepClasses.tile} ${classes.tile}`}
      data-focused={focused}
      disabled={isOff}
      aria-disabled={isShort}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={(event) => {
        if (isKeyboardFocus(event)) {
          onFocus();
        }
      }}
      data-range={isRange}
      onClick={onPick}
    >
      <span className={classes.key}>
        <KeyCap>{digit}</KeyCap>
      </span>
      <PromoMark on={promo} />
      <span className={classes.face} data-words={face === undefined}>
        <bdi>{face ?? format.contents(offer.title)}</bdi>
      </span>
      <span className={stepClasses.small}>{isShort ? <WalletMark /> : details.join(" · ")}</span>
      <span className={classes.price}>
        {isRange ? null : <span className={stepClasses.small}>{t("counter.price")}</span>}
        <span className={classes.amount}>
          <FitText>{priceWords(offer, t, format)}</FitText>
        </span>
      </span>
    </button>
  );
}

/** For a title such as "500 MB, 1 day", the contents are not repeated in other units. */
const SAYS_CONTENTS = /\d\s?(GB|MB|Go|Mo|min|SMS)/i;

/** The amount a top-up delivers; nothing for a bundle, whose title says more. */
function faceValue(
  { send, subType }: PosTopupOffer,
  format: Format,
  whole: boolean,
): string | undefined {
  if (send.fixed === undefined) {
    return format.moneyRange([send.min ?? 0, send.max ?? 0], send.currency, send.currencyDivisor);
  }
  const write = whole ? format.moneyShort : format.money;
  return subType === "Mobile Top Up" && send.fixed > 0
    ? write(send.fixed, send.currency, send.currencyDivisor, "code")
    : undefined;
}

function priceWords({ price }: PosTopupOffer, t: Translate, format: Format): string {
  return price.fixed === undefined
    ? t("counter.anyAmount")
    : format.money(price.fixed + price.fee, price.currency, price.currencyDivisor);
}

/** What a bundle or data pack holds. */
function offerDetails(offer: PosTopupOffer, t: Translate, format: Format): string[] {
  const details: string[] = [];
  if (offer.dataUnlimited) {
    details.push(t("counter.dataUnlimited"));
  } else if (offer.dataGB > 0) {
    details.push(t("counter.dataGB", { amount: format.number(offer.dataGB) }));
  }
  if (offer.voiceUnlimited) {
    details.push(t("counter.voiceUnlimited"));
  } else if (offer.voiceMinutes > 0) {
    details.push(
      t("counter.voiceMinutes", {
        count: offer.voiceMinutes,
        amount: format.number(offer.voiceMinutes),
      }),
    );
  }
  if (offer.smsUnlimited) {
    details.push(t("counter.smsUnlimited"));
  } else if (offer.smsNumber > 0) {
    details.push(
      t("counter.smsNumber", { count: offer.smsNumber, amount: format.number(offer.smsNumber) }),
    );
  }
  if (offer.durationDays > 0) {
    details.push(t("counter.days", { count: offer.durationDays }));
  }
  return details;
}
