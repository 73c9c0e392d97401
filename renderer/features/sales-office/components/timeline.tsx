import { useTranslation } from "react-i18next";
import type {
  OfficeTransactionDetails,
  TimelineEvent,
} from "../../../../server/contract/pos/transaction-office.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { eventKey } from "../timeline-words.ts";
import classes from "./sales-office.module.css";

/** All that happened, in words, the oldest first. */
export function Timeline({ details }: { readonly details: OfficeTransactionDetails }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.timeline} aria-label={t("office.sales.timeline")}>
      {details.timeline.map((event, index) => (
        // Nothing is ever put between two of them: the place is the name.
        // biome-ignore lint/suspicious/noArrayIndexKey: a log that only grows
        <Event key={`${event.at} ${index}`} event={event} unit={details} />
      ))}
    </ol>
  );
}

interface EventProps {
  readonly event: TimelineEvent;
  readonly unit: Pick<OfficeTransactionDetails, "currency" | "currencyDivisor">;
}

function Event({ event, unit }: EventProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { at, by, text, amount } = event;
  const words = t(`office.sales.event.${eventKey(event)}`);
  const details = [
    amount === undefined ? "" : format.money(amount, unit.currency, unit.currencyDivisor),
    by ?? "",
  ].filter((part) => part !== "");
  return (
    <li>
      <time dateTime={at} className={classes.soft}>
        {format.date(at)} {format.timeExact(at)}
      </time>
      <span className={classes.what}>
        <strong>{words}</strong>
        {details.length > 0 ? <span>{details.join(" · ")}</span> : null}
        {text ? (
          <span className={classes.soft} dir="auto">
            {text}
          </span>
        ) : null}
      </span>
    </li>
  );
}
