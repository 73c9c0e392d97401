import { IconArrowRight } from "@tabler/icons-react";
import { getExampleNumber, isSupportedCountry } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { usePlaceWords } from "../../../../lib/destination.ts";
import { joinParts } from "../../../../lib/direction.ts";
import { groupPhone } from "../../../../lib/phone-format.ts";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { PauseMark, useBrandPause } from "../../ui/pause.tsx";
import stepClasses from "../../ui/step.module.css";
import type { SoldThing } from "../interface/sold-thing.ts";
import classes from "./at-rest.module.css";
import rowClasses from "./recent-list.module.css";
import { RecentList } from "./recent-list.tsx";
import { type Topup, useMostUsual } from "./use-topup.ts";

/** Sample number for the test environment, which never sends a real top-up. */
const SAMPLE = "+50251234567";
/** Last digits of a number, and the result that they simulate (docs/run-the-shop.md). */
const ENDS = [
  ["", "delivered"],
  ["9001", "notDelivered"],
  ["9007", "later"],
] as const;

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

/** Shown in the test environment before the first sale. */
function TryNumbers({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { homeCountry, dispatch } = topup;
  const sample =
    (isSupportedCountry(homeCountry)
      ? getExampleNumber(homeCountry, examples)?.number
      : undefined) ?? SAMPLE;
  const country = sample === SAMPLE ? "GT" : homeCountry;
  return (
    <section className="stack flex-none gap-2 min-w-0" aria-label={t("counter.try.title")}>
      <h2 className={stepClasses.groupTitle}>{t("counter.try.title")}</h2>
      <ul className={stepClasses.list}>
        {ENDS.map(([end, outcome]) => {
          const number = sample.slice(0, sample.length - end.length) + end;
          return (
            <li key={outcome} className="row">
              <button
                type="button"
                className={rowClasses.recent}
                onClick={() => dispatch({ type: "number-typed", digits: number })}
              >
                <span className="stack flex-1 min-w-0">
                  <span className={rowClasses.number}>
                    <Flag country={country} />{" "}
                    <bdi dir="ltr">{groupPhone(number.slice(1)).formatted}</bdi>
                  </span>
                  <span className="row wrap gap-0-2 faint size-caption">
                    {t(`counter.try.${outcome}`)}
                  </span>
                </span>
                <IconArrowRight size="1.25rem" aria-hidden="true" className="flex-none faint" />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/**
 * A tap, or a digit and Enter, picks a tile. Space is reserved for tiles that are loading or
 * missing.
 */
export function UsualTiles({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const room = useMostUsual();
  const { usual } = topup;
  return (
    <section className="stack flex-none gap-2 min-w-0" aria-label={t("counter.usual.title")}>
      <h2 className={stepClasses.groupTitle}>{t("counter.usual.title")}</h2>
      <ul className={classes.tiles} aria-busy={usual === undefined}>
        {Array.from({ length: room }, (_, index) => {
          const thing = usual?.[index];
          return (
            <li key={thing?.id ?? `room ${index}`} className={classes.place} data-empty={!thing}>
              {thing ? <UsualTile topup={topup} thing={thing} digit={index + 1} /> : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Comma between the parts of a bundle, such as data, calls and days. */
const PARTS = /[,،] /;

interface UsualTileProps {
  readonly topup: Topup;
  readonly thing: SoldThing;
  readonly digit: number;
}

function UsualTile({ topup, thing, digit }: UsualTileProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const places = usePlaceWords();
  const { id, productType, brand, brandName, brandColor, country, region, offer } = thing;
  const pause = useBrandPause(productType, brand);
  const isFocused = topup.focused?.id === id;
  const where = region ? places.region(region) : country && format.country(country);
  const contents = offer ? format.contents(offer.title) : t(`family.${productType}.one`);
  const [amount, ...more] = (offer ? shortOf(contents, brandName) : contents).split(PARTS);
  const isAbroad = country !== topup.homeCountry;
  const name = isAbroad && where ? `${brandName} · ${where}` : brandName;
  return (
    <button
      type="button"
      className={classes.tile}
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
      {/* Customers ask for the amount or the data, which comes first and is never truncated. */}
      <strong className={classes.amount}>
        <bdi>{amount}</bdi>
      </strong>
      {more.length > 0 ? (
        <span className={classes.what}>
          <bdi className={classes.name}>{joinParts(more, i18n.language)}</bdi>
        </span>
      ) : null}
      <span className={classes.what}>
        {pause ? <PauseMark pause={pause} /> : <bdi className={classes.name}>{name}</bdi>}
        {offer && !contents.includes(offer.price) ? (
          <span className="flex-none nowrap">· {offer.price}</span>
        ) : null}
      </span>
      <KeyCap>{digit}</KeyCap>
    </button>
  );
}

/** Omits the brand's name, which is shown below. */
function shortOf(contents: string, brandName: string): string {
  const rest = contents.startsWith(`${brandName} `)
    ? contents.slice(brandName.length + 1)
    : contents;
  return rest === "" ? contents : rest;
}
