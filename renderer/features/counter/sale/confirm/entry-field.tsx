import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { TYPING_MS, useAnnounced } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { expects } from "../../../../lib/key-edge.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { OWN_FIELD, type StepControl } from "../../ui/step-control.ts";
import { WideInput } from "../../ui/wide-input.tsx";
import type { CurrentSale } from "../basket/use-sale.ts";
import { readEntry } from "./sale-control.ts";
import tenderClasses from "./tender-box.module.css";

interface EntryFieldProps {
  readonly sale: CurrentSale;
  readonly control: StepControl;
}

export function EntryField({ sale, control }: EntryFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { entry, error } = sale.state;
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  const { currency, currencyDivisor } = sale.till;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  const typed = entry?.kind === "discount" ? readEntry(sale, entry) : undefined;
  const isOff = typed !== undefined && typed.discount === undefined;
  const line =
    entry?.kind === "discount"
      ? sale.lines.find(({ transactionId }) => transactionId === entry.transactionId)
      : undefined;
  const told = discountWords();
  useAnnounced(told, { afterMs: TYPING_MS });
  if (!entry) {
    return null;
  }
  return (
    <div className={tenderClasses.cash}>
      <div>
        <label className="flex-none soft" htmlFor={id}>
          {line
            ? t("counter.entry.discountOn", { title: lineTitle(line.item) })
            : t(`counter.entry.${entry.kind}`)}{" "}
          <KeyCap>Esc</KeyCap>
        </label>
        <WideInput
          {...OWN_FIELD}
          {...expects(entry.kind === "discount" ? "digits" : "text")}
          inPanel
          ref={field}
          id={id}
          type="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={entry.kind === "discount" ? format.typedAmount(entry.text) : entry.text}
          aria-invalid={isOff}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => control.type?.(() => currentTarget.value)}
        />
        <p id={`${id}-hint`} className={tenderClasses.hint} data-off={isOff}>
          {told ?? t(`counter.entry.${entry.kind}Hint`)}
        </p>
      </div>
      {error ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
    </div>
  );

  function discountWords(): string | undefined {
    if (isOff) {
      return t("counter.entry.discountMost", { most: money(typed.most) });
    }
    return typed?.discount
      ? t("counter.entry.discountTo", {
          before: money(typed.most),
          price: money(typed.most - typed.discount),
        })
      : undefined;
  }
}
