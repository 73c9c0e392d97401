import { Button } from "@mantine/core";
import { IconCashBanknote } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { GiveBackTender } from "../../../server/contract/pos/give-backs.ts";
import { letGo } from "../../lib/rest-focus.ts";
import { useScreenCommand } from "../../lib/screen-commands.ts";
import { KeyCap } from "../key-cap.tsx";
import classes from "./give-back-action.module.css";

interface GiveBackActionProps {
  /** As it is written. */
  readonly amount: string;
  /** Alt+G is this one's: one on a screen has it. */
  readonly hasKey: boolean;
  readonly disabled?: boolean;
  /** How it goes back where not all of it does in cash. */
  readonly ways?: readonly GiveBackTender[];
  readonly money: (minor: number) => string;
  readonly onGive: () => void;
  /** All of it in cash, though not all of it came so. */
  readonly onGiveInCash?: () => void;
}

/** Says that the money is back in the customer's hand. */
export function GiveBackAction({
  amount,
  hasKey,
  disabled = false,
  ways = [],
  money,
  onGive,
  onGiveInCash,
}: GiveBackActionProps) {
  const { t } = useTranslation();
  useScreenCommand("give-back", onGive, { enabled: hasKey && !disabled });
  const book = (
    <Button
      fullWidth
      leftSection={<IconCashBanknote size="1.25rem" aria-hidden="true" />}
      rightSection={hasKey ? <KeyCap>Alt+G</KeyCap> : null}
      disabled={disabled}
      onClick={(event) => {
        letGo(event);
        onGive();
      }}
    >
      {t("sale.bookGiveBack", { amount })}
    </Button>
  );
  if (ways.every(({ kind }) => kind === "CASH")) {
    return book;
  }
  return (
    <div className={classes.ways}>
      {book}
      <div className={classes.row}>
        <p>
          {ways
            .map((way) => t(`sale.backBy.${way.kind}`, { amount: money(way.amount) }))
            .join(" · ")}
        </p>
        {onGiveInCash ? (
          <Button
            variant="default"
            disabled={disabled}
            onClick={(event) => {
              letGo(event);
              onGiveInCash();
            }}
          >
            {t("sale.allInCash")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
