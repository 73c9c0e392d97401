import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { restOnScreen } from "../../../../lib/rest-focus.ts";
import classes from "./plan-filters-bar.module.css";
import { usePlanWords } from "./plan-words.ts";
import type { Esim } from "./use-esim.ts";

/** How much data and how long: a list to choose from, or one key that goes round. */
export function PlanFilters({ esim }: { readonly esim: Esim }) {
  const { t } = useTranslation();
  const words = usePlanWords();
  const { state, dispatch, dataChoices, dayChoices } = esim;
  return (
    <div className={classes.filters}>
      <label className={classes.filter}>
        <span>{t("counter.esim.data")}</span> <KeyCap>G</KeyCap>
        <select
          className={classes.select}
          value={state.dataFilter ?? ""}
          onChange={({ currentTarget }) => {
            dispatch({ type: "data-filtered", data: currentTarget.value || undefined });
            restOnScreen();
          }}
        >
          <option value="">{t("counter.esim.all")}</option>
          {dataChoices.map((choice) => (
            <option key={choice} value={choice}>
              {words.data(choice)}
            </option>
          ))}
        </select>
      </label>
      <label className={classes.filter}>
        <span>{t("counter.esim.days")}</span> <KeyCap>D</KeyCap>
        <select
          className={classes.select}
          value={state.dayFilter ?? ""}
          onChange={({ currentTarget }) => {
            const days = Number(currentTarget.value);
            dispatch({ type: "days-filtered", days: days || undefined });
            restOnScreen();
          }}
        >
          <option value="">{t("counter.esim.all")}</option>
          {dayChoices.map((choice) => (
            <option key={choice} value={choice}>
              {words.days(choice)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
