import { IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type { PosPhoneChoice } from "../../../../../server/contract/pos/counter.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { groupTyped } from "../../../../lib/phone-format.ts";
import { isKeyboardFocus, tabStop } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { AmountStep } from "../../picker/amount/amount-step.tsx";
import foldedTopupClasses from "../../ui/folded-line.module.css";
import { StepFrame } from "../../ui/folded-line.tsx";
import { drawnTiles } from "../../ui/page-size.ts";
import { PauseMark, pauseOf } from "../../ui/pause.tsx";
import stepClasses from "../../ui/step.module.css";
import carrierStepClasses from "./carrier-step.module.css";
import countryStepClasses from "./country-step.module.css";
import { NumberStep } from "./number-step.tsx";
import { OfferStep } from "./offer-step.tsx";
import type { Topup, TopupStepProps } from "./use-topup.ts";

const STEPS = {
  number: NumberStep,
  country: CountryStep,
  carrier: CarrierStep,
  offer: OfferStep,
} as const;

interface TopupStepsProps extends TopupStepProps {
  readonly onUndo: () => void;
}

export function TopupSteps({ topup, control, onUndo }: TopupStepsProps) {
  const { t } = useTranslation();
  const { step } = topup.state;
  return (
    <StepFrame family="TOPUP" step={step} folded={<FoldedTopup topup={topup} onUndo={onUndo} />}>
      {step === "amount" ? (
        <AmountStep amount={topup.amount} control={control} arrives={t("counter.phoneReceives")} />
      ) : (
        <Step step={step} topup={topup} control={control} />
      )}
    </StepFrame>
  );
}

interface StepOfProps extends TopupStepProps {
  readonly step: keyof typeof STEPS;
}

function Step({ step, topup, control }: StepOfProps) {
  const Shown = STEPS[step];
  return <Shown topup={topup} control={control} />;
}

/** Shown if no carrier was detected, or if the clerk wants another carrier. */
export function CarrierStep({ topup }: TopupStepProps) {
  const { t } = useTranslation();
  const { state } = topup;
  const { drawn, digitOf } = drawnTiles(state.phone?.brands ?? [], state.page);
  const focusedAt = drawn.findIndex(({ brand }) => brand === state.focusedTile);
  const detected = state.phone?.detected?.brand;
  const isRemembered = state.phone?.detected?.remembered ?? false;
  const isSoldHere = state.phone?.brands.some(({ brand }) => brand === detected) ?? false;
  return (
    <section className={stepClasses.card} aria-labelledby="carrier-title">
      <div className={stepClasses.head}>
        <h1 id="carrier-title" className="size-heading leading-120">
          {t("counter.carrierTitle")}
        </h1>
      </div>
      {state.phone?.detected && !isSoldHere ? (
        <Notice tone="wait">
          {t("counter.notSoldHere", { brand: state.phone.detected.brandName })}
        </Notice>
      ) : null}
      <div className={stepClasses.tiles} data-wide="true" {...OWN_KEYS}>
        {drawn.map((brand, index) => (
          <button
            key={brand.brand}
            type="button"
            className={`${stepClasses.tile} ${carrierStepClasses.tile}`}
            data-focused={state.focusedTile === brand.brand}
            tabIndex={tabStop(index, focusedAt)}
            onFocus={(event) => {
              if (isKeyboardFocus(event)) {
                topup.dispatch({ type: "tile-focused", id: brand.brand });
              }
            }}
            onClick={() => topup.pickCarrier(brand)}
          >
            <BrandFace brand={brand.brand} name={brand.brandName} color={brand.brandColor} />
            <span className="stack flex-1 min-w-0 container">
              <span className={carrierStepClasses.name} dir="auto" title={brand.brandName}>
                {brand.brandName}
              </span>
              <span className="soft size-caption">
                <CarrierFact
                  brand={brand}
                  isRemembered={isRemembered}
                  isKnown={brand.brand === detected}
                />
              </span>
            </span>
            {digitOf(index) === undefined ? null : <KeyCap chooses>{digitOf(index)}</KeyCap>}
          </button>
        ))}
      </div>
      {isRemembered || isSoldHere ? null : (
        <p className="soft size-caption">{t("counter.askCarrier")}</p>
      )}
    </section>
  );
}

/** Shows the brand's pause; without a pause, the source of the carrier. */
function CarrierFact({
  brand,
  isKnown,
  isRemembered,
}: {
  readonly brand: PosBrand;
  readonly isKnown: boolean;
  readonly isRemembered: boolean;
}) {
  const { t } = useTranslation();
  const pause = pauseOf(brand);
  if (pause) {
    return <PauseMark pause={pause} />;
  }
  return isKnown ? t(isRemembered ? "counter.rememberedWord" : "counter.detectedWord") : null;
}

/** Shown if the digits match several numbers. */
function CountryStep({ topup }: TopupStepProps) {
  const { t } = useTranslation();
  const { state, pickNumber } = topup;
  const choices = state.phone?.choices ?? [];
  const focusedAt = choices.findIndex(({ number }) => number === state.focusedTile);
  return (
    <section className={stepClasses.card} aria-labelledby="country-title">
      <div className={stepClasses.head}>
        <h1 id="country-title" className="size-heading leading-120">
          {t("counter.which.title")}
        </h1>
      </div>
      <div className={countryStepClasses.numbers} {...OWN_KEYS}>
        {choices.map((phone, index) => (
          <button
            key={phone.number}
            type="button"
            className={`${stepClasses.tile} ${carrierStepClasses.tile}`}
            data-focused={state.focusedTile === phone.number}
            tabIndex={tabStop(index, focusedAt)}
            onFocus={(event) => {
              if (isKeyboardFocus(event)) {
                topup.dispatch({ type: "tile-focused", id: phone.number });
              }
            }}
            onClick={() => pickNumber(phone)}
          >
            <span className={countryStepClasses.flag}>
              <Flag country={phone.country} />
            </span>
            <span className="stack flex-1 min-w-0 container">
              <span className={carrierStepClasses.name}>
                <bdi dir="ltr">{phone.formatted}</bdi>
              </span>
              <Facts phone={phone} />
            </span>
            <KeyCap chooses>{index + 1}</KeyCap>
          </button>
        ))}
      </div>
      <p className="soft size-caption">{t(hintKey(state.phone?.isRepaired, choices.length))}</p>
    </section>
  );
}

function hintKey(isRepaired: boolean | undefined, count: number) {
  if (isRepaired) {
    return "counter.which.repairedHint" as const;
  }
  return count > 1 ? ("counter.which.ask" as const) : ("counter.which.unfinished" as const);
}

function Facts({ phone }: { readonly phone: PosPhoneChoice }) {
  const format = useFormat();
  const { country, detected, favourite } = phone;
  const facts = [favourite, format.country(country), detected?.brandName].filter(Boolean);
  return (
    <span className="soft size-caption">
      {facts.map((fact, index) => (
        <span key={fact}>
          {index === 0 ? null : " · "}
          <bdi>{fact}</bdi>
        </span>
      ))}
    </span>
  );
}

interface FoldedTopupProps {
  readonly topup: Topup;
  readonly onUndo: () => void;
}

function FoldedTopup({ topup, onUndo }: FoldedTopupProps) {
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
    <div className={foldedTopupClasses.line}>
      <Flag country={phone.country} />
      <span className={foldedTopupClasses.words}>
        <span className={foldedTopupClasses.number}>
          <bdi dir="ltr">{phone.formatted}</bdi>
        </span>
        {brand && step !== "carrier" ? (
          <span className={foldedTopupClasses.facts}>
            <BrandFace brand={brand.brand} name={brand.brandName} color={brand.brandColor} />
            <span>
              <BrandFacts topup={topup} brand={brand} />
            </span>
          </span>
        ) : (
          <span className={foldedTopupClasses.facts}>{format.country(phone.country)}</span>
        )}
      </span>
      {step === "offer" ? (
        <button
          type="button"
          className={stepClasses.link}
          onClick={() => topup.dispatch({ type: "carrier-opened" })}
        >
          {t("counter.changeCarrier")} <KeyCap>Alt C</KeyCap>
        </button>
      ) : null}
      <button
        type="button"
        className={stepClasses.link}
        aria-label={t("counter.undo")}
        onClick={onUndo}
      >
        <IconX size="1.25rem" aria-hidden="true" /> <KeyCap>Esc</KeyCap>
      </button>
    </div>
  );
}

function FoldedDigits({ topup, onUndo }: FoldedTopupProps) {
  const { t } = useTranslation();
  const { state, homeCountry } = topup;
  return (
    <div className={foldedTopupClasses.line}>
      <span className={foldedTopupClasses.words}>
        <span className={foldedTopupClasses.number}>
          <bdi dir="ltr">{groupTyped(state.digits, homeCountry, true).formatted}</bdi>
        </span>
        <span className={foldedTopupClasses.facts}>{t("counter.which.typed")}</span>
      </span>
      <button type="button" className={stepClasses.link} onClick={onUndo}>
        {t("counter.undo")} <KeyCap>Esc</KeyCap>
      </button>
    </div>
  );
}

function BrandFacts({ topup, brand }: { readonly topup: Topup; readonly brand: PosBrand }) {
  const { t } = useTranslation();
  const { pause, state } = topup;
  if (pause) {
    return (
      <>
        {brand.brandName} · <PauseMark pause={pause} />
      </>
    );
  }
  const detected = state.phone?.detected?.remembered ? "counter.remembered" : "counter.detected";
  const how = state.chosenBrand ? "counter.chosen" : detected;
  return t(how, { brand: brand.brandName });
}
