import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MovementKind, Shift, ZReport } from "../../../../server/contract/pos/shifts.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { Notice } from "../../../components/notice.tsx";
import { meaningOf } from "../../../lib/key-edge.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import { areSingleKeysOn, isOnControl, OWN_KEYS, takesText } from "../../../lib/single-keys.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { xReportQuery } from "../api/shift-queries.ts";
import { blindSections, figureSections, owedSections } from "../shift-sections.ts";
import { useClosing } from "../use-closing.ts";
import { useFigureFormat } from "../use-figure-format.ts";
import { isWhole, type WholeX } from "../whole-x.ts";
import { Awaited } from "./awaited.tsx";
import { CloseForm } from "./close-form.tsx";
import { FigureSections } from "./figure-sections.tsx";
import { MovementForm } from "./movement-form.tsx";
import { MovementList } from "./movement-list.tsx";
import { OwedList } from "./owed-list.tsx";
import classes from "./shift-screen.module.css";
import { UnfinishedList } from "./unfinished-list.tsx";
import { XPrint } from "./x-print.tsx";

const ACTIONS = ["PAY_IN", "PAY_OUT", "DROP", "NO_SALE", "close"] as const;
type Action = MovementKind | "close";

interface OwnShiftProps {
  readonly shift: Shift;
  readonly onClosed: (report: ZReport) => void;
  readonly onPrint: (x: WholeX) => Promise<void>;
}

/** The own open shift: what it came to so far, cash in and out, and the way to its end. */
export function OwnShift({ shift, onClosed, onPrint }: OwnShiftProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const report = useQuery(xReportQuery(shift.shiftId));
  const x = report.data;
  const [action, setAction] = useState<Action>();
  const closing = useClosing(shift, onClosed);
  const choose = (next: Action | undefined) => {
    closing.reset();
    setAction(next);
  };
  useActionKeys(action, choose);
  const figureFormat = useFigureFormat(
    shift,
    x?.figures ?? { walletCurrency: shift.currency, walletCurrencyDivisor: shift.currencyDivisor },
  );
  const whole = x && isWhole(x) ? x : undefined;
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <p className={classes.soft}>
          {t("shift.since", format.when(shift.openedAt))}
          {x?.expectedCash === undefined
            ? null
            : ` · ${t("common.labelled", { label: t("shift.figures.expected"), value: figureFormat.money(x.expectedCash) })}`}
        </p>
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
                ...figureSections(whole.figures, whole.shift.float, figureFormat),
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
      <aside className={classes.side} aria-label={t("shift.do.label")}>
        <div className={classes.actions} {...OWN_KEYS}>
          {ACTIONS.map((each, index) => (
            <button
              key={each}
              type="button"
              className={classes.action}
              aria-pressed={action === each}
              onClick={() => choose(each)}
            >
              <span>{t(`shift.do.${each}`)}</span>
              <KeyCap>{index + 1}</KeyCap>
            </button>
          ))}
        </div>
        {action === "close" ? <CloseForm shift={shift} closing={closing} /> : null}
        {action !== undefined && action !== "close" ? (
          <MovementForm
            key={action}
            shift={shift}
            kind={action}
            onDone={() => setAction(undefined)}
          />
        ) : null}
      </aside>
    </div>
  );
}

/** 1 to 5 open what they stand beside, Esc leaves it; what is typed into a field stays there. */
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
      // A number was typed, which chooses nothing here and is no amount.
      setChosenAt(event.timeStamp);
      event.preventDefault();
      setAction(undefined);
      return;
    }
    const chosen = ACTIONS[Number(meaning.digit) - 1];
    const isFree = areSingleKeysOn() && !takesText(event.target) && !isOnControl(event.target);
    // While a shift is being closed, digits are cash or a PIN.
    if (chosen && action !== "close" && isFree) {
      setChosenAt(event.timeStamp);
      event.preventDefault();
      setAction(chosen);
    }
  });
}
