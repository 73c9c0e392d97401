import { IconAlertTriangle, IconArrowBackUp, IconDiscount, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Keypad, useKeypadShown } from "../../ui/keypad.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { PromoNotes } from "../../ui/promo.tsx";
import stepClasses from "../../ui/step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import type { LineItem } from "../attempt/line-item.ts";
import { MOST_LINES } from "../basket/sale-state.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { HoldButton } from "../held/hold-button.tsx";
import type { Held } from "../held/use-held.ts";
import { BasketLines } from "./basket-lines.tsx";
import classes from "./confirm-step.module.css";
import { ConfirmWarnings } from "./confirm-warnings.tsx";
import type { LineDetails } from "./line-details.ts";
import { OpenItem } from "./open-item.tsx";
import { WhyPriceButton } from "./why-price-button.tsx";

interface ConfirmStepProps {
  readonly sale: CurrentSale;
  readonly held: Held;
  readonly control: StepControl;
  /** What a line shows by its family. */
  readonly detailsOf: (item: LineItem) => LineDetails;
  readonly onUndo: () => void;
}

/** Everything in the customer's words before money moves: number, carrier, what is delivered, price. */
export function ConfirmStep({ sale, held, control, detailsOf, onUndo }: ConfirmStepProps) {
  const [keypadShown] = useKeypadShown();
  const { t } = useTranslation();
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
          onPress={onUndo}
        >
          {t("counter.undo")}
        </LinkButton>
      </div>
      <ConfirmWarnings sale={sale} />
      <BasketLines sale={sale} lines={lines.filter((line) => line !== openLine)} />
      {openLine ? (
        <OpenItem
          line={openLine}
          details={detailsOf(openLine.item)}
          pause={sale.pauseOfLine(openLine)}
          told={state.moved[openLine.transactionId]}
          isAlone={lines.length === 1}
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
              {t(`family.${openLine.item.productType}.warning`)}
            </p>
          ) : null}
          <ConfirmActions sale={sale} held={held} />
        </div>
        {keypadShown ? (
          <Keypad
            withPoint
            onDigit={(digit) => control.type?.((typed) => typed + digit)}
            onErase={() => control.type?.((typed) => typed.slice(0, -1))}
          />
        ) : null}
      </div>
    </section>
  );
}

/** What may be done in place of taking the money. */
function ConfirmActions({ sale, held }: Pick<ConfirmStepProps, "sale" | "held">) {
  const { t } = useTranslation();
  const { lines, state } = sale;
  return (
    <div className={classes.actions}>
      <LinkButton
        icon={<IconPlus size="1.25rem" aria-hidden="true" />}
        shortcut="+"
        disabled={state.paying || lines.length >= MOST_LINES}
        onPress={() => sale.dispatch({ type: "line-kept" })}
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
      <HoldButton held={held} sale={sale} />
      {sale.openLine ? <WhyPriceButton item={sale.openLine.item} /> : null}
    </div>
  );
}
