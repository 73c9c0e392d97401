import { Button } from "@mantine/core";
import { IconCashBanknote } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CustomerRefundTender } from "../../server/contract/pos/sales.ts";
import { useRefundByKey } from "../lib/refund-by-key.ts";
import { letGo } from "../lib/rest-focus.ts";
import classes from "./customer-refund-action.module.css";
import { KeyCap } from "./key-cap.tsx";

interface CustomerRefundActionProps {
  /** As it is written. */
  readonly amount: string;
  /** Alt+G is this one's: one on a screen has it. */
  readonly hasKey: boolean;
  readonly disabled?: boolean;
  /** Another way out stands first. */
  readonly isSecond?: boolean;
  /** How it goes back where not all of it does in cash. */
  readonly ways?: readonly CustomerRefundTender[];
  readonly money: (minor: number) => string;
  readonly onGive: () => void;
  /** All of it in cash, though not all of it came so. */
  readonly onGiveInCash?: () => void;
}

/** Says that the money is back in the customer's hand. */
export function CustomerRefundAction({
  amount,
  hasKey,
  disabled = false,
  isSecond = false,
  ways = [],
  money,
  onGive,
  onGiveInCash,
}: CustomerRefundActionProps) {
  const { t } = useTranslation();
  useRefundByKey(onGive, hasKey && !disabled);
  const book = (
    <Button
      fullWidth
      variant={isSecond ? "default" : "filled"}
      leftSection={<IconCashBanknote size="1.25rem" aria-hidden="true" />}
      rightSection={hasKey ? <KeyCap>Alt+G</KeyCap> : null}
      disabled={disabled}
      onClick={(event) => {
        letGo(event);
        onGive();
      }}
    >
      {t("sale.bookCustomerRefund", { amount })}
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
            .map(({ kind, name, ...way }) => {
              const amount = money(way.amount);
              return name === undefined
                ? t(`sale.backBy.${kind}`, { amount })
                : t("sale.backBy.named", { amount, name });
            })
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
