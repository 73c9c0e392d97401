import { Button } from "@mantine/core";
import {
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBuildingBank,
  IconCashRegister,
  IconLock,
  IconPrinter,
  type TablerIcon,
} from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  MovementKind,
  OwedSale,
  Shift,
  UnfinishedLine,
  ZReport,
} from "../../../../server/contract/pos/shifts.ts";
import { CustomerRefundButton } from "../../../components/customer-refund-button.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { useCustomerRefundKey } from "../../../lib/customer-refund.ts";
import { useRecipient } from "../../../lib/destination.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { isTypingText, meaningOf } from "../../../lib/key-edge.ts";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { reportTroubleWords } from "../../../lib/print-error.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import { areSingleKeysOn, isOnControl, OWN_KEYS, takesText } from "../../../lib/single-keys.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { movementsQuery, xReportQuery } from "../api/shift-queries.ts";
import { blindSections, expectedRows, figureSections, owedSections } from "../shift-sections.ts";
import { type Closing, useClosing } from "../use-closing.ts";
import { useFigureFormat } from "../use-figure-format.ts";
import { isWhole, type WholeX } from "../whole-x.ts";
import { Awaited } from "./awaited.tsx";
import { CashField } from "./cash-field.tsx";
import { FigureSections } from "./figure-sections.tsx";
import { MovementForm } from "./movement-form.tsx";
import owedListClasses from "./owed-list.module.css";
import closeFormClasses from "./shift-form.module.css";
import classes from "./shift-screen.module.css";

const MINUTE_MS = 60_000;

type Action = MovementKind | "close";

const ACTIONS: readonly (readonly [Action, TablerIcon])[] = [
  ["PAY_IN", IconArrowDownLeft],
  ["PAY_OUT", IconArrowUpRight],
  ["DROP", IconBuildingBank],
  ["NO_SALE", IconCashRegister],
  ["close", IconLock],
];

interface OwnShiftProps {
  readonly shift: Shift;
  readonly onClosed: (report: ZReport) => void;
  readonly onClosing: (isClosing: boolean) => void;
  readonly onPrint: (x: WholeX) => Promise<void>;
}

export function OwnShift({ shift, onClosed, onClosing, onPrint }: OwnShiftProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const report = useQuery(xReportQuery(shift.shiftId));
  const x = report.data;
  const closing = useClosing(shift, { onClosed, onClosing });
  const [action, choose] = useAction(closing);
  const figureFormat = useFigureFormat(
    shift,
    x?.figures ?? { walletCurrency: shift.currency, walletCurrencyDivisor: shift.currencyDivisor },
  );
  const whole = x && isWhole(x) ? x : undefined;
  return (
    <div className={classes.own} data-acting={action !== undefined}>
      <header className="stack gap-4 span-all">
        <p className="soft">{t("shift.since", format.when(shift.openedAt))}</p>
        <ActionRow action={action} choose={choose} />
      </header>
      {action === undefined ? null : (
        <aside className="stack gap-4 min-w-0" aria-label={t("shift.do.label")}>
          {action === "close" ? (
            <CloseForm shift={shift} closing={closing} />
          ) : (
            <MovementForm
              key={action}
              shift={shift}
              kind={action}
              onDone={() => choose(undefined)}
            />
          )}
        </aside>
      )}
      <div className="stack gap-4 min-w-0">
        {action === "close" && closing.isRefused && x && x.unfinished.length > 0 ? (
          <UnfinishedList
            lines={x.unfinished}
            disabled={!closing.isReady}
            onLeave={() => closing.close(true)}
          />
        ) : null}
        {action === "close" && x && x.owed.length > 0 ? (
          <OwedList shift={shift} owed={x.owed} />
        ) : null}
        {x && !whole ? (
          <>
            <FigureSections sections={blindSections(x, figureFormat)} />
            <Notice tone="info">{t("shift.blind")}</Notice>
          </>
        ) : null}
        {whole ? (
          <>
            <FigureSections
              sections={[
                ...figureSections(
                  whole.figures,
                  whole.shift.float,
                  figureFormat,
                  expectedRows(whole.expectedCash, figureFormat),
                ),
                ...owedSections(whole.owed, figureFormat),
              ]}
            />
            <XPrint x={whole} onPrint={onPrint} />
          </>
        ) : null}
        {x ? null : <Awaited query={report} />}
        {(x && !whole && action === "close") || troubleOf(report) ? null : (
          <MovementList shift={shift} />
        )}
      </div>
    </div>
  );
}

