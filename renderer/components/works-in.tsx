import { useTranslation } from "react-i18next";
import type { EsimArea } from "../../server/contract/pos/esims.ts";
import { countryNames, usePlaceWords } from "../lib/destination.ts";
import { joinParts } from "../lib/direction.ts";
import classes from "./works-in.module.css";

export function WorksIn({ area }: { readonly area: EsimArea }) {
  const { t } = useTranslation();
  const words = usePlaceWords();
  return (
    <details className={classes.area}>
      <summary className={classes.count}>
        {t("counter.esim.worksIn", {
          countries: t("counter.esim.countries", { count: area.countries.length }),
        })}
      </summary>
      <p>{joinParts(countryNames(area, words), words.locale)}</p>
    </details>
  );
}
