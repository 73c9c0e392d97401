import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { usePlaceWords } from "../../../../lib/use-place-words.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import classes from "./recent-list.module.css";

interface ThingRowProps {
  readonly thing: SoldThing;
  readonly digit: number;
  readonly isFocused: boolean;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
  readonly onPick: () => void;
}

/** Something that is sold, found by its words: what, of which family, for where, and an offer's price. */
export function ThingRow(props: ThingRowProps) {
  const { thing, digit, isFocused, isTabStop, onFocus, onPick } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const places = usePlaceWords();
  const { productType, brand, brandName, brandColor, country, region, offer, account } = thing;
  const facts = [
    t(`family.${productType}.one`),
    country && format.country(country),
    region && places.region(region),
    account,
  ];
  return (
    <li className={classes.row}>
      <button
        type="button"
        className={classes.recent}
        {...OWN_KEYS}
        data-focused={isFocused}
        aria-current={isFocused}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={(event) => {
          if (isKeyboardFocus(event)) {
            onFocus();
          }
        }}
        onClick={onPick}
      >
        <BrandFace brand={brand} name={brandName} color={brandColor} />
        <span className={classes.who}>
          <span className={classes.number}>
            <bdi>{brandName}</bdi>
            {offer ? (
              <>
                {" · "}
                <bdi>{format.contents(offer.title)}</bdi>
              </>
            ) : null}
          </span>
          <span className={classes.what}>{facts.filter(Boolean).join(" · ")}</span>
        </span>
        {offer ? <span className={classes.price}>{offer.price}</span> : null}
        <KeyCap>{digit}</KeyCap>
      </button>
    </li>
  );
}
