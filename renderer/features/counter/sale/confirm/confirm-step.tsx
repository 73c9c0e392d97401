import { IconAlertTriangle, IconArrowBackUp, IconDiscount, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { carryOut, type StepProps } from "../../shell/counter-actions.ts";
import { Keypad, useKeypadShown } from "../../ui/keypad.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PromoNotes } from "../../ui/promo.tsx";
import stepClasses from "../../ui/step.module.css";
import { MOST_LINES } from "../basket/sale-state.ts";
import { HoldButton } from "../held/hold-button.tsx";
import { BasketLines } from "./basket-lines.tsx";
import classes from "./confirm-step.module.css";
import { ConfirmWarnings } from "./confirm-warnings.tsx";
import { OpenItem } from "./open-item.tsx";

/** Everything in the customer's words before money moves: number, carrier, what arrives, price. */
export function ConfirmStep({ counter, actions }: StepProps) {
  const [keypadShown] = useKeypadShown();
  const { t } = useTranslation();
  const { sale } = counter;
  const { openLine, lines, state } = sale;
  return (
    <section
      className={`${stepClasses.card} ${classes.confirm}`}
      data-keypad={keypadShown}
      aria-labelledby="confirm-title"
    >
      <div className={stepClasses.head}>
        <h1 id="confirm-title" className={stepClasses.title}>
          {t("counter.confirmTitle")}
        </h1>
        <LinkButton
          icon={<IconArrowBackUp size="1.25rem" aria-hidden="true" />}
          shortcut="Esc"
          disabled={state.paying}
          onPress={counter.undo}
        >
          {t("counter.undo")}
        </LinkButton>
      </div>
      <ConfirmWarnings sale={sale} />
      <BasketLines counter={counter} lines={lines.filter((line) => line !== openLine)} />
      {openLine ? (
        <OpenItem
          line={openLine}
          pause={sale.pauseOfLine(openLine)}
          told={state.moved[openLine.transactionId]}
        />
      ) : null}
      {openLine ? (
        // In the room above the foot, which stays at the bottom: nothing moves.
        <div aria-live="polite">
          <PromoNotes promos={sale.checks.get(openLine.transactionId)?.promos ?? []} />
        </div>
      ) : null}
      <div className={classes.foot}>
        <div>
          {openLine ? (
            <p className={classes.warning}>
              <IconAlertTriangle size="1.25rem" aria-hidden="true" />
              {t(`counter.confirmWarning.${openLine.item.productType}`)}
            </p>
          ) : null}
          <div className={classes.deeds}>
            <LinkButton
              icon={<IconPlus size="1.25rem" aria-hidden="true" />}
              shortcut="+"
              disabled={state.paying || lines.length >= MOST_LINES}
              onPress={counter.keepLine}
            >
              {t("counter.basket.another")}
            </LinkButton>
            <LinkButton
              icon={<IconDiscount size="1.25rem" aria-hidden="true" />}
              shortcut="D"
              disabled={state.paying}
              onPress={sale.openDiscount}
            >
              {t("counter.entry.discount")}
            </LinkButton>
            <HoldButton counter={counter} />
          </div>
        </div>
        {keypadShown ? (
          <Keypad
            withPoint
            onDigit={(text) => carryOut({ do: "type", text }, counter, actions)}
            onErase={() => carryOut({ do: "erase" }, counter, actions)}
          />
        ) : null}
      </div>
    </section>
  );
}
