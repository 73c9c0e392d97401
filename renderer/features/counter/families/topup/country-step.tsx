import { useTranslation } from "react-i18next";
import type { PosPhoneChoice } from "../../../../../server/contract/pos/counter.ts";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { isKeyboardFocus, tabStop } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import stepClasses from "../../ui/step.module.css";
import tileClasses from "./carrier-step.module.css";
import classes from "./country-step.module.css";
import type { TopupStepProps } from "./topup-step.ts";

/** The numbers that typed digits can be; only the customer knows which it is. */
export function CountryStep({ topup }: TopupStepProps) {
  const { t } = useTranslation();
  const { state, pickNumber } = topup;
  const choices = state.phone?.choices ?? [];
  const focusedAt = choices.findIndex(({ number }) => number === state.focusedTile);
  return (
    <section className={stepClasses.card} aria-labelledby="country-title">
      <div className={stepClasses.head}>
        <h1 id="country-title" className={stepClasses.title}>
          {t("counter.which.title")}
        </h1>
      </div>
      <div className={classes.numbers} {...OWN_KEYS}>
        {choices.map((phone, index) => (
          <button
            key={phone.number}
            type="button"
            className={`${stepClasses.tile} ${tileClasses.tile}`}
            data-focused={state.focusedTile === phone.number}
            tabIndex={tabStop(index, focusedAt)}
            onFocus={(event) => {
              if (isKeyboardFocus(event)) {
                topup.dispatch({ type: "tile-focused", id: phone.number });
              }
            }}
            onClick={() => pickNumber(phone)}
          >
            <span className={classes.flag}>
              <Flag country={phone.country} />
            </span>
            <span className={tileClasses.words}>
              <span className={tileClasses.name}>
                <bdi dir="ltr">{phone.formatted}</bdi>
              </span>
              <Facts phone={phone} />
            </span>
            <KeyCap>{index + 1}</KeyCap>
          </button>
        ))}
      </div>
      <p className={stepClasses.small}>{t(hintKey(state.phone?.isRepaired, choices.length))}</p>
    </section>
  );
}

function hintKey(isRepaired: boolean | undefined, count: number) {
  if (isRepaired) {
    return "counter.which.repairedHint" as const;
  }
  return count > 1 ? ("counter.which.ask" as const) : ("counter.which.unfinished" as const);
}

/** Its name, where the shop knows it, else its country and carrier. */
function Facts({ phone }: { readonly phone: PosPhoneChoice }) {
  const format = useFormat();
  const { country, detected, favourite } = phone;
  const facts = [favourite, format.country(country), detected?.brandName].filter(Boolean);
  return (
    <span className={stepClasses.small}>
      {facts.map((fact, index) => (
        <span key={fact}>
          {index === 0 ? null : " · "}
          <bdi>{fact}</bdi>
        </span>
      ))}
    </span>
  );
}
