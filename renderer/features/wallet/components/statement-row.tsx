import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { StatementEntry } from "../../../../server/contract/pos/wallet-office.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { ReversalForm } from "./reversal-form.tsx";
import classes from "./wallet.module.css";

interface StatementRowProps {
  readonly entry: StatementEntry;
  /** Opens what was bought; undefined where the reader may not see sales. */
  readonly onOpen: ((transactionId: string) => void) | undefined;
  readonly unit: { readonly currency: string; readonly currencyDivisor: number };
  /** Takes a recharge back; undefined where the reader may not. */
  readonly environment: Environment | undefined;
}

/** One movement: when, what it was, what it changed and what there was then. */
export function StatementRow({ entry, unit, onOpen, environment }: StatementRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { available, held, kind, brandName, saleNumber, reference, reversalReason, reversedBy } =
    entry;
  const money = (minor: number) => format.money(minor, unit.currency, unit.currencyDivisor, "code");
  const isReversible = kind === "RECHARGE" && (available?.change ?? 0) > 0 && !reversedBy;
  const words = [
    brandName,
    saleNumber === undefined
      ? undefined
      : t("sale.number", { number: String(saleNumber).padStart(6, "0") }),
    reference,
    reversalReason,
    reversedBy === undefined ? undefined : t("office.wallet.reversal.done"),
  ];
  const about = words.filter((word) => word !== undefined).join(" · ");
  return (
    <li className={classes.entry}>
      <time className={classes.when} dateTime={entry.at}>
        {format.date(entry.at)} {format.timeExact(entry.at)}
      </time>
      <span className={classes.what}>
        <strong>{t(`office.wallet.kind.${kindOf(entry)}`)}</strong>
        {onOpen && brandName !== undefined && kind !== "REFUND" ? (
          <button
            type="button"
            className={classes.link}
            onClick={() => onOpen(entry.transactionId)}
          >
            {about}
          </button>
        ) : (
          <small dir="auto">{about}</small>
        )}
      </span>
      <Change name="available" of={available} money={money} />
      <Change name="held" of={held} money={money} />
      {environment !== undefined && isReversible ? (
        <ReversalForm entry={entry} environment={environment} />
      ) : null}
    </li>
  );
}

function kindOf({ kind, available, reversalReason }: StatementEntry) {
  if (reversalReason !== undefined) return "REVERSED";
  return kind === "RECHARGE" && (available?.change ?? 0) < 0 ? "LOWERED" : kind;
}

interface ChangeProps {
  readonly name: "available" | "held";
  readonly of: StatementEntry["available"];
  readonly money: (minor: number) => string;
}

function Change({ name, of, money }: ChangeProps) {
  const { t } = useTranslation();
  if (!of) {
    return <span className={classes.change} data-empty="true" />;
  }
  return (
    <span className={classes.change}>
      <small>{t(`office.wallet.${name}`)}</small>
      <bdi dir="ltr" className={classes.amount}>
        {of.change > 0 ? "+" : ""}
        {money(of.change)}
      </bdi>
      <small className={classes.amount}>
        {t("office.wallet.statement.after", { amount: money(of.balance) })}
      </small>
    </span>
  );
}
