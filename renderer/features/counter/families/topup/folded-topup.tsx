import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { groupTyped } from "../../../../lib/phone-format.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { PauseMark } from "../../ui/brand-pause.tsx";
import classes from "../../ui/folded-line.module.css";
import stepClasses from "../../ui/step.module.css";
import type { Topup } from "./use-topup.ts";

interface FoldedTopupProps {
  readonly topup: Topup;
  readonly onUndo: () => void;
}

/** The finished steps, each folded into a line above the open one. */
export function FoldedTopup({ topup, onUndo }: FoldedTopupProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, brand } = topup;
  const { phone, step } = state;
  if (step === "number" || !phone) {
    return null;
  }
  if (step === "country") {
    return <FoldedDigits topup={topup} onUndo={onUndo} />;
  }
  return (
    <div className={classes.line}>
      <Flag country={phone.country} />
      <span className={classes.words}>
        <span className={classes.number}>
          <bdi dir="ltr">{phone.formatted}</bdi>
        </span>
        <span className={classes.facts}>
          {brand && step !== "carrier" ? <BrandFacts topup={topup} brand={brand} /> : null}
          {format.country(phone.country)}
          {step === "amount" ? ` · ${t("counter.anyAmount")}` : null}
        </span>
      </span>
      {step === "offer" ? (
        <button
          type="button"
          className={stepClasses.link}
          onClick={() => topup.dispatch({ type: "carrier-opened" })}
        >
          {t("counter.changeCarrier")} <KeyCap>Alt+C</KeyCap>
        </button>
      ) : null}
      <button type="button" className={stepClasses.link} onClick={onUndo}>
        {t("counter.undo")} <KeyCap>Esc</KeyCap>
      </button>
    </div>
  );
}

/** What was typed, while it is not known which number it is. */
function FoldedDigits({ topup, onUndo }: FoldedTopupProps) {
  const { t } = useTranslation();
  const { state, homeCountry } = topup;
  return (
    <div className={classes.line}>
      <span className={classes.words}>
        <span className={classes.number}>
          <bdi dir="ltr">{groupTyped(state.digits, homeCountry, true).formatted}</bdi>
        </span>
        <span className={classes.facts}>{t("counter.which.typed")}</span>
      </span>
      <button type="button" className={stepClasses.link} onClick={onUndo}>
        {t("counter.undo")} <KeyCap>Esc</KeyCap>
      </button>
    </div>
  );
}

/** A slow brand is shown by its name and its pause only: there is no room for more. */
function BrandFacts({ topup, brand }: { readonly topup: Topup; readonly brand: PosBrand }) {
  const { t } = useTranslation();
  const { pause, state } = topup;
  if (pause) {
    return (
      <>
        {brand.brandName} · <PauseMark pause={pause} /> ·{" "}
      </>
    );
  }
  const detected = state.phone?.detected?.remembered ? "counter.remembered" : "counter.detected";
  const how = state.chosenBrand ? "counter.chosen" : detected;
  return <>{t(how, { brand: brand.brandName })} · </>;
}
