import { Button, TextInput } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProviderList } from "../../../../server/contract/pos/providers.ts";
import type { PosStatus } from "../../../../server/contract/pos/setup.ts";
import type { UpstreamComparison } from "../../../../server/contract/pos/upstream.ts";
import type { WalletFigures } from "../../../../server/contract/pos/wallet.ts";
import type { WalletAlert, WalletOverview } from "../../../../server/contract/pos/wallet-office.ts";
import { AmountField } from "../../../components/amount-field.tsx";
import { Form } from "../../../components/form.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { RechargeRefused } from "../../../components/recharge-refused.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { announce } from "../../../lib/announcer.ts";
import { parseAmount, toDecimal } from "../../../lib/money.ts";
import { newId } from "../../../lib/new-id.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { walletQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { walletOverviewQuery } from "../../../lib/wallet-overview-query.ts";
import {
  bookRecharge,
  compareNow,
  connectedProvidersQuery,
  putAlert,
  putTestBalance,
  upstreamQuery,
  WALLET_ANSWERS,
} from "../api/wallet-queries.ts";
import { StatementView } from "./statement-view.tsx";
import classes from "./wallet.module.css";

/**
 * Returns the balance of the page's head, which follows each event. The overview is older, because
 * its forecast is queried only every minute.
 */
function useCurrentBalance(overview: WalletOverview): WalletFigures {
  const { data } = useQuery(walletQuery());
  return data?.environment === overview.environment ? (data.figures ?? overview) : overview;
}

