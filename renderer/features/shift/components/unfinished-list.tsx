import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { UnfinishedLine } from "../../../../server/contract/pos/shifts.ts";
import { Notice } from "../../../components/notice.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import classes from "./shift-form.module.css";

interface UnfinishedListProps {
  readonly lines: readonly UnfinishedLine[];
  readonly disabled: boolean;
  readonly onLeave: () => void;
}

const MINUTE_MS = 60_000;

/** What keeps a shift open, line by line, and the way on for whoever may take it. */
export function UnfinishedList({ lines, disabled, onLeave }: UnfinishedListProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(MINUTE_MS);
  const notice = useRef<HTMLDivElement>(null);
  // It comes below the button that was pressed, which may be the last thing in sight.
  useEffect(() => {
    notice.current?.scrollIntoView?.({ block: "nearest" });
  }, []);
  return (
    <div ref={notice} className={classes.unfinished}>
      <Notice tone="wait" loud>
        <strong>{t("shift.close.unfinished")}</strong>
        <ul className={classes.lines}>
          {lines.map((line) => (
            <li key={line.transactionId}>
              {line.brandName} <bdi>{line.recipient}</bdi> ·{" "}
              {format.money(line.price, line.currency, line.currencyDivisor)}
              <small>
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
        <Button variant="default" mt="sm" disabled={disabled} onClick={onLeave}>
          {t("shift.close.leave")}
        </Button>
      </Notice>
    </div>
  );
}
