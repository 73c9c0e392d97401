import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import {
  type PrinterHead,
  type RollWidth,
  USUAL_HEADS,
} from "../../../../server/contract/pos/printers.ts";

/** Heads of printers that shops have, the usual one first. */
const HEADS: Readonly<Record<RollWidth, readonly PrinterHead[]>> = {
  "80mm": [
    USUAL_HEADS["80mm"],
    { lineLetters: 42, headDots: 512 },
    { lineLetters: 42, headDots: 576 },
    { lineLetters: 44, headDots: 528 },
  ],
  "58mm": [
    USUAL_HEADS["58mm"],
    { lineLetters: 35, headDots: 416 },
    { lineLetters: 30, headDots: 360 },
    { lineLetters: 42, headDots: 384 },
  ],
};

interface HeadChoiceProps {
  readonly paper: RollWidth;
  readonly head: PrinterHead;
  readonly disabled?: boolean;
  readonly onHead: (head: PrinterHead) => void;
}

/** How many letters and dots a printer has across: its test page shows whether they fit. */
export function HeadChoice({ paper, head, disabled = false, onHead }: HeadChoiceProps) {
  const { t } = useTranslation();
  const usual = HEADS[paper];
  const heads = usual.some((one) => keyOf(one) === keyOf(head)) ? usual : [...usual, head];
  return (
    <Select
      label={t("printing.head")}
      description={t("printing.headHint")}
      allowDeselect={false}
      disabled={disabled}
      data={heads.map((one) => ({
        value: keyOf(one),
        label: t("printing.headOf", { letters: one.lineLetters, dots: one.headDots }),
      }))}
      value={keyOf(head)}
      onChange={(value) => {
        const { lineLetters, headDots } = heads.find((one) => keyOf(one) === value) ?? head;
        onHead({ lineLetters, headDots });
      }}
    />
  );
}

function keyOf({ lineLetters, headDots }: PrinterHead): string {
  return `${lineLetters} ${headDots}`;
}
