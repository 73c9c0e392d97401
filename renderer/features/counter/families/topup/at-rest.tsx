import { IconArrowRight, IconBuildingStore } from "@tabler/icons-react";
import { getExampleNumber, isSupportedCountry } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { groupPhone } from "../../../../lib/phone-format.ts";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { usePlaceWords } from "../../../../lib/use-place-words.ts";
import { PauseMark } from "../../ui/brand-pause.tsx";
import { useBrandPause } from "../../ui/use-brand-pause.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import classes from "./at-rest.module.css";
import tryNumbersClasses from "./recent-list.module.css";
import { RecentList } from "./recent-list.tsx";
import { useMostUsual } from "./use-most-usual.ts";
import type { Topup } from "./use-topup.ts";
import usualTilesClasses from "./usual-tiles.module.css";

/** Anybody's in the test environment: nothing real is sent. */
const SAMPLE = "+50251234567";
/** What the last digits of a number do there (docs/run-the-shop.md). */
const ENDS = [
  ["", "delivered"],
  ["9001", "notDelivered"],
  ["9007", "later"],
] as const;

/** Below the empty field: what is usual at this hour, and the numbers that were sold to. */
export function AtRest({ topup }: { readonly topup: Topup }) {
  return (
    <div className={classes.room}>
      <div className={classes.rest}>
        <UsualTiles topup={topup} />
        {topup.isNew ? <TryNumbers topup={topup} /> : <RecentList topup={topup} />}
      </div>
    </div>
  );
}

/** A shop that has sold nothing yet, in the test environment: numbers to begin with, and what they do. */
function TryNumbers({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { homeCountry, dispatch } = topup;
  const sample =
    (isSupportedCountry(homeCountry)
      ? getExampleNumber(homeCountry, examples)?.number
      : undefined) ?? SAMPLE;
  const country = sample === SAMPLE ? "GT" : homeCountry;
  return (
    <section className={tryNumbersClasses.group} aria-label={t("counter.try.title")}>
      <h2 className={tryNumbersClasses.title}>{t("counter.try.title")}</h2>
      <ul className={tryNumbersClasses.list}>
        {ENDS.map(([end, outcome]) => {
          const number = sample.slice(0, sample.length - end.length) + end;
          return (
            <li key={outcome} className={tryNumbersClasses.row}>
              <button
                type="button"
                className={tryNumbersClasses.recent}
                onClick={() => dispatch({ type: "number-typed", digits: number })}
              >
                <span className={tryNumbersClasses.who}>
                  <span className={tryNumbersClasses.number}>
                    <Flag country={country} />{" "}
                    <bdi dir="ltr">{groupPhone(number.slice(1)).formatted}</bdi>
                  </span>
                  <span className={tryNumbersClasses.what}>{t(`counter.try.${outcome}`)}</span>
                </span>
                <IconArrowRight
                  size="1.25rem"
                  aria-hidden="true"
                  className={tryNumbersClasses.onwards}
                />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/**
 * What this shop sells at this hour, while nothing is typed. A digit alone and Enter pick a tile, or a
 * finger does. Their room is kept before they are known, and where there are fewer.
 */
export function UsualTiles({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const room = useMostUsual();
  const { usual } = topup;
  return (
    <section
      className={`${tryNumbersClasses.group} ${usualTilesClasses.group}`}
      aria-label={t("counter.usual.title")}
    >
      <h2 className={tryNumbersClasses.title}>
        {t("counter.usual.title")}{" "}
        {usual && usual.length > 0 ? (
          <>
            <KeyCap>1–{usual.length}</KeyCap> <KeyCap>↵</KeyCap>
          </>
        ) : null}
      </h2>
      {usual?.length === 0 ? (
        <div className={usualTilesClasses.none} style={{ "--tiles": room } as CSSProperties}>
          <IconBuildingStore size="2rem" stroke={1.5} aria-hidden="true" />
          <p>{t("counter.usual.none")}</p>
        </div>
      ) : (
        <ul className={usualTilesClasses.tiles} aria-busy={usual === undefined}>
          {Array.from({ length: room }, (_, index) => {
            const thing = usual?.[index];
            return (
              <li
                key={thing?.id ?? `room ${index}`}
                className={usualTilesClasses.room}
                data-empty={!thing}
              >
                {thing ? <UsualTile topup={topup} thing={thing} digit={index + 1} /> : null}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

interface UsualTileProps {
  readonly topup: Topup;
  readonly thing: SoldThing;
  readonly digit: number;
}

function UsualTile({ topup, thing, digit }: UsualTileProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const places = usePlaceWords();
  const { id, productType, brand, brandName, brandColor, country, region, offer } = thing;
  const pause = useBrandPause(productType, brand);
  const isFocused = topup.focused?.id === id;
  const where = region ? places.region(region) : country && format.country(country);
  const what = offer ? format.contents(offer.title) : t(`family.${productType}.one`);
  const isAbroad = productType !== "ESIM" && country !== topup.homeCountry;
  return (
    <button
      type="button"
      className={usualTilesClasses.tile}
      {...OWN_KEYS}
      data-focused={isFocused}
      aria-current={isFocused}
      tabIndex={isFocused || (digit === 1 && !topup.focused) ? 0 : -1}
      onFocus={(event) => {
        if (isKeyboardFocus(event)) {
          topup.dispatch({ type: "tile-focused", id });
        }
      }}
      onClick={() => topup.choose({ id, thing })}
    >
      <BrandFace brand={brand} name={brandName} color={brandColor} country={country} />
      <span className={usualTilesClasses.name}>
        {productType === "ESIM" && where ? (
          <>
            <bdi>{where}</bdi> <bdi className="spoken">{brandName}</bdi>
          </>
        ) : (
          <bdi>{brandName}</bdi>
        )}
      </span>
      <KeyCap>{digit}</KeyCap>
      <span className={usualTilesClasses.what}>
        {pause ? (
          <PauseMark pause={pause} />
        ) : (
          <bdi>{isAbroad && where ? `${where} · ${what}` : what}</bdi>
        )}
      </span>
      {offer ? <span className={usualTilesClasses.price}>{offer.price}</span> : null}
    </button>
  );
}
