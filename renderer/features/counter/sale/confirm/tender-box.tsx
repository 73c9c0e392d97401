import { IconCash, IconCreditCard, IconDots, IconX } from "@tabler/icons-react";
import { type CSSProperties, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ChangeBox } from "../../../../components/change-box.tsx";
import { FitText } from "../../../../components/fit-text.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { amountText } from "../../../../lib/amount-text.ts";
import { withoutIsolates } from "../../../../lib/direction.ts";
import { expects } from "../../../../lib/key-edge.ts";
import { fractionDigits, toDecimal } from "../../../../lib/money.ts";
import { restFocus } from "../../../../lib/rest-focus.ts";
import { useScreenCommand } from "../../../../lib/screen-commands.ts";
import { type OfferedTender, offeredTenders } from "../../../../lib/tender-keys.ts";
import { tenderName } from "../../../../lib/tender-name.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { modeBeside, useKeypadShown } from "../../ui/keypad.tsx";
import { OWN_FIELD } from "../../ui/step-control.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { noteText, quickNotes } from "../tender/counted-cash.ts";
import type { OtherTender, Tendered } from "../tender/tender.ts";
import recordedTendersClasses from "./recorded-tenders.module.css";
import { tenderAdded } from "./sale-control.ts";
import { SALE_IN_SHORT_ID } from "./sale-in-short.tsx";
import classes from "./tender-box.module.css";

const CHANGE_ID = "sale-change";

export function TenderBox({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { tendered, total } = sale;
  const { currency, currencyDivisor: divisor } = sale.till;
  if (!tendered) {
    return null;
  }
  const [word, amount] = cashWord(tendered);
  return (
    <div className={classes.cash}>
      <div className="flex justify-between items-baseline gap-3">
        <span className="flex-none soft">{t("counter.total")}</span>
        <span className="flex-1 min-w-0 size-amount strong tracking-tight leading-120 text-end">
          <FitText>{format.money(total, currency, divisor)}</FitText>
        </span>
      </div>
      <Methods sale={sale} tendered={tendered} />
      <RecordedTenders sale={sale} />
      {tendered.cashRounding === 0 ? null : (
        <div className="flex justify-between items-baseline gap-3">
          <span className="flex-none soft">{t("sale.cashRounding")}</span>
          <span>{format.money(tendered.cashRounding, currency, divisor)}</span>
        </div>
      )}
      {tendered.takesCash ? <CashPart sale={sale} tendered={tendered} /> : null}
      <ChangeBox
        label={t(`counter.${word}`)}
        amount={format.money(amount, currency, divisor)}
        tone={toneOf(tendered)}
        id={CHANGE_ID}
        isNone={word === "change" && amount === 0}
        isSilent={sale.state.tender.text === ""}
      />
    </div>
  );
}

function cashWord({ isAbsurd, tendered, missing, change }: Tendered) {
  if (isAbsurd) {
    return ["notCash", tendered ?? 0] as const;
  }
  return missing > 0 ? (["missing", missing] as const) : (["change", change] as const);
}

function toneOf({ isAbsurd, missing }: Tendered) {
  if (isAbsurd) {
    return "absurd";
  }
  return missing > 0 ? "short" : "plain";
}

const METHOD_ICONS = { CASH: IconCash, CARD: IconCreditCard, OTHER: IconDots } as const;

interface PartProps {
  readonly sale: CurrentSale;
  readonly tendered: Tendered;
}

function CashPart({ sale, tendered }: PartProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, till, dispatch } = sale;
  const { currency, currencyDivisor: divisor } = till;
  const due = tendered.cashDue;
  const type = (text: string) => dispatch({ type: "tender-typed", text });
  const notes = quickNotes(due, currency, divisor);
  const labels = notes.map((note) => format.moneyShort(note, currency, divisor));
  return (
    <>
      <CashField
        sale={sale}
        exact={toDecimal(due, divisor)}
        isOff={tendered.isAbsurd || tendered.missing > 0}
      />
      <fieldset
        className={classes.notes}
        aria-label={t("counter.cash")}
        style={{ "--letters": longest(labels) } as CSSProperties}
      >
        <NoteButton
          label={t("counter.exact")}
          pressed={tendered.tendered === due}
          disabled={state.paying}
          onPress={() => type("")}
        />
        {notes.map((note, index) => (
          <NoteButton
            key={note}
            label={labels[index] ?? ""}
            pressed={tendered.tendered === note}
            disabled={state.paying}
            onPress={() => type(noteText(note, due, divisor))}
          />
        ))}
      </fieldset>
    </>
  );
}

