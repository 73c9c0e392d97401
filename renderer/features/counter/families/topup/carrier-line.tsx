import { IconReplace } from "@tabler/icons-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type { PosPhone } from "../../../../../server/contract/pos/counter.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { TYPING_MS, useAnnouncedElement } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import {
  groupPhone,
  groupTyped,
  numberProblem,
  phoneDigits,
} from "../../../../lib/phone-format.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { PauseNotice } from "../../ui/brand-pause.tsx";
import stepClasses from "../../ui/step.module.css";
import classes from "./carrier-line.module.css";
import { needsChoice } from "./topup-state.ts";
import type { Topup } from "./use-topup.ts";

/** The id of the description of the number's field. */
export const NUMBER_KNOWN_ID = "number-known";

/** What is known of the number, under its field: country, carrier, and how sure that is. */
export function CarrierLine({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, phoneAway, phoneFailed } = topup;
  const canChoose = (state.phone?.brands.length ?? 0) > 0;
  const known = knownBrand(topup);
  const head = headWords(topup, t);
  const said = useRef<HTMLDivElement>(null);
  // Announced once, when typing pauses: each digit changes what is known.
  useAnnouncedElement(said, `${state.digits} ${head}`, { afterMs: TYPING_MS });
  return (
    <div className={classes.line}>
      <div className={classes.facts}>
        <BrandFace
          brand={known?.brand ?? ""}
          name={known?.brandName ?? ""}
          color={known?.brandColor ?? ""}
          size="large"
        />
        <div ref={said} id={NUMBER_KNOWN_ID} className={classes.words}>
          <span className={classes.carrier}>{head}</span>
          <span className={stepClasses.quiet}>
            <WhatNumber topup={topup} />
          </span>
        </div>
        {(canChoose || state.phone?.choices) && !needsChoice(state.phone) ? (
          <button type="button" className={stepClasses.link} onClick={topup.openOthers}>
            <IconReplace size="1.25rem" aria-hidden="true" />
            {t(state.phone?.choices ? "counter.which.other" : "counter.changeCarrier")}{" "}
            <KeyCap>Alt+C</KeyCap>
          </button>
        ) : null}
      </div>
      {phoneFailed && !phoneAway && !state.phone ? (
        <ErrorNotice words={errorWords(phoneFailed, t, format)} />
      ) : null}
      {state.phone?.valid && !canChoose ? (
        <Notice tone="wait">
          {t(state.phone.mobile ? "counter.noBrands" : "counter.askMobile")}
        </Notice>
      ) : null}
      {state.phone?.valid && topup.brand ? <BrandHint topup={topup} /> : null}
    </div>
  );
}

/**
 * The country; all of the number where it was completed with its code, and those that the digits can
 * be where that is to be said.
 */
function WhatNumber({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, homeCountry } = topup;
  const { digits, phone } = state;
  if (needsChoice(phone)) {
    return phone?.choices?.map(({ number, formatted, country }) => (
      <span key={number} className={classes.choice}>
        <Flag country={country} /> <bdi dir="ltr">{formatted}</bdi>
      </span>
    ));
  }
  if (phone?.valid) {
    const isCompleted = phone.number !== digits && phone.number !== `+${digits}`;
    return (
      <>
        {isCompleted ? (
          <>
            <bdi dir="ltr" className={classes.completed}>
              {phone.formatted}
            </bdi>{" "}
            ·{" "}
          </>
        ) : null}
        {phone.country ? format.country(phone.country) : t("counter.unknownCountry")}
      </>
    );
  }
  // Everything there is to say of it stands above.
  if (phone && numberProblem(digits, homeCountry) === "noCountry") {
    return "\u00A0";
  }
  const abroad = phone?.country || groupPhone(phoneDigits(digits)).country;
  const shown = groupTyped(digits, homeCountry);
  if (digits.startsWith("+") || shown.addsPlus) {
    return abroad ? format.country(abroad) : t("counter.unknownCountry");
  }
  const home = format.country(homeCountry);
  return abroad && abroad !== homeCountry
    ? t("counter.which.maybe", { home, abroad: format.country(abroad) })
    : home;
}

/** A brand's pause, in a place of constant height: nothing below moves when a pause begins. */
function BrandHint({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { pause, state } = topup;
  if (pause) {
    return (
      <div className={classes.hint}>
        <PauseNotice pause={pause} />
      </div>
    );
  }
  // A carrier that the clerk chose, now or earlier, was not detected.
  const isDetected = !state.chosenBrand && !state.phone?.detected?.remembered;
  return (
    <p className={`${classes.hint} ${stepClasses.small}`}>
      {isDetected ? t("counter.ported") : null}
    </p>
  );
}

/** The carrier of these digits, or of fewer while they are looked up: a carrier seldom changes. */
function knownBrand({ state, phone, phoneAway, brand }: Topup): PosBrand | undefined {
  if (needsChoice(state.phone)) {
    return undefined;
  }
  return brand ?? (state.phone || phoneAway ? undefined : brandOf(phone));
}

function brandOf(phone: PosPhone | undefined): PosBrand | undefined {
  return phone?.brands.find(({ brand }) => brand === phone.detected?.brand);
}

/** One message: only an answer for exactly these digits judges the number. */
function headWords(topup: Topup, t: Translate): string {
  const { state, phoneAway, brand } = topup;
  if (!state.phone) {
    return t(phoneAway ? "counter.away" : "counter.checking");
  }
  if (!state.phone.valid) {
    if (needsChoice(state.phone)) {
      if (state.phone.isRepaired) {
        return t("counter.which.repaired");
      }
      const isOne = state.phone.choices?.length === 1;
      return t(isOne ? "counter.which.maybeMissing" : "counter.which.title");
    }
    return t(`counter.problem.${numberProblem(state.digits, topup.homeCountry)}`);
  }
  if (!state.phone.mobile) {
    return t("counter.problem.fixedLine");
  }
  if (state.chosenBrand) {
    return t("counter.chosen", { brand: state.chosenBrand.brandName });
  }
  if (brand) {
    const how = state.phone.detected?.remembered ? "counter.remembered" : "counter.detected";
    return t(how, { brand: brand.brandName });
  }
  return state.phone.detected
    ? t("counter.notSoldHere", { brand: state.phone.detected.brandName })
    : t("counter.carrierUnknown");
}
