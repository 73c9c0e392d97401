import { TextInput } from "@mantine/core";
import { amountText } from "../lib/amount-text.ts";
import { fractionDigits } from "../lib/money.ts";
import { useFormat } from "../lib/use-format.ts";

interface AmountFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly text: string;
  readonly currencyDivisor: number;
  readonly error?: string | undefined;
  readonly onText: (text: string) => void;
}

export function AmountField({
  label,
  hint,
  text,
  currencyDivisor,
  error,
  onText,
}: AmountFieldProps) {
  const format = useFormat();
  return (
    <TextInput
      label={label}
      description={hint}
      inputMode="decimal"
      autoComplete="off"
      value={format.typedAmount(text)}
      error={error}
      onChange={({ currentTarget }) =>
        onText(amountText(currentTarget.value, fractionDigits(currencyDivisor)))
      }
    />
  );
}
