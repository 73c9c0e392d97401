import { IconDeviceMobileCheck, IconQrcode } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Flag } from "../../../../components/flag.tsx";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { offerPrice } from "../../picker/amount/offer-words.ts";
import { OfferFace, PlaceTile } from "../../picker/wall/tiles.tsx";
import { WallStep } from "../../picker/wall/wall-step.tsx";
import type { Counter } from "../../shell/use-counter.ts";
import { FoldedLine } from "../../ui/folded-line.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "../../ui/open-step.module.css";
import { DeviceStep } from "./device-step.tsx";
import { IccidStep } from "./iccid-step.tsx";
import { PlanFilters } from "./plan-filters-bar.tsx";
import { PlanUsage } from "./plan-usage.tsx";
import { usePlanWords } from "./plan-words.ts";

/** An eSIM while it is composed: the finished steps in a line, the open one below. */
export function EsimSteps({ counter }: { readonly counter: Counter }) {
  const { state } = counter.esim;
  return (
    <>
      <FoldedEsim counter={counter} />
      <div className={classes.step} key={state.step}>
        <OpenStep counter={counter} />
      </div>
    </>
  );
}

function FoldedEsim({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const words = usePlanWords();
  const { state, nameOf } = counter.esim;
  const { place, own, plan, step } = state;
  if (step === "iccid") {
    return (
      <FoldedLine
        picture={<IconQrcode size="1.75rem" aria-hidden="true" />}
        title={t("counter.esim.own")}
        facts=""
        onUndo={counter.undo}
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
      onUndo={counter.undo}
    />
  );
}

function OpenStep({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = usePlanWords();
  const { esim, control, till } = counter;
  switch (esim.state.step) {
    case "place":
      return (
        <WallStep
          wall={esim.placeWall}
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
              {...(place.kind === "country" ? { country: place.country } : {})}
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
          <WallStep
            wall={esim.planWall}
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
                isShort={esim.planWall.cannotPay?.(plan) ?? false}
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
