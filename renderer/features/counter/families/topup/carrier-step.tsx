import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { isKeyboardFocus, tabStop } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { PauseMark } from "../../ui/brand-pause.tsx";
import { PAGE_SIZE } from "../../ui/page-size.ts";
import { PageTurner } from "../../ui/page-turner.tsx";
import { pauseOf } from "../../ui/pause.ts";
import stepClasses from "../../ui/step.module.css";
import classes from "./carrier-step.module.css";
import { brandsOnPage } from "./topup-control.ts";
import type { TopupStepProps } from "./topup-step.ts";

/** The carriers of the country, when none was detected or the clerk knows better. */
export function CarrierStep({ topup }: TopupStepProps) {
  const { t } = useTranslation();
  const { state } = topup;
  const focusedAt = brandsOnPage(state).findIndex(({ brand }) => brand === state.focusedTile);
  const detected = state.phone?.detected?.brand;
  const isRemembered = state.phone?.detected?.remembered ?? false;
  const isSoldHere = state.phone?.brands.some(({ brand }) => brand === detected) ?? false;
  return (
    <section className={stepClasses.card} aria-labelledby="carrier-title">
      <div className={stepClasses.head}>
        <h1 id="carrier-title" className={stepClasses.title}>
          {t("counter.carrierTitle")}
        </h1>
        <PageTurner
          page={state.page}
          pages={Math.ceil((state.phone?.brands.length ?? 0) / PAGE_SIZE)}
          onTurn={(page) => topup.dispatch({ type: "page-turned", page })}
        />
      </div>
      {state.phone?.detected && !isSoldHere ? (
        <Notice tone="wait">
          {t("counter.notSoldHere", { brand: state.phone.detected.brandName })}
        </Notice>
      ) : null}
      <div className={stepClasses.tiles} data-wide="true" {...OWN_KEYS}>
        {brandsOnPage(state).map((brand, index) => (
          <button
            key={brand.brand}
            type="button"
            className={`${stepClasses.tile} ${classes.tile}`}
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
            <span className={classes.words}>
              <span className={classes.name} dir="auto" title={brand.brandName}>
                {brand.brandName}
              </span>
              <span className={stepClasses.small}>
                <CarrierFact
                  brand={brand}
                  isRemembered={isRemembered}
                  isKnown={brand.brand === detected}
                />
              </span>
            </span>
            <KeyCap>{index + 1}</KeyCap>
          </button>
        ))}
      </div>
      <p className={stepClasses.small}>
        {isRemembered ? null : t(isSoldHere ? "counter.ported" : "counter.askCarrier")}
      </p>
    </section>
  );
}

/** A pause is more important than the source of the carrier. */
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