/** Cash is used unless another method is recorded. */
function Methods({ sale, tendered }: PartProps) {
  const { t } = useTranslation();
  const { state, till, dispatch } = sale;
  const cash = till.tenders.find(({ kind }) => kind === "CASH");
  const { others } = state.tender;
  return (
    <fieldset className={classes.methods} aria-label={t("counter.method")}>
      {cash ? (
        <Method
          name={cash.name ?? t("counter.tender.CASH")}
          kind="CASH"
          isChosen={others.length === 0}
          isOff={state.paying}
          onPress={() => {
            for (const index of others.keys()) {
              dispatch({ type: "tender-removed", index: others.length - 1 - index });
            }
          }}
        />
      ) : null}
      {offeredTenders(till.tenders).map((other) => (
        <Method
          key={other.tenderId}
          name={tenderName(other, t)}
          kind={other.kind}
          shortcut={other.key.toUpperCase()}
          isChosen={others.some((one) => (one.tenderId ?? one.kind) === other.tenderId)}
          isOff={state.paying || tendered.cashDue - tendered.cashRounding <= 0}
          onPress={() => dispatch(tenderAdded(other))}
        />
      ))}
    </fieldset>
  );
}

interface MethodProps {
  readonly name: string;
  readonly kind: OfferedTender["kind"] | "CASH";
  readonly shortcut?: string;
  readonly isChosen: boolean;
  readonly isOff: boolean;
  readonly onPress: () => void;
}

function Method({ name, kind, shortcut, isChosen, isOff, onPress }: MethodProps) {
  const Icon = METHOD_ICONS[kind];
  return (
    <button
      type="button"
      className={classes.method}
      aria-pressed={isChosen}
      disabled={isOff}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon className="flex-none" size="1.25rem" aria-hidden="true" />
      <bdi className="break-anywhere">{name}</bdi>
      {shortcut === undefined ? null : <KeyCap>{shortcut}</KeyCap>}
    </button>
  );
}

function longest(labels: readonly string[]): number {
  return Math.max(0, ...labels.map((label) => withoutIsolates(label).length));
}

interface CashFieldProps {
  readonly sale: CurrentSale;
  readonly exact: string;
  readonly isOff: boolean;
}

function CashField({ sale, exact, isOff }: CashFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [keypadShown] = useKeypadShown();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.field} data-field data-off={isOff}>
      <label className="flex-none soft" htmlFor={id}>
        {t("counter.cash")}
      </label>
      <input
        {...OWN_FIELD}
        {...expects("digits")}
        ref={field}
        id={id}
        className={classes.input}
        type="text"
        inputMode={modeBeside(keypadShown, "decimal")}
        autoComplete="off"
        placeholder={format.typedAmount(exact)}
        readOnly={sale.state.paying}
        aria-invalid={isOff}
        aria-describedby={`${SALE_IN_SHORT_ID} ${CHANGE_ID}`}
        value={format.typedAmount(sale.state.tender.text)}
        onChange={({ currentTarget }) =>
          sale.dispatch({
            type: "tender-typed",
            text: amountText(currentTarget.value, fractionDigits(sale.till.currencyDivisor)),
          })
        }
      />
    </div>
  );
}

interface NoteButtonProps {
  readonly label: string;
  readonly pressed: boolean;
  readonly disabled: boolean;
  readonly onPress: () => void;
}

function NoteButton({ label, pressed, disabled, onPress }: NoteButtonProps) {
  return (
    <button
      type="button"
      className={classes.note}
      aria-pressed={pressed}
      disabled={disabled}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {label}
    </button>
  );
}

function RecordedTenders({ sale }: { readonly sale: CurrentSale }) {
  const { others } = sale.state.tender;
  if (others.length === 0) {
    return null;
  }
  return (
    <ul className="stack gap-2">
      {others.map((other, index) => (
        <Recorded
          // biome-ignore lint/suspicious/noArrayIndexKey: tenders are told apart by their place
          key={index}
          sale={sale}
          other={other}
          index={index}
        />
      ))}
    </ul>
  );
}

interface RecordedProps {
  readonly sale: CurrentSale;
  readonly other: OtherTender;
  readonly index: number;
}

function Recorded({ sale, other, index }: RecordedProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const reference = useRef<HTMLInputElement>(null);
  useScreenCommand("tender-reference", () => reference.current?.focus());
  const { currency, currencyDivisor } = sale.till;
  const kind = tenderName(other, t);
  return (
    <li className={recordedTendersClasses.tender}>
      <span className="medium" dir="auto">
        {kind}
      </span>
      <span className="size-label strong">
        {format.money(other.amount, currency, currencyDivisor)}
      </span>
      <button
        type="button"
        className={recordedTendersClasses.remove}
        aria-label={t("counter.tender.remove", { kind })}
        disabled={sale.state.paying}
        onClick={() => sale.dispatch({ type: "tender-removed", index })}
      >
        <IconX size="1.25rem" aria-hidden="true" />
      </button>
      <label htmlFor={id} className="spoken">
        {t("counter.tender.reference")}
      </label>
      <input
        id={id}
        className={recordedTendersClasses.reference}
        type="text"
        maxLength={64}
        autoComplete="off"
        ref={reference}
        placeholder={t("counter.tender.reference")}
        readOnly={sale.state.paying}
        value={other.reference ?? ""}
        onChange={({ currentTarget }) =>
          sale.dispatch({ type: "reference-typed", index, text: currentTarget.value })
        }
        onKeyDown={(event) => {
          // Enter completes the reference, so the next Enter pays.
          if (event.key === "Enter" || event.key === "Escape") {
            event.preventDefault();
            restFocus();
          }
        }}
      />
    </li>
  );
}
