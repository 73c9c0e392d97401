import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { useFormat } from "../../../../lib/use-format.ts";
import { usePlaceWords } from "../../../../lib/use-place-words.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import { ChoiceButton, type ChoiceButtonProps } from "./choice-button.tsx";
import classes from "./recent-list.module.css";

interface ThingRowProps extends ChoiceButtonProps {
  readonly thing: SoldThing;
}

export function ThingRow({ thing, ...choice }: ThingRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const places = usePlaceWords();
  const { productType, brand, brandName, brandColor, country, region, offer, account, stated } =
    thing;
  const facts = [
    t(`family.${productType}.one`),
    country && format.country(country),
    region && places.region(region),
    account,
    stated?.amount && t("counter.field.stated", { amount: stated.amount }),
    stated?.dueDay && t("counter.field.dueDay", { day: stated.dueDay }),
  ];
  return (
    <li className="row">
      <ChoiceButton {...choice}>
        <BrandFace brand={brand} name={brandName} color={brandColor} />
        <span className="stack flex-1 min-w-0">
          <span className={classes.number}>
            <bdi>{brandName}</bdi>
            {offer ? (
              <>
                {" · "}
                <bdi>{format.contents(offer.title)}</bdi>
              </>
            ) : null}
          </span>
          <span className="row wrap gap-0-2 faint size-caption">
            {facts.filter(Boolean).join(" · ")}
          </span>
        </span>
        {offer ? <span className={classes.price}>{offer.price}</span> : null}
      </ChoiceButton>
    </li>
  );
}
