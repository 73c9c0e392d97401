import { IconReplace } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { groupPhone, numberProblem } from "../../../lib/phone-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import type { Counter } from "../use-counter.ts";
import classes from "./carrier-line.module.css";
import stepClasses from "./step.module.css";

/** What is known of the number under the field: country, carrier, and how sure that is. */
export function CarrierLine({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, phone, brand } = counter;
  const country = phone?.country || groupPhone(state.digits).country;
  const name = brand?.brandName ?? phone?.detected?.brandName;
  const canChoose = (phone?.brands.length ?? 0) > 0;
  return (
    <div className={classes.line} aria-live="polite">
      <div className={classes.facts}>
        <BrandMonogram name={name ?? "?"} color={brand?.brandColor ?? ""} size="large" />
        <div className={classes.words}>
          <span className={classes.carrier}>{carrierWords(counter, t)}</span>
          <span className={stepClasses.quiet}>
            {country ? format.country(country) : t("counter.unknownCountry")}
            {name && phone && !phone.valid
              ? ` · ${t(`counter.problem.${numberProblem(state.digits)}`)}`
              : null}
          </span>
        </div>
        {canChoose ? (
          <button
            type="button"
            className={stepClasses.link}
            onClick={() => counter.dispatch({ type: "carrier-opened" })}
          >
            <IconReplace size="1.25rem" aria-hidden="true" />
            {t("counter.changeCarrier")} <KeyCap>Alt+C</KeyCap>
          </button>
        ) : null}
      </div>
      {counter.phoneFailed && !phone ? (
        <ErrorNotice words={errorWords(counter.phoneFailed, t, format)} />
      ) : null}
      {phone?.valid && !canChoose ? <Notice tone="wait">{t("counter.noBrands")}</Notice> : null}
      {phone?.valid && canChoose && phone.detected ? (
        <p className={stepClasses.small}>{t("counter.ported")}</p>
      ) : null}
    </div>
  );
}

function carrierWords(
  { state, phone, brand }: Counter,
  t: ReturnType<typeof useTranslation>["t"],
): string {
  if (state.chosenBrand) {
    return t("counter.chosen", { brand: state.chosenBrand.brandName });
  }
  if (brand) {
    return t("counter.detected", { brand: brand.brandName });
  }
  if (phone?.detected) {
    return t("counter.notSoldHere", { brand: phone.detected.brandName });
  }
  return phone?.valid
    ? t("counter.carrierUnknown")
    : t(`counter.problem.${numberProblem(state.digits)}`);
}