interface ActionRowProps {
  readonly action: Action | undefined;
  readonly choose: (action: Action) => void;
}

function ActionRow({ action, choose }: ActionRowProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.actions} {...OWN_KEYS}>
      {ACTIONS.map(([each, Icon], index) => (
        <button
          key={each}
          type="button"
          className={classes.action}
          aria-pressed={action === each}
          onClick={() => choose(each)}
        >
          <Icon className="flex-none accent" size="1.25rem" aria-hidden="true" />
          <span>{t(`shift.do.${each}`)}</span>
          <KeyCap>{index + 1}</KeyCap>
        </button>
      ))}
    </div>
  );
}

/** The open action. It does not change until the answer to a closing arrives. */
function useAction(closing: Closing) {
  const [action, setAction] = useState<Action>();
  const choose = (next: Action | undefined) => {
    if (!closing.isPending) {
      closing.reset();
      setAction(next);
    }
  };
  useActionKeys(action, choose);
  return [action, choose] as const;
}

/**
 * Keys 1 to 5 open the actions that show them, and Escape closes the open action. Fields handle
 * their own keys.
 */
function useActionKeys(
  action: Action | undefined,
  setAction: (action: Action | undefined) => void,
): void {
  const [chosenAt, setChosenAt] = useState(Number.NEGATIVE_INFINITY);
  useScreenKeys((event) => {
    const meaning = meaningOf(event);
    if (event.key === "Escape" && action !== undefined) {
      event.preventDefault();
      setAction(undefined);
      return;
    }
    if (meaning.kind !== "digit") {
      return;
    }
    if (event.timeStamp - chosenAt <= SAME_NUMBER_MS) {
      // Quick digits form a number, which neither chooses an action nor is an amount.
      setChosenAt(event.timeStamp);
      event.preventDefault();
      setAction(undefined);
      return;
    }
    const chosen = ACTIONS[Number(meaning.digit) - 1]?.[0];
    const isFree = areSingleKeysOn() && !takesText(event.target) && !isOnControl(event.target);
    // While a shift is being closed, digits belong to the count or to a PIN.
    if (chosen && action !== "close" && isFree) {
      setChosenAt(event.timeStamp);
      event.preventDefault();
      setAction(chosen);
    }
  });
}

interface CloseFormProps {
  readonly shift: Shift;
  readonly closing: Closing;
}

/** The count is blind: the person enters the cash before the screen shows the expected amount. */
function CloseForm({ shift, closing }: CloseFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { draft, setDraft, amount, isReady, hasUnsent, error, close, closeSurely } = closing;
  return (
    <form
      className={closeFormClasses.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) {
          close(false);
        }
      }}
    >
      <h2 className="size-label">{t("shift.close.title")}</h2>
      <p className="soft">{t("shift.close.hint")}</p>
      <CashField
        label={t("shift.close.counted")}
        draft={draft}
        currency={shift.currency}
        currencyDivisor={shift.currencyDivisor}
        onChange={setDraft}
      />
      {hasUnsent ? (
        <Notice tone="wait" loud>
          {t("shift.close.unsent")}
        </Notice>
      ) : null}
      <Trouble error={error} />
      {closeSurely && amount !== undefined ? (
        <Button variant="default" onClick={closeSurely}>
          {t("shift.close.surely", {
            amount: format.money(amount, shift.currency, shift.currencyDivisor),
          })}
        </Button>
      ) : null}
      <button type="submit" className={closeFormClasses.primary} disabled={!isReady}>
        <span>
          {amount === undefined
            ? t("shift.do.close")
            : t("shift.close.submit", {
                amount: format.money(amount, shift.currency, shift.currencyDivisor),
              })}
        </span>
        <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}

