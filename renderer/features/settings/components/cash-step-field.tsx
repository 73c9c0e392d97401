import { Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usualCashStep } from "../../../../server/contract/pos/cash-rounding.ts";
import type { PosStatus } from "../../../../server/contract/pos/setup.ts";
import { amountText } from "../../../lib/amount-text.ts";
import { fractionDigits } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { CASH_CHOICES, type CashDraft, readCashStep } from "../cash-draft.ts";

interface CashStepFieldProps {
  readonly status: PosStatus;
  readonly draft: CashDraft;
  readonly onDraft: (draft: CashDraft) => void;
}

/** What cash is rounded to: not at all, as in the shop's country, or to an amount. */
export function CashStepField({ status, draft, onDraft }: CashStepFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, currencyDivisor, country } = status;
  const usual = usualCashStep(country, currency);
  const isWrong = readCashStep(draft, status) === undefined;
  const words = {
    none: t("office.settings.sales.cash.none"),
    usual: t("office.settings.sales.cash.usual", {
      country: format.country(country),
      amount: format.money(usual, currency, currencyDivisor),
    }),
    own: t("office.settings.sales.cash.own"),
  };
  return (
    <>
      <Select
        label={t("office.settings.sales.cash.label")}
        description={t("office.settings.sales.cash.hint")}
        allowDeselect={false}
        data={CASH_CHOICES.filter((choice) => choice !== "usual" || usual > 0).map((value) => ({
          value,
          label: words[value],
        }))}
        value={draft.choice}
        onChange={(chosen) => {
          const choice = CASH_CHOICES.find((one) => one === chosen);
          if (choice) {
            onDraft({ ...draft, choice });
          }
        }}
      />
      {draft.choice === "own" ? (
        <TextInput
          label={t("office.settings.sales.cash.amount", { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={format.typedAmount(draft.typed)}
          error={isWrong ? t("office.settings.sales.cash.wrong") : undefined}
          onChange={({ currentTarget }) => {
            const typed = amountText(currentTarget.value, fractionDigits(currencyDivisor));
            onDraft({ ...draft, typed });
          }}
        />
      ) : null}
    </>
  );
}
