import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { Notice } from "../../../../components/notice.tsx";
import stepClasses from "../../ui/step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import classes from "./device-step.module.css";
import type { Esim } from "./use-esim.ts";

interface DeviceStepProps {
  readonly esim: Esim;
  readonly control: StepControl;
}

/** Asks whether the customer's phone accepts an eSIM, before it is paid. */
export function DeviceStep({ esim, control }: DeviceStepProps) {
  const { t } = useTranslation();
  return (
    <section className={stepClasses.card} aria-labelledby="device-title">
      <h1 id="device-title" className={stepClasses.title}>
        {t("counter.esim.deviceTitle")}
      </h1>
      <p className={classes.code} translate="no">
        *#06#
      </p>
      <p className={classes.ask}>{t("counter.esim.deviceAsk")}</p>
      {esim.state.isUnfit ? (
        <Notice tone="stop" loud>
          <strong>{t("counter.esim.unfit")}</strong>
        </Notice>
      ) : (
        <div className={classes.answers}>
          <button type="button" className={classes.answer} onClick={() => control.proceed()}>
            {t("counter.esim.deviceYes")} <KeyCap>Enter</KeyCap>
          </button>
          <button type="button" className={classes.answer} onClick={() => control.letter?.("n")}>
            {t("counter.esim.deviceNo")} <KeyCap>N</KeyCap>
          </button>
        </div>
      )}
    </section>
  );
}
