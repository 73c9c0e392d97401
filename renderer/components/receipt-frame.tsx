import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { tenderName } from "../lib/tender-name.ts";
import { useFormat } from "../lib/use-format.ts";
import { BrandFace } from "./brand-face.tsx";
import { Flag } from "./flag.tsx";
import { CashToGive, ResultHead, type ResultState } from "./result-head.tsx";
import classes from "./sale-receipt.module.css";

/** In minor units of the shop's currency. */
export type ReceiptSums = Pick<
  Sale,
  "total" | "tenders" | "change" | "currency" | "currencyDivisor"
> &
  Partial<Pick<Sale, "refunded" | "refundDue" | "taxes" | "cashRounding" | "lines">>;

interface Result {
  readonly state: ResultState;
  readonly note: string;
  /** The clerk opened an earlier sale, not the sale just paid. */
  readonly isReopened?: boolean;
  readonly canSendAgain?: boolean;
  readonly paidBy?: Sale | undefined;
}

interface ReceiptFrameProps {
  readonly title: string;
  readonly note: string;
  /** Outcome of the whole sale, unless each line shows its own outcome. */
  readonly badge?: ReactNode;
  readonly sums: ReceiptSums;
  /**
   * Set while the customer waits: the receipt shows the result and the money to hand over, without
   * the sums.
   */
  readonly result?: Result | undefined;
  readonly children: ReactNode;
}

/**
 * A sale on the screen, before and after the gateway's response: nothing moves when the response
 * arrives.
 */
export function ReceiptFrame({ title, note, badge, sums, result, children }: ReceiptFrameProps) {
  if (result) {
    return (
      <section className="stack gap-4" aria-label={title}>
        <ResultHead
          state={result.state}
          lines={sums.lines ?? []}
          note={result.note}
          cash={<HandOver sums={sums} result={result} />}
        />
        <ul className={classes.card}>{children}</ul>
      </section>
    );
  }
  return (
    <section className="stack gap-4" aria-label={title}>
      <header className="flex justify-between items-baseline gap-3">
        <h2 className="size-label medium">{title}</h2>
        <span className="soft size-caption">{note}</span>
      </header>
      {badge}
      <ul className="stack gap-4">{children}</ul>
      <SumsOfSale sums={sums} />
    </section>
  );
}

/**
 * Shows the cash to hand over. The clerk gives the change when the sale is paid, so the change is
 * due only once: an undelivered or reopened sale names it as a condition, and a refunded sale not
 * at all.
 */
function HandOver({ sums, result }: { readonly sums: ReceiptSums; readonly result: Result }) {
  const { state, isReopened = false, canSendAgain = false, paidBy } = result;
  const { t } = useTranslation();
  const format = useFormat();
  const { change, refundDue = 0, refunded = 0, tenders, currency, currencyDivisor } = sums;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  const isCash = tenders.every(({ kind }) => kind === "CASH");
  if (paidBy && paidBy.change > 0) {
    return (
      <CashToGive
        label={t("sale.changeFrom", { number: paidBy.saleNumber })}
        amount={money(paidBy.change)}
      />
    );
  }
  if (state === "NOT_DELIVERED" && refundDue > 0 && isCash) {
    const label = t("sale.changeUnlessGiven");
    const sum = [
      ...(canSendAgain ? [t("sale.unlessSentAgain")] : []),
      ...(change > 0 ? [t("common.labelled", { label, value: money(change) })] : []),
    ];
    return (
      <CashToGive
        label={t("sale.handOver")}
        amount={money(refundDue)}
        sum={sum.length > 0 ? sum.join(" · ") : undefined}
      />
    );
  }
  if (change === 0 || refunded > 0) {
    return null;
  }
  if (isReopened || state === "NOT_DELIVERED") {
    return <CashToGive label={t("sale.changeUnlessGiven")} amount={money(change)} />;
  }
  const cash = tenders.find(({ kind }) => kind === "CASH");
  const tendered = cash?.tendered ?? cash?.amount ?? 0;
  return (
    <CashToGive
      label={t("sale.giveChange")}
      amount={money(change)}
      sum={t("sale.changeSum", { cash: money(tendered), due: money(tendered - change) })}
    />
  );
}

export function SumsOfSale({ sums }: { readonly sums: ReceiptSums }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, tenders, change, currency, currencyDivisor } = sums;
  const { refunded = 0, taxes = [], cashRounding = 0, lines = [] } = sums;
  const moved = lines.find(({ sentAgainAs }) => sentAgainAs !== undefined);
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return (
    <dl className={classes.sums}>
      <Sum label={t("sale.total")} amount={money(total)} strong />
      {cashRounding === 0 ? null : (
        <Sum label={t("sale.cashRounding")} amount={money(cashRounding)} />
      )}
      {tenders.map(({ amount, tendered, ...tender }, index) => (
        <Sum
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike in everything else
          key={index}
          label={tenderName(tender, t)}
          amount={money(tendered ?? amount)}
        />
      ))}
      {change > 0 ? <Sum label={t("sale.change")} amount={money(change)} /> : null}
      {refunded > 0 ? (
        <>
          <Sum
            label={
              moved && moved.price - moved.discount === refunded
                ? t("sale.movedTo", { number: moved.sentAgainAs })
                : t("sale.refunded")
            }
            amount={money(-refunded)}
          />
          <Sum label={t("sale.netPaid")} amount={money(total + cashRounding - refunded)} strong />
        </>
      ) : null}
      {taxes.map(({ percent, amount }) => (
        <Sum
          key={percent}
          label={t("sale.tax", { percent: format.taxRate(percent) })}
          amount={money(amount)}
        />
      ))}
    </dl>
  );
}

interface SumProps {
  readonly label: string;
  readonly amount: string;
  readonly strong?: boolean;
}

function Sum({ label, amount, strong = false }: SumProps) {
  return (
    <div className={classes.sum} data-strong={strong}>
      <dt>{label}</dt>
      <dd className="push-end">{amount}</dd>
    </div>
  );
}

interface ReceiptItemProps {
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  readonly country: string | undefined;
  readonly recipient: string;
  /** True if the recipient is a name or empty, not a number. */
  readonly isWords?: boolean;
  readonly title: string;
  readonly badge?: ReactNode;
  /** Formatted. */
  readonly price: string;
}

export function ReceiptItem(item: ReceiptItemProps) {
  const { brand, brandName, brandColor, country, recipient, isWords, title, badge, price } = item;
  return (
    <div className="row wrap gap-3">
      <BrandFace brand={brand} name={brandName} color={brandColor} />
      <div className={classes.what}>
        <span className={classes.number} data-words={isWords ?? recipient === ""}>
          <bdi dir={isWords ? "auto" : "ltr"}>{recipient || brandName}</bdi>
        </span>
        <span className="soft size-caption">
          {country ? <Flag country={country} /> : null} {title}
        </span>
      </div>
      {badge}
      <span className="push-end size-label medium nowrap">{price}</span>
    </div>
  );
}