export function BalanceCard({ overview }: { readonly overview: WalletOverview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { salesLeft, emptyAt, hoursLeft, low } = overview;
  const { available, held, currency, currencyDivisor } = useCurrentBalance(overview);
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return (
    <section className={classes.balance} aria-label={t("office.wallet.balance")}>
      {low.map((cause) => (
        <Notice key={cause} tone={cause === "EMPTY" ? "stop" : "wait"}>
          {t(`office.wallet.low.${cause}`)}
        </Notice>
      ))}
      <dl className={classes.figures}>
        {Object.entries({ available, held, total: available + held }).map(([figure, minor]) => (
          <div key={figure}>
            <dt className="soft">
              {t(`office.wallet.${figure as "available" | "held" | "total"}`)}
            </dt>
            <dd
              className={`${figure === "available" ? "size-heading" : "size-label"} strong tabular`}
            >
              {money(minor)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="size-label">
        {salesLeft === undefined ? (
          t("office.wallet.lasts.unknown")
        ) : (
          <>
            <strong>{t("office.wallet.lasts.sales", { count: salesLeft })}</strong>{" "}
            {emptyAt === undefined
              ? t("office.wallet.lasts.long")
              : t("office.wallet.lasts.until", {
                  time: format.moment(emptyAt),
                  hours: format.number(Math.round(hoursLeft ?? 0)),
                })}
          </>
        )}
      </p>
      <p className="soft">{t("office.wallet.lasts.how")}</p>
    </section>
  );
}

const MOST_HOURS = 168;

interface AlertDraft {
  readonly amount: string;
  readonly hours: string;
}

export function readAlert(
  { amount, hours }: AlertDraft,
  currencyDivisor: number,
): { readonly alert?: WalletAlert; readonly wrong?: "amount" | "hours" } {
  const lowAmount = amount === "" ? undefined : (parseAmount(amount, currencyDivisor) ?? 0);
  const lowHours = hours === "" ? undefined : Number(hours);
  if (lowAmount === 0) {
    return { wrong: "amount" };
  }
  if (lowHours !== undefined && (lowHours < 1 || lowHours > MOST_HOURS)) {
    return { wrong: "hours" };
  }
  return {
    alert: {
      ...(lowAmount !== undefined && { lowAmount }),
      ...(lowHours !== undefined && { lowHours }),
    },
  };
}

type Provider = ProviderList["list"][number];

/** Amounts that are compared. The wallet is the sum of the balances at all providers. */
function ComparedAmounts({
  balance,
  providers,
}: {
  readonly balance: UpstreamComparison;
  readonly providers: readonly Provider[];
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { upstream, available, held, difference, currency, currencyDivisor } = balance;
  const theirs =
    providers.length > 1
      ? providers.map(
          ({ providerId, name, balance: minor = 0 }) => [providerId, name, minor] as const,
        )
      : [["upstream", t("office.wallet.upstream.upstream"), upstream] as const];
  const amounts = [
    ...theirs,
    ["ours", t("office.wallet.upstream.ours"), available + held] as const,
    ["difference", t("office.wallet.upstream.difference"), difference] as const,
  ];
  return (
    <dl className={classes.compared}>
      {amounts.map(([key, name, minor]) => (
        <div key={key}>
          <dt className="soft">
            <bdi className="break-anywhere">{name}</bdi>
          </dt>
          <dd className="size-label strong tabular">
            {format.money(minor, currency, currencyDivisor)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function UpstreamCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const upstream = useQuery(upstreamQuery());
  const providers = useQuery(connectedProvidersQuery());
  const connected = providers.data ?? [];
  const compare = useMutation({
    mutationFn: () => compareNow(connected.map(({ providerId }) => providerId)),
    onSettled: () => void invalidateAnswers(queryClient, WALLET_ANSWERS),
  });
  const { balance } = upstream.data ?? {};
  const comparedAt = connected
    .flatMap(({ balanceAt }) => balanceAt ?? [])
    .reduce((one, other) => (other < one ? other : one), balance?.comparedAt ?? "");
  return (
    <section className={classes.form} aria-labelledby="wallet-upstream">
      <h2 id="wallet-upstream" className="size-label">
        {t("office.wallet.upstream.title")}
      </h2>
      <QueryTrouble query={upstream} />
      <QueryTrouble query={providers} />
      {balance && providers.data ? (
        <>
          <ComparedAmounts balance={balance} providers={connected} />
          <Notice tone={balance.difference === 0 ? "info" : "wait"}>
            {t(`office.wallet.upstream.${balance.difference === 0 ? "same" : "differs"}`)}{" "}
            {t("office.wallet.upstream.at", { time: format.moment(comparedAt) })}
          </Notice>
        </>
      ) : null}
      {upstream.data?.connected === false ? (
        <p className="soft">{t("office.wallet.upstream.none")}</p>
      ) : (
        <Button
          variant="default"
          leftSection={<IconRefresh size="1.25rem" aria-hidden="true" />}
          loading={compare.isPending}
          disabled={providers.data === undefined}
          onClick={() => compare.mutate()}
        >
          {t("office.wallet.upstream.again")}
        </Button>
      )}
      <Trouble error={compare.error} />
    </section>
  );
}

const NOTHING_TYPED: Draft = { amount: "", paid: "", reference: "" };

const VIEWS = ["overview", "statement"] as const;
type View = (typeof VIEWS)[number];

export function WalletScreen(props: OfficeSectionProps) {
  const { t } = useTranslation();
  const { session, search, onSearch } = props;
  const view: View = search.view === "statement" ? "statement" : "overview";
  return (
    <OfficeScreen title={t("office.frame.section.wallet")} environment={session.environment}>
      <ViewTabs
        label={t("office.wallet.views")}
        views={VIEWS.map((value) => ({ value, label: t(`office.wallet.view.${value}`) }))}
        view={view}
        onView={(next) => onSearch(next === "overview" ? {} : { view: next })}
      />
      {view === "overview" ? <Overview {...props} /> : <StatementView {...props} />}
    </OfficeScreen>
  );
}

function Overview({ session, status }: OfficeSectionProps) {
  const overview = useQuery(walletOverviewQuery());
  const { data } = overview;
  const isOwner = session.staff.role === "owner";
  if (!data) {
    return (
      <>
        <QueryTrouble query={overview} />
        {overview.isPending ? <Loading heights={["12rem"]} /> : null}
      </>
    );
  }
  return (
    <div className={classes.columns}>
      <BalanceCard overview={data} />
      {isOwner ? (
        <>
          <RechargeForm overview={data} shop={status} />
          <AlertForm
            key={`${data.environment} ${data.alert.lowAmount} ${data.alert.lowHours}`}
            overview={data}
          />
          {data.environment === "live" ? <UpstreamCard /> : <TestBalanceForm overview={data} />}
        </>
      ) : null}
    </div>
  );
}

/** The limit is an amount, hours of sales, both, or neither. */
function AlertForm({ overview }: { readonly overview: WalletOverview }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { environment, currency, currencyDivisor, alert } = overview;
  const { lowAmount, lowHours } = alert;
  const [draft, setDraft] = useState({
    amount: lowAmount === undefined ? "" : toDecimal(lowAmount, currencyDivisor),
    hours: lowHours === undefined ? "" : String(lowHours),
  });
  const [wrong, setWrong] = useState<"amount" | "hours">();
  const save = useMutation({
    mutationFn: putAlert,
    onSuccess: () => {
      announce(t("office.wallet.alert.saved"));
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    },
  });

  function change(changed: Partial<typeof draft>) {
    setWrong(undefined);
    save.reset();
    setDraft({ ...draft, ...changed });
  }

  return (
    <Form
      className={classes.form}
      aria-labelledby="wallet-alert"
      onSubmit={() => {
        const read = readAlert(draft, currencyDivisor);
        setWrong(read.wrong);
        if (read.alert && !save.isPending) {
          save.mutate({ environment, ...read.alert });
        }
      }}
    >
      <h2 id="wallet-alert" className="size-label">
        {t("office.wallet.alert.title")}
      </h2>
      <p className="soft">{t("office.wallet.alert.intro")}</p>
      <AmountField
        label={t("office.wallet.alert.amount", { currency })}
        text={draft.amount}
        currencyDivisor={currencyDivisor}
        error={wrong === "amount" ? t("office.wallet.badAmount") : undefined}
        onText={(amount) => change({ amount })}
      />
      <TextInput
        label={t("office.wallet.alert.hours")}
        inputMode="numeric"
        autoComplete="off"
        value={draft.hours}
        error={wrong === "hours" ? t("office.wallet.alert.badHours") : undefined}
        onChange={({ currentTarget }) =>
          change({ hours: currentTarget.value.replaceAll(/\D/g, "").slice(0, 3) })
        }
      />
      <Button type="submit" variant="default" loading={save.isPending}>
        {t("office.wallet.alert.save")}
      </Button>
      <Trouble error={save.error} />
    </Form>
  );
}

interface RechargeFormProps {
  readonly overview: WalletOverview;
  readonly shop: Pick<PosStatus, "currency" | "currencyDivisor">;
}

interface Draft {
  readonly amount: string;
  readonly paid: string;
  readonly reference: string;
}

function RechargeForm({ overview, shop }: RechargeFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(NOTHING_TYPED);
  const [isWrong, setWrong] = useState(false);
  const { book, renew } = useBooking(() => setDraft(NOTHING_TYPED));
  const { environment, currency, currencyDivisor } = overview;
  const amount = parseAmount(draft.amount, currencyDivisor) ?? 0;
  const paid = draft.paid.trim() === "" ? undefined : parseAmount(draft.paid, shop.currencyDivisor);
  const isPaidWrong = draft.paid.trim() !== "" && (paid ?? 0) === 0;
  const reference = draft.reference.trim();

  function change(changed: Partial<Draft>) {
    setWrong(false);
    renew();
    setDraft({ ...draft, ...changed });
  }

  return (
    <Form
      className={classes.form}
      aria-labelledby="wallet-recharge"
      onSubmit={() => {
        setWrong(amount === 0);
        if (amount > 0 && !isPaidWrong && !book.isPending) {
          book.mutate({ environment, amount, paid, ...(reference !== "" && { reference }) });
        }
      }}
    >
      <h2 id="wallet-recharge" className="size-label">
        {t("office.wallet.recharge.title")}
      </h2>
      <p className="soft">{t(`office.wallet.recharge.intro.${environment}`)}</p>
      <AmountField
        label={t("office.wallet.recharge.amount", { currency })}
        text={draft.amount}
        currencyDivisor={currencyDivisor}
        error={isWrong ? t("office.wallet.badAmount") : undefined}
        onText={(text) => change({ amount: text })}
      />
      <PaidField
        shop={shop}
        text={draft.paid}
        isWrong={isPaidWrong}
        onText={(text) => change({ paid: text })}
      />
      <TextInput
        label={t("office.wallet.recharge.reference")}
        autoComplete="off"
        maxLength={60}
        value={draft.reference}
        onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
      />
      <Button type="submit" loading={book.isPending}>
        {t("office.wallet.recharge.save")}
      </Button>
      <RechargeRefused
        error={book.error}
        loading={book.isPending}
        onAgain={() => book.variables && book.mutate({ ...book.variables, isSure: true })}
      />
      {book.isSuccess ? <Notice tone="info">{t("office.wallet.recharge.saved")}</Notice> : null}
    </Form>
  );
}

/**
 * A repeated request has the same id, so that the recharge is recorded once. An edit changes the
 * id.
 */
function useBooking(onBooked: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [rechargeId, setRechargeId] = useState(() => newId());
  const book = useMutation({
    mutationFn: (body: Omit<Parameters<typeof bookRecharge>[0], "rechargeId">) =>
      bookRecharge({ rechargeId, ...body }),
    onSuccess: async () => {
      setRechargeId(newId());
      onBooked();
      await invalidateAnswers(queryClient, WALLET_ANSWERS);
      announce(t("office.wallet.recharge.saved"));
    },
  });
  return {
    book,
    renew() {
      book.reset();
      setRechargeId(newId());
    },
  };
}

interface PaidFieldProps extends Pick<RechargeFormProps, "shop"> {
  readonly text: string;
  readonly isWrong: boolean;
  readonly onText: (text: string) => void;
}

/** Price in the shop's currency, from which the exchange result is computed. */
function PaidField({ shop, text, isWrong, onText }: PaidFieldProps) {
  const { t } = useTranslation();
  return (
    <AmountField
      label={t("office.wallet.recharge.paid", { currency: shop.currency })}
      hint={t("office.wallet.recharge.paidHint")}
      text={text}
      currencyDivisor={shop.currencyDivisor}
      error={isWrong ? t("office.wallet.badAmount") : undefined}
      onText={onText}
    />
  );
}

function TestBalanceForm({ overview }: { readonly overview: WalletOverview }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { currency, currencyDivisor } = overview;
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const set = useMutation({
    mutationFn: putTestBalance,
    onSuccess: async () => {
      setText("");
      await invalidateAnswers(queryClient, WALLET_ANSWERS);
      announce(t("office.wallet.test.saved"));
    },
  });
  return (
    <Form
      className={classes.form}
      aria-labelledby="wallet-test"
      onSubmit={() => {
        const available = parseAmount(text, currencyDivisor);
        setWrong(available === undefined);
        if (available !== undefined && !set.isPending) {
          set.mutate(available);
        }
      }}
    >
      <h2 id="wallet-test" className="size-label">
        {t("office.wallet.test.title")}
      </h2>
      <p className="soft">{t("office.wallet.test.intro")}</p>
      <AmountField
        label={t("office.wallet.test.amount", { currency })}
        text={text}
        currencyDivisor={currencyDivisor}
        error={isWrong ? t("office.wallet.badAmount") : undefined}
        onText={(typed) => {
          setWrong(false);
          set.reset();
          setText(typed);
        }}
      />
      <Button type="submit" variant="default" loading={set.isPending}>
        {t("office.wallet.test.save")}
      </Button>
      <Trouble error={set.error} />
      {set.isSuccess ? <Notice tone="info">{t("office.wallet.test.saved")}</Notice> : null}
    </Form>
  );
}
