import { Button } from "@mantine/core";
import { IconCashBanknote } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../key-cap.tsx";

interface GiveBackActionProps {
  /** As it is written. */
  readonly amount: string;
  /** Alt+G is this one's: one on a screen has it. */
  readonly hasKey: boolean;
  readonly disabled?: boolean;
  readonly onGive: () => void;
}

/** Says that the money is back in the customer's hand. */
export function GiveBackAction({ amount, hasKey, disabled = false, onGive }: GiveBackActionProps) {
  const { t } = useTranslation();
  return (
    <Button
      data-give-back={hasKey ? true : undefined}
      fullWidth
      leftSection={<IconCashBanknote size="1.25rem" aria-hidden="true" />}
      rightSection={hasKey ? <KeyCap>Alt+G</KeyCap> : null}
      disabled={disabled}
      onClick={(event) => {
        event.currentTarget.blur();
        onGive();
      }}
    >
      {t("sale.bookGiveBack", { amount })}
    </Button>
  );
}
