import { IconBuildingStore } from "@tabler/icons-react";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { usePlaceWords } from "../../../../lib/use-place-words.ts";
import { PauseMark } from "../../ui/brand-pause.tsx";
import { useBrandPause } from "../../ui/use-brand-pause.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import listClasses from "./recent-list.module.css";
import { useMostUsual } from "./use-most-usual.ts";
import type { Topup } from "./use-topup.ts";
import classes from "./usual-tiles.module.css";

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
      className={`${listClasses.group} ${classes.group}`}
      aria-label={t("counter.usual.title")}
    >
      <h2 className={listClasses.title}>
        {t("counter.usual.title")}{" "}
        {usual && usual.length > 0 ? (
          <>
            <KeyCap>1–{usual.length}</KeyCap> <KeyCap>↵</KeyCap>
          </>
        ) : null}
      </h2>
      {usual?.length === 0 ? (
        <div className={classes.none} style={{ "--tiles": room } as CSSProperties}>
          <IconBuildingStore size="2rem" stroke={1.5} aria-hidden="true" />
          <p>{t("counter.usual.none")}</p>
        </div>
      ) : (
        <ul className={classes.tiles} aria-busy={usual === undefined}>
          {Array.from({ length: room }, (_, index) => {
            const thing = usual?.[index];
            return (
              <li key={thing?.id ?? `room ${index}`} className={classes.room} data-empty={!thing}>
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
      <span className={classes.name}>
        {productType === "ESIM" && where ? (
          <>
            <bdi>{where}</bdi> <bdi className="spoken">{brandName}</bdi>
          </>
        ) : (
          <bdi>{brandName}</bdi>
        )}
      </span>
      <KeyCap>{digit}</KeyCap>
      <span className={classes.what}>
        {pause ? (
          <PauseMark pause={pause} />
        ) : (
          <bdi>{isAbroad && where ? `${where} · ${what}` : what}</bdi>
        )}
      </span>
      {offer ? <span className={classes.price}>{offer.price}</span> : null}
    </button>
  );
}
