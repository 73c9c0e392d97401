import { IconDeviceMobileCheck, IconQrcode } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Flag } from "../../../../components/flag.tsx";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { offerPrice } from "../../picker/amount/offer-words.ts";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import { OfferFace, PlaceTile } from "../../picker/tiles/tiles.tsx";
import type { Till } from "../../sale/attempt/till.ts";
import { FoldedLine } from "../../ui/folded-line.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "../../ui/open-step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import { DeviceStep } from "./device-step.tsx";
import { IccidStep } from "./iccid-step.tsx";
import { PlanFilters } from "./plan-filters-bar.tsx";
import { PlanUsage } from "./plan-usage.tsx";
import { usePlanWords } from "./plan-words.ts";
import type { Esim } from "./use-esim.ts";

interface EsimStepsProps {
  readonly esim: Esim;
  readonly till: Till;
  readonly control: StepControl;
  readonly onUndo: () => void;
}

/** An eSIM while it is composed: the finished steps in a line, the open one below. */
export function EsimSteps(props: EsimStepsProps) {
  const { state } = props.esim;
  return (
    <>
      <FoldedEsim esim={props.esim} onUndo={props.onUndo} />
      <div className={classes.step} key={state.step}>
        <OpenStep {...props} />
      </div>
    </>
  );
}

function FoldedEsim({ esim, onUndo }: Pick<EsimStepsProps, "esim" | "onUndo">) {
  const { t } = useTranslation();
  const words = usePlanWords();
  const { state, nameOf } = esim;
  const { place, own, plan, step } = state;
  if (step === "iccid") {
    return (
      <FoldedLine
        picture={<IconQrcode size="1.75rem" aria-hidden="true" />}
        title={t("counter.esim.own")}
        facts=""
        onUndo={onUndo}
      />
    );
  }
  if (step === "place" || !place) {
    return null;
  }
  const facts = own ? groupOfFour(own.iccid) : t("counter.esim.new");
  return (
    <FoldedLine
      picture={
        place.kind === "country" ? (
          <Flag country={place.country} />
        ) : (
          <IconDeviceMobileCheck size="1.75rem" aria-hidden="true" />
        )
      }
      title={plan && step === "device" ? `${nameOf(place)} · ${words.title(plan)}` : nameOf(place)}
      facts={facts}
      onUndo={onUndo}
    />
  );
}

function OpenStep({ esim, control, till }: EsimStepsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = usePlanWords();
  switch (esim.state.step) {
    case "place":
      return (
        <PickerStep
          picker={esim.placePicker}
          title={t("counter.esim.title")}
          search={t("counter.esim.search")}
          none={t("counter.esim.none")}
          aside={
            <LinkButton
              icon={<IconQrcode size="1.25rem" aria-hidden="true" />}
              shortcut="Alt+I"
              onPress={() => esim.dispatch({ type: "iccid-opened" })}
            >
              {t("counter.esim.own")}
            </LinkButton>
          }
          tile={({ place, fromPrice }) => (
            <PlaceTile
              {...(place.kind === "country" && { country: place.country })}
              name={esim.nameOf(place)}
              details={t("counter.esim.from", {
                price: format.money(fromPrice, till.currency, till.currencyDivisor),
              })}
            />
          )}
        />
      );
    case "plan":
      return (
        <>
          {esim.state.own && esim.held.data ? <PlanUsage held={esim.held.data} /> : null}
          <PickerStep
            picker={esim.planPicker}
            title={t("counter.esim.planTitle")}
            none={t("counter.esim.noPlans")}
            promos={esim.promosOn.promos}
            isOff={(plan) => esim.pauseOfBrand(plan.brand)?.byHand ?? false}
            aside={<PlanFilters esim={esim} />}
            tile={(plan) => (
              <OfferFace
                face={words.title(plan)}
                details={[plan.brandName, words.details(plan)].filter(Boolean).join(" · ")}
                price={offerPrice(plan, format)}
                pause={esim.pauseOfBrand(plan.brand)}
                promo={esim.promosOn.of(plan.offerId)}
                isShort={esim.planPicker.cannotPay?.(plan) ?? false}
              />
            )}
          />
        </>
      );
    case "iccid":
      return <IccidStep esim={esim} control={control} />;
    case "device":
      return <DeviceStep esim={esim} control={control} />;
  }
}
