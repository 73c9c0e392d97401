import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { FigureMoney, TieOut } from "../../../../server/contract/pos/figures.ts";
import { Notice } from "../../../components/notice.tsx";
import type { Translate } from "../../../lib/i18n.ts";
import { tenderName } from "../../../lib/tender-name.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { linesFile, moneyQuery, movementsFile } from "../api/figure-queries.ts";
import type { ShopDays } from "../figure-days.ts";
import { type MoneyUnit, moneyOf } from "../figure-format.ts";
import { FileLink } from "./chart-panel.tsx";
import { FigureIdentity } from "./figure-identity.tsx";
import { AwaitedFigures } from "./figures-page.tsx";
import classes from "./figures-screen.module.css";
import { SafePanel } from "./safe-panel.tsx";

/** A step of a way: what is added to those before it, or what they came to. */
interface Step {
  readonly words: string;
  readonly amount: number;
  readonly isTotal?: boolean;
}

/** Where the money is: from what was sold to the drawers, and from its cost to the wallet. */
export function MoneyWalk({ days }: { readonly days: ShopDays }) {
  const { t } = useTranslation();
  const money = useQuery(moneyQuery(days));
  return (
    <AwaitedFigures query={money}>
      {(data) => (
        <>
          <section className={classes.block}>
            <h2 className={classes.heading}>{t("office.figures.walk.shop")}</h2>
            <Walk steps={drawerSteps(data, t)} unit={data} />
            <FigureIdentity figures={data.figures} unit={data} />
            <FileLink address={movementsFile(days)} />
          </section>
          <SafePanel />
          <section className={classes.block}>
            <h2 className={classes.heading}>{t("office.figures.walk.wallet")}</h2>
            <Walk steps={walletSteps(data.tieOut, t)} unit={data.tieOut} />
            <TieOutNotice tieOut={data.tieOut} />
            <FxResult money={data} />
            <FileLink address={linesFile(days)} />
          </section>
        </>
      )}
    </AwaitedFigures>
  );
}

const TENDERS = [
  ["CASH", "cash"],
  ["CARD", "card"],
  ["OTHER", "other"],
] as const;

/** Sold, how it was paid, what was given back, and what of the cash stayed in the drawers. */
function drawerSteps(money: FigureMoney, t: Translate): Step[] {
  const { figures, taken, refunded, drawers } = money;
  return [
    { words: t("office.figures.of.sold"), amount: figures.sold, isTotal: true },
    { words: t("office.figures.walk.refundsDue"), amount: figures.refundsDue },
    { words: t("office.figures.of.cashRounding"), amount: figures.cashRounding },
    { words: t("office.figures.walk.owed"), amount: -figures.owed },
    { words: t("office.figures.walk.taken"), amount: figures.taken, isTotal: true },
    ...tendersOf(money, t).map(({ name, taken }) => ({
      words: t("office.figures.walk.takenBy", { kind: name }),
      amount: taken,
    })),
    ...tendersOf(money, t).map(({ name, refunded }) => ({
      words: t("office.figures.walk.refundedBy", { kind: name }),
      amount: -refunded,
    })),
    {
      words: t("office.figures.walk.cash"),
      amount: taken.cash - refunded.cash,
      isTotal: true,
    },
    { words: t("office.figures.walk.payIns"), amount: drawers.payIns },
    { words: t("office.figures.walk.payOuts"), amount: -drawers.payOuts },
    { words: t("office.figures.walk.differences"), amount: drawers.differences },
    { words: t("office.figures.walk.deposits"), amount: -drawers.deposits },
    { words: t("office.figures.walk.drawers"), amount: drawers.cash, isTotal: true },
  ];
}

/** Each tender that money came or went by; a kind that has none stands there with nothing. */
function tendersOf({ byTender, taken, refunded }: FigureMoney, t: Translate) {
  return TENDERS.flatMap(([kind, sum]) => {
    const named = byTender.filter((one) => one.kind === kind);
    return named.length > 0
      ? named.map((one) => ({ ...one, name: tenderName(one, t) }))
      : [{ name: tenderName({ kind }, t), taken: taken[sum], refunded: refunded[sum] }];
  });
}

const REASONS = [
  "failedEarlier",
  "notSpent",
  "soldEarlier",
  "integrators",
  "refunded",
  "difference",
] as const;

/** The cost of what was sold, every reason why the wallet spent another amount, and what it spent. */
function walletSteps(tieOut: TieOut, t: Translate): Step[] {
  return [
    { words: t("office.figures.walk.costSold"), amount: tieOut.costSold, isTotal: true },
    ...REASONS.map((reason) => ({
      words: t(`office.figures.walk.${reason}`),
      amount: tieOut[reason],
    })),
    { words: t("office.figures.walk.walletSpent"), amount: tieOut.walletSpent, isTotal: true },
  ];
}

interface WalkProps {
  readonly steps: readonly Step[];
  readonly unit: MoneyUnit;
}

function Walk({ steps, unit }: WalkProps) {
  const money = moneyOf(useFormat(), unit);
  return (
    <dl className={classes.walk}>
      {steps.map(({ words, amount, isTotal = false }) => (
        <div key={words} className={classes.step} data-total={isTotal}>
          <dt>{words}</dt>
          <dd>
            <bdi>{money(amount === 0 ? 0 : amount)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Luck with currencies, which is no part of what was earned; unknown where no recharge says what was paid. */
function FxResult({ money: { fxResult, ...unit } }: { readonly money: FigureMoney }) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), unit);
  return fxResult === undefined ? null : (
    <p className={classes.identity}>
      <span>{t("office.figures.walk.fx")}</span>
      <strong>{money(fxResult)}</strong>
      <small className={classes.soft}>{t("office.figures.walk.fxHint")}</small>
    </p>
  );
}

/** Whether the books agree, in words. */
function TieOutNotice({ tieOut }: { readonly tieOut: TieOut }) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), tieOut);
  return tieOut.difference === 0 ? (
    <Notice tone="info">{t("office.figures.walk.tiesOut")}</Notice>
  ) : (
    <Notice tone="bad">
      {t("office.figures.walk.apart", { amount: money(tieOut.difference) })}
    </Notice>
  );
}
