import { Button, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  POSTING_KINDS,
  type StatementEntry,
} from "../../../../server/contract/pos/wallet-office.ts";
import { ClearableSelect } from "../../../components/clearable-select.tsx";
import { Form } from "../../../components/form.tsx";
import { AwaitedList, MoreButton } from "../../../components/loading.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { announce } from "../../../lib/announcer.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { newId } from "../../../lib/new-id.ts";
import { type OfficeSectionProps, withField } from "../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { readPin } from "../../../lib/pin.ts";
import { ShopTimeZoneContext, useFormat } from "../../../lib/use-format.ts";
import { reverseRecharge, statementQuery, WALLET_ANSWERS } from "../api/wallet-queries.ts";
import { fileOf, filterOf } from "../statement-filter.ts";
import classes from "./wallet.module.css";

const MINUTE_MS = 60_000;

/** Newest first, with the balance after each posting. */
export function StatementView({ session, search, onSearch, onOpen }: OfficeSectionProps) {
  const { t } = useTranslation();
  const filter = filterOf(search);
  const statement = useInfiniteQuery(statementQuery(filter));
  const pages = statement.data?.pages ?? [];
  const [first] = pages;
  const entries = pages.flatMap(({ list }) => list);
  return (
    <>
      <Filters search={search} onSearch={onSearch} />
      <AwaitedList
        query={statement}
        count={entries.length}
        empty={t("office.wallet.statement.empty")}
        height="12rem"
      >
        {first ? (
          <ol className="stack" aria-label={t("office.wallet.statement.list")}>
            {entries.map((entry) => (
              <StatementRow
                key={entry.entryId}
                entry={entry}
                unit={first}
                environment={session.staff.role === "owner" ? first.environment : undefined}
                onOpen={
                  session.rights.seeExpectedCash ? (id) => onOpen("sales", { id }) : undefined
                }
              />
            ))}
          </ol>
        ) : null}
      </AwaitedList>
      <MoreButton pages={statement} className={classes.more}>
        {t("office.wallet.statement.more")}
      </MoreButton>
    </>
  );
}

function Filters({ search, onSearch }: Pick<OfficeSectionProps, "search" | "onSearch">) {
  const { t } = useTranslation();
  const format = useFormat();
  const timeZone = useContext(ShopTimeZoneContext);
  const filter = filterOf(search);
  const today = new Date(useNow(MINUTE_MS)).toLocaleDateString("sv-SE", { timeZone });
  const file = fileOf(filter, today);
  const day = (date: string) => format.date(`${date}T12:00:00Z`);

  const change = (name: "kind" | "from" | "to", value: string | null) =>
    onSearch(withField(search, name, value ?? ""));

  return (
    <div className={classes.filters}>
      <ClearableSelect
        label={t("office.wallet.statement.kind")}
        all={t("office.wallet.statement.everyKind")}
        data={POSTING_KINDS.map((kind) => ({
          value: kind,
          label: t(`office.wallet.kind.${kind}`),
        }))}
        value={filter.kind ?? null}
        onChange={(kind) => change("kind", kind)}
      />
      <TextInput
        type="date"
        label={t("office.wallet.statement.from")}
        value={search.from ?? ""}
        onChange={({ currentTarget }) => change("from", currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t("office.wallet.statement.to")}
        value={search.to ?? ""}
        onChange={({ currentTarget }) => change("to", currentTarget.value)}
      />
      <Button
        component="a"
        href={file.address}
        download
        variant="default"
        leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
        title={t("office.wallet.statement.fileDays", {
          from: day(file.firstDay),
          to: day(file.lastDay),
        })}
      >
        {t("office.wallet.statement.file")}
      </Button>
    </div>
  );
}

interface StatementRowProps {
  readonly entry: StatementEntry;
  /** Undefined if the person may not see sales. */
  readonly onOpen: ((transactionId: string) => void) | undefined;
  readonly unit: { readonly currency: string; readonly currencyDivisor: number };
  /** Undefined if the person may not reverse recharges. */
  readonly environment: Environment | undefined;
}

function StatementRow({ entry, unit, onOpen, environment }: StatementRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { available, held, kind, brandName, saleNumber, reference, reversalReason, reversedBy } =
    entry;
  const money = (minor: number) => format.money(minor, unit.currency, unit.currencyDivisor);
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

interface ReversalFormProps {
  readonly entry: StatementEntry;
  readonly environment: Environment;
}

/** Reverses a recharge recorded by mistake. Needs a reason and the owner's PIN. */
function ReversalForm({ entry, environment }: ReversalFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [pin, setPin] = useState("");
  const [reversalId] = useState(() => newId());
  const reverse = useMutation({
    mutationFn: () =>
      reverseRecharge(entry.transactionId, { environment, reversalId, reason: reason.trim(), pin }),
    onSuccess: () => {
      announce(t("office.wallet.reversal.done"));
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    },
    onSettled: () => setPin(""),
  });
  if (!isOpen) {
    return (
      <Button variant="default" onClick={() => setOpen(true)}>
        {t("office.wallet.reversal.open")}
      </Button>
    );
  }
  const isReady = reason.trim() !== "" && pin.length >= 4;
  return (
    <Form
      className={classes.form}
      aria-label={t("office.wallet.reversal.title")}
      onSubmit={() => {
        if (isReady && !reverse.isPending) reverse.mutate();
      }}
    >
      <p className="soft">{t("office.wallet.reversal.intro")}</p>
      <TextInput
        label={t("office.wallet.reversal.reason")}
        autoComplete="off"
        maxLength={120}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <PinField
        label={t("office.wallet.reversal.pin")}
        autoComplete="off"
        value={pin}
        onChange={({ currentTarget }) => setPin(readPin(currentTarget.value))}
      />
      <Button type="submit" disabled={!isReady} loading={reverse.isPending}>
        {t("office.wallet.reversal.title")}
      </Button>
      <Button variant="default" onClick={() => setOpen(false)}>
        {t("common.cancel")}
      </Button>
      <Trouble error={reverse.error} />
    </Form>
  );
}
