import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import { amountText } from "../../../lib/amount-text.ts";
import { TYPING_MS, useAnnounced } from "../../../lib/announcer.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { meaningOf, useUnreadKeys } from "../../../lib/key-edge.ts";
import { fractionDigits, type MoneyUnit } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { type CashDraft, readCash } from "../cash-count.ts";
import classes from "./cash-field.module.css";

/**
 * Notes and coins in major units, largest first. Currencies without an entry use 1, 2, 5 and their
 * multiples of ten.
 */
const DENOMINATIONS: Readonly<Record<string, readonly number[]>> = {
  USD: [100, 50, 20, 10, 5, 1, 0.25, 0.1, 0.05, 0.01],
  CAD: [100, 50, 20, 10, 5, 2, 1, 0.25, 0.1, 0.05],
  EUR: [200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01],
  GBP: [50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01],
  GTQ: [200, 100, 50, 20, 10, 5, 1, 0.5, 0.25, 0.1, 0.05],
  HNL: [500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2],
  NIO: [1000, 500, 200, 100, 50, 20, 10, 5, 1, 0.5, 0.25],
  CRC: [20_000, 10_000, 5000, 2000, 1000, 500, 100, 50, 25, 10, 5],
  MXN: [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5],
  DOP: [2000, 1000, 500, 200, 100, 50, 25, 10, 5, 1],
  COP: [100_000, 50_000, 20_000, 10_000, 5000, 2000, 1000, 500, 200, 100, 50],
  PEN: [200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1],
  BRL: [200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.25, 0.1, 0.05],
  INR: [500, 200, 100, 50, 20, 10, 5, 2, 1],
  PHP: [1000, 500, 200, 100, 50, 20, 10, 5, 1, 0.25],
  NGN: [1000, 500, 200, 100, 50, 20, 10, 5],
  KES: [1000, 500, 200, 100, 50, 40, 20, 10, 5, 1],
  XOF: [10_000, 5000, 2000, 1000, 500, 250, 200, 100, 50, 25, 10, 5],
  XAF: [10_000, 5000, 2000, 1000, 500, 100, 50, 25, 10, 5],
  HTG: [1000, 500, 250, 100, 50, 25, 10, 5, 1],
  JMD: [5000, 2000, 1000, 500, 100, 50, 20, 10, 5, 1],
  AED: [1000, 500, 200, 100, 50, 20, 10, 5, 1, 0.5, 0.25],
  JPY: [10_000, 5000, 2000, 1000, 500, 100, 50, 10, 5, 1],
};

const SERIES = [500, 200, 100, 50, 20, 10, 5, 2, 1];

function listDenominations(currency: string, divisor: number): number[] {
  const listed = DENOMINATIONS[currency] ?? [...SERIES, ...SERIES.slice(3).map((n) => n / 100)];
  return listed
    .map((major) => Math.round(major * divisor * 1000) / 1000)
    .filter((minor) => Number.isInteger(minor) && minor > 0);
}

interface CashFieldProps extends MoneyUnit {
  readonly label: string;
  readonly draft: CashDraft;
  readonly onChange: (draft: CashDraft) => void;
}

export function CashField(props: CashFieldProps) {
  const { t } = useTranslation();
  const { draft, onChange } = props;
  return (
    <div className="stack gap-3">
      {draft.byNotes ? <NotesAndCoins {...props} /> : <TotalField {...props} />}
      <button
        type="button"
        className={classes.switch}
        onClick={() => onChange({ ...draft, byNotes: !draft.byNotes })}
      >
        {t(draft.byNotes ? "shift.count.total" : "shift.count.byNotes")}
      </button>
    </div>
  );
}

function TotalField({ label, draft, currencyDivisor, onChange }: CashFieldProps) {
  const format = useFormat();
  return (
    <AmountInput
      label={label}
      value={format.typedAmount(draft.total)}
      onType={(text) =>
        onChange({ ...draft, total: amountText(text, fractionDigits(currencyDivisor)) })
      }
    />
  );
}

interface AmountInputProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
}

export function AmountInput({ label, value, onType }: AmountInputProps) {
  const { t } = useTranslation();
  const id = useId();
  const isUnread = useUnreadKeys();
  return (
    <div>
      <label className="soft medium" htmlFor={id}>
        {label}
      </label>
      {isUnread ? (
        <Notice tone="bad" loud>
          {t("keyboard.unread")}
        </Notice>
      ) : null}
      <input
        id={id}
        ref={focusNow}
        className={classes.total}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
    </div>
  );
}

function focusNow(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
}

function NotesAndCoins({ draft, currency, currencyDivisor, onChange }: CashFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { amount = 0 } = readCash(draft, currencyDivisor);
  const sum = format.money(amount, currency, currencyDivisor);
  useAnnounced(amount === 0 ? undefined : `${t("shift.count.sum")} ${sum}`, { afterMs: TYPING_MS });
  return (
    <fieldset className={classes.notes} aria-label={t("shift.count.list")}>
      {listDenominations(currency, currencyDivisor).map((denomination, index) => (
        <Quantity
          key={denomination}
          name={format.moneyShort(denomination, currency, currencyDivisor)}
          value={draft.quantities[denomination] ?? ""}
          isFirst={index === 0}
          onType={(text) =>
            onChange({
              ...draft,
              quantities: {
                ...draft.quantities,
                [denomination]: latinDigits(text).replaceAll(/\D/g, "").slice(0, 5),
              },
            })
          }
        />
      ))}
      <p className="flex justify-between items-baseline span-all pad-3-4 round sunken soft medium">
        <span>{t("shift.count.sum")}</span>
        <output className="ink size-heading strong">{sum}</output>
      </p>
    </fieldset>
  );
}

interface QuantityProps {
  readonly name: string;
  readonly value: string;
  readonly isFirst: boolean;
  readonly onType: (text: string) => void;
}

/** Enter moves to the next quantity. In the last quantity, Enter submits the form. */
function Quantity({ name, value, isFirst, onType }: QuantityProps) {
  const id = useId();
  return (
    <div className={classes.note}>
      <label className="text-end nowrap" htmlFor={id}>
        {name}
      </label>
      <input
        id={id}
        ref={isFirst ? focusNow : undefined}
        className="w-full touch pad-0-3 field round tabular text-end placeholder"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder="0"
        data-quantity="true"
        value={value}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={(event) => {
          const { kind } = meaningOf(event.nativeEvent);
          if (kind === "confirm" && focusNext(event.currentTarget)) {
            event.preventDefault();
          }
        }}
      />
    </div>
  );
}

function focusNext(field: HTMLInputElement): boolean {
  const fields = [...(field.form?.querySelectorAll<HTMLInputElement>("[data-quantity]") ?? [])];
  const next = fields[fields.indexOf(field) + 1];
  next?.focus();
  return next !== undefined;
}
