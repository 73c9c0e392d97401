import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { UnfinishedLine } from "../../../../server/contract/pos/shifts.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { Notice } from "../../../components/notice.tsx";
import { isTypingText } from "../../../lib/key-edge.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import classes from "./shift-form.module.css";

interface UnfinishedListProps {
  readonly lines: readonly UnfinishedLine[];
  readonly disabled: boolean;
  readonly onLeave: () => void;
}

const MINUTE_MS = 60_000;

/** What keeps a shift open, line by line, and the way on for people with the right. */
export function UnfinishedList({ lines, disabled, onLeave }: UnfinishedListProps) {
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
      <ul className={classes.lines}>
        {lines.map((line) => (
          <li key={line.transactionId}>
            <bdi>{line.brandName}</bdi> <bdi>{line.recipient}</bdi> ·{" "}
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
