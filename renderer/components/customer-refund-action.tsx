import { Button } from "@mantine/core";
import { IconCashBanknote } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CustomerRefundTender } from "../../server/contract/pos/sales.ts";
import { letGo } from "../lib/rest-focus.ts";
import { useScreenCommand } from "../lib/screen-commands.ts";
import classes from "./customer-refund-action.module.css";
import { KeyCap } from "./key-cap.tsx";

/** Time in milliseconds within which a second press is ignored. */
const ONE_PRESS_MS = 1500;

let isJustGiven = false;

/**
 * Refunds by Alt+G. A quick second press does nothing: the first refund is booked, and the key
 * would apply to the next customer (rules#key-one-refund-a-press).
 */
export function useRefundByKey(give: () => void, enabled: boolean): void {
  useScreenCommand(
    "customer-refund",
    () => {
      if (!isJustGiven) {
        rememberPress();
        give();
      }
    },
    { enabled },
  );
}

function rememberPress(): void {
  isJustGiven = true;
  const listening = new AbortController();
  const { signal } = listening;
  const forget = () => {
    isJustGiven = false;
    listening.abort();
  };
  const timer = setTimeout(forget, ONE_PRESS_MS);
  signal.addEventListener("abort", () => clearTimeout(timer));
  document.addEventListener("pointerdown", forget, { signal });
  const onKey = ({ key, code }: KeyboardEvent) => {
    if (key !== "Alt" && code !== "KeyG") {
      forget();
    }
  };
  document.addEventListener("keydown", onKey, { signal, capture: true });
}

interface CustomerRefundActionProps {
  /** Formatted. */
  readonly amount: string;
  /** True if Alt+G presses the button. Only one button on a screen may have the key. */
  readonly hasKey: boolean;
  readonly disabled?: boolean;
  readonly isSecond?: boolean;
  /** Tenders of the refund. Absent if the whole refund is cash. */
  readonly ways?: readonly CustomerRefundTender[];
  readonly money: (minor: number) => string;
  readonly onGive: () => void;
  /** Refunds the whole amount in cash, even the part paid by other tenders. */
  readonly onGiveInCash?: () => void;
}

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
    <div className="stack gap-2">
      {book}
      <div className={classes.row}>
        <p className="medium">
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