function MovementList({ shift }: { readonly shift: Shift }) {
  const { t } = useTranslation();
  const format = useFormat();
  const movements = useQuery(movementsQuery(shift.shiftId));
  const { data } = movements;
  if (!data) {
    return <QueryTrouble query={movements} />;
  }
  if (data.list.length === 0) {
    return <p className="soft">{t("shift.move.none")}</p>;
  }
  return (
    <ul className="stack gap-2" aria-label={t("shift.move.list")}>
      {data.list.toReversed().map((movement) => (
        <li key={movement.movementId} className={classes.item}>
          <span>{format.time(movement.recordedAt)}</span>
          <span className={classes.grow}>
            {t(`shift.do.${movement.kind}`)}
            <small className="block soft regular">
              {[movement.reason, movement.approvedBy?.name].filter(Boolean).join(" · ")}
            </small>
          </span>
          <span className="medium tabular nowrap">
            {movement.kind === "NO_SALE"
              ? null
              : format.money(
                  movement.kind === "PAY_IN" ? movement.amount : -movement.amount,
                  shift.currency,
                  shift.currencyDivisor,
                )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface OwedListProps {
  readonly shift: Shift;
  readonly owed: readonly OwedSale[];
}

function OwedList({ shift, owed }: OwedListProps) {
  const { t } = useTranslation();
  useCustomerRefundKey();
  return (
    <Notice tone="wait">
      <strong>{t("shift.owed.title")}</strong>
      <p>{t("shift.owed.hint")}</p>
      <ul className={owedListClasses.list} aria-label={t("shift.owed.title")}>
        {owed.map((one, index) => (
          <OwedRow key={one.saleId} shift={shift} owed={one} hasKey={index === 0} />
        ))}
      </ul>
    </Notice>
  );
}

interface OwedRowProps {
  readonly shift: Shift;
  readonly owed: OwedSale;
  /** True if Alt+G presses this button. */
  readonly hasKey: boolean;
}

function OwedRow({ shift, owed, hasKey }: OwedRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const recipientOf = useRecipient();
  const { data: sale } = useQuery(saleQuery(owed.saleId));
  const failed = sale?.lines.filter((line) => line.outcome === "NOT_DELIVERED" && !line.refunded);
  return (
    <li className="row wrap justify-between gap-2-4">
      <p>
        <strong>{t("sale.number", { number: owed.saleNumber })}</strong> ·{" "}
        {format.money(owed.amount, shift.currency, shift.currencyDivisor)}
        <small className="flex wrap gap-0-3">
          {failed?.map((line) => (
            <bdi key={line.transactionId}>{recipientOf(line) || line.brandName}</bdi>
          ))}
        </small>
      </p>
      <div>{sale ? <CustomerRefundButton sale={sale} hasKey={hasKey} /> : null}</div>
    </li>
  );
}

interface UnfinishedListProps {
  readonly lines: readonly UnfinishedLine[];
  readonly disabled: boolean;
  readonly onLeave: () => void;
}

/** Sales without an outcome. People with a permission may close the shift anyway. */
function UnfinishedList({ lines, disabled, onLeave }: UnfinishedListProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(MINUTE_MS);
  useScreenKeys((event) => {
    if (event.key === "F8" && !event.repeat && !disabled && !isTypingText(event)) {
      event.preventDefault();
      onLeave();
    }
  });
  return (
    <Notice tone="wait" loud>
      <strong>{t("shift.close.unfinished")}</strong>
      <ul className={closeFormClasses.lines}>
        {lines.map((line) => (
          <li key={line.transactionId}>
            <bdi>{line.brandName}</bdi> <bdi>{line.recipient}</bdi> ·{" "}
            {format.money(line.price, line.currency, line.currencyDivisor)}
            <small className="block">
              {t("shift.close.until", {
                number: line.saleNumber,
                until: format.until(line.keepTryingUntil, now),
              })}
            </small>
          </li>
        ))}
      </ul>
      <p>{t("shift.close.askOwner")}</p>
      <p>{t("shift.close.leaveHint")}</p>
      <Button
        variant="default"
        mt="sm"
        disabled={disabled}
        rightSection={<KeyCap>F8</KeyCap>}
        onClick={onLeave}
      >
        {t("shift.close.leave")}
      </Button>
    </Notice>
  );
}

interface XPrintProps {
  readonly x: WholeX;
  readonly onPrint: (x: WholeX) => Promise<void>;
}

function XPrint({ x, onPrint }: XPrintProps) {
  const { t } = useTranslation();
  const print = useMutation({ mutationFn: () => onPrint(x) });
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconPrinter size="1.25rem" aria-hidden="true" />}
        disabled={print.isPending}
        onClick={() => print.mutate()}
      >
        {t("shift.x.print")}
      </Button>
      {print.error ? (
        <Notice tone="bad" loud>
          {reportTroubleWords(print.error, t)}
        </Notice>
      ) : null}
    </div>
  );
}
