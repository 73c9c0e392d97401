import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import {
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { brandPauseOperations } from "../../../../server/contract/pos/brands.ts";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import {
  LONGEST_NOTE,
  RECONCILIATION_OUTCOMES,
  type ReconciliationCase,
  type ReconciliationOutcome,
  reconciliationOperations,
} from "../../../../server/contract/pos/reconciliation.ts";
import { OFFICE_STATUSES } from "../../../../server/contract/pos/transaction-office.ts";
import { ClearableSelect } from "../../../components/clearable-select.tsx";
import { Form } from "../../../components/form.tsx";
import { AwaitedList, MoreButton } from "../../../components/loading.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { isolateNamed } from "../../../lib/direction.ts";
import { type OfficeSectionProps, withField } from "../../../lib/office-section.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { varianceWords } from "../../../lib/variance-words.ts";
import {
  brandsQuery,
  casesQuery,
  owedQuery,
  reportsQuery,
  SALES_ANSWERS,
  transactionsQuery,
} from "../api/sales-office-queries.ts";
import type { SalesScreenProps } from "../sales-screen-props.ts";
import { daysOf, filterOf, viewsFor } from "../sales-search.ts";
import classes from "./sales-office.module.css";
import { TransactionRow } from "./transaction-row.tsx";
import { TransactionView } from "./transaction-view.tsx";

/** Views that filter the sales. The views in `PAGES` do not filter sales. */
const FILTERS = ["find", "waiting", "cases"] as const;
const PAGES = ["brands", "reports"] as const;

export function SalesScreen(props: SalesScreenProps) {
  const { t } = useTranslation();
  const { session, search, onSearch } = props;
  const allowed = viewsFor(session.rights);
  const needsAction = allowed.includes("cases") || allowed.includes("owed");
  const filters = FILTERS.filter((one) => (one === "cases" ? needsAction : allowed.includes(one)));
  const pages = PAGES.filter((one) => allowed.includes(one));
  const wanted = search.view === "owed" ? "cases" : search.view;
  const view =
    [...filters, ...pages].find((one) => one === wanted) ?? filters[0] ?? pages[0] ?? "find";
  const isPage = pages.some((one) => one === view);
  return (
    <OfficeScreen
      title={t("office.frame.section.sales")}
      environment={session.environment}
      actions={pages.map((page) => (
        <Button
          key={page}
          variant="default"
          aria-current={page === view ? "page" : undefined}
          onClick={() => onSearch({ view: page })}
        >
          {t(`office.sales.view.${page}`)}
        </Button>
      ))}
    >
      {filters.length > 0 ? (
        <ViewTabs
          label={t("office.sales.views")}
          views={filters.map((value) => ({ value, label: t(`office.sales.view.${value}`) }))}
          view={isPage ? undefined : view}
          onView={(next) => onSearch(next === filters[0] ? {} : { view: next })}
        />
      ) : null}
      {isPage ? (
        <div className={classes.card}>
          {view === "brands" ? <BrandsView {...props} /> : <ReportsView {...props} />}
        </div>
      ) : (
        <div className={classes.split} data-chosen={search.id !== undefined}>
          <div className={classes.card}>
            {view === "cases" ? (
              <NeedsAction {...props} />
            ) : (
              <FindView {...props} isWaiting={view === "waiting"} />
            )}
          </div>
          <aside className={classes.card} aria-label={t("office.sales.receipt")}>
            {search.id === undefined ? (
              <p className="soft">{t("office.sales.select")}</p>
            ) : (
              <TransactionView {...props} key={search.id} transactionId={search.id} />
            )}
          </aside>
        </div>
      )}
    </OfficeScreen>
  );
}

function NeedsAction(props: SalesScreenProps) {
  const { rights } = props.session;
  return (
    <>
      {rights.settleCases ? <CasesView {...props} /> : null}
      {rights.seeFigures ? <OwedView {...props} /> : null}
    </>
  );
}

/** Lists paused brands. A brand is paused by a person, or because its provider failed. */
function BrandsView({ session }: OfficeSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { environment } = session;
  const pauses = useQuery(operationQuery(brandPauseOperations.list, { query: { environment } }));
  const paused = pauses.data?.list ?? [];
  const families = useQueries({ queries: FAMILIES.map((family) => brandsQuery(family)) });
  const names = new Map(
    families.flatMap(
      ({ data }) => data?.list.map(({ brand, brandName }) => [brand, brandName]) ?? [],
    ),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ brand, pause }: { readonly brand: string; readonly pause: boolean }) =>
      pause
        ? call(brandPauseOperations.pause, { params: { brand }, query: { environment } })
        : call(brandPauseOperations.resume, { params: { brand }, query: { environment } }),
    onSuccess: () => setChosen(null),
    onSettled: () => void invalidateAnswers(queryClient, SALES_ANSWERS),
  });
  const isPaused = new Set(paused.map(({ brand }) => brand));
  return (
    <>
      <p className="soft">{t("office.sales.brand.intro")}</p>
      <Form
        className={classes.filters}
        onSubmit={() => {
          if (chosen !== null) {
            change.mutate({ brand: chosen, pause: true });
          }
        }}
      >
        <Select
          label={t("office.sales.brand.choose")}
          searchable
          data={[...names]
            .filter(([brand]) => !isPaused.has(brand))
            .map(([value, label]) => ({ value, label }))}
          value={chosen}
          onChange={setChosen}
        />
        <Button type="submit" disabled={chosen === null} loading={change.isPending}>
          {t("office.sales.brand.pause")}
        </Button>
      </Form>
      <Trouble error={change.error} />
      <AwaitedList query={pauses} count={paused.length} empty={t("office.sales.brand.none")}>
        <ul className={classes.list} aria-label={t("office.sales.view.brands")}>
          {paused.map(({ brand, pausedSince, byHand }) => (
            <li key={brand} className={classes.item}>
              <span className="stack min-w-0 break-anywhere">
                <strong>{names.get(brand) ?? brand}</strong>
                <small className="soft">
                  {format.date(pausedSince)} {format.time(pausedSince)} ·{" "}
                  {t(byHand ? "office.sales.brand.byHand" : "office.sales.brand.byItself")}
                </small>
              </span>
              <Button variant="default" onClick={() => change.mutate({ brand, pause: false })}>
                {t("office.sales.brand.resume")}
              </Button>
            </li>
          ))}
        </ul>
      </AwaitedList>
    </>
  );
}

/** Purchases that failed here, but that the provider may have delivered. A person decides. */
function CasesView({ session, search, onSearch }: OfficeSectionProps) {
  const { t } = useTranslation();
  const cases = useQuery(casesQuery(session.environment));
  const list = cases.data?.list ?? [];
  return (
    <>
      <h2 className="size-label">{t("office.alerts.kind.CASES")}</h2>
      {list.length > 0 ? <p className="soft">{t("office.sales.case.intro")}</p> : null}
      <AwaitedList query={cases} count={list.length} empty={t("office.sales.case.none")}>
        <ul className={classes.cases} aria-label={t("office.sales.view.cases")}>
          {list.map((one) => (
            <Case
              key={one.transactionId}
              one={one}
              onOpen={() =>
                onSearch({ ...search, id: one.refundedTransactionId ?? one.transactionId })
              }
            />
          ))}
        </ul>
      </AwaitedList>
    </>
  );
}

function Case({ one, onOpen }: { readonly one: ReconciliationCase; readonly onOpen: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sale } = one;
  const cost = format.money(one.cost, one.costCurrency, one.costCurrencyDivisor);
  return (
    <li className={classes.part}>
      <div>
        <h3 className="size-label">
          {isolateNamed(one.brandName, format.contents(one.title), format.locale)}
        </h3>
        <p>
          <bdi dir="ltr">{one.recipient}</bdi>
        </p>
        <p className="soft">
          {format.date(one.acceptedAt)} {format.time(one.acceptedAt)}
          {sale ? ` · ${t("sale.number", { number: sale.saleNumber })} · ${sale.clerk}` : null}
        </p>
        <p>{t("office.sales.case.cost", { amount: cost })}</p>
      </div>
      <blockquote className={classes.said}>
        <small>{t("office.sales.case.said")}</small>
        <span lang="en" dir="ltr">
          {one.lastWord}
        </span>
      </blockquote>
      <Decision one={one} cost={cost} />
      <Button variant="default" className={classes.back ?? ""} onClick={onOpen}>
        {t("office.sales.case.open")}
      </Button>
    </li>
  );
}

interface DecisionProps {
  readonly one: ReconciliationCase;
  readonly cost: string;
}

function Decision({ one, cost }: DecisionProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const [isMissing, setMissing] = useState(false);
  const { environment, transactionId, kind } = one;
  const of = kind === "REFUND" ? "refund" : "purchase";
  const settle = useMutation({
    mutationFn: (outcome: ReconciliationOutcome) =>
      call(reconciliationOperations.settle, {
        params: { transactionId },
        body: { environment, outcome, note: note.trim() },
      }),
    onSuccess: () => announce(t("office.sales.case.settled")),
    onSettled: () => void invalidateAnswers(queryClient, SALES_ANSWERS),
  });
  return (
    <div className={classes.actions}>
      <Textarea
        label={t("office.sales.case.reason")}
        description={t("office.sales.case.reasonHint")}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        error={isMissing ? t("office.sales.case.reasonMissing") : undefined}
        onChange={({ currentTarget }) => {
          setMissing(false);
          setNote(currentTarget.value);
        }}
      />
      {RECONCILIATION_OUTCOMES.map((outcome) => (
        <div key={outcome} className="stack items-start gap-1">
          <Button
            variant="default"
            loading={settle.isPending && settle.variables === outcome}
            onClick={() => {
              setMissing(note.trim() === "");
              if (note.trim() !== "" && !settle.isPending) {
                settle.mutate(outcome);
              }
            }}
          >
            {t(`office.sales.case.${of}.${outcome}`)}
          </Button>
          <small>{t(`office.sales.case.${of}.${outcome}-means`, { amount: cost })}</small>
        </div>
      ))}
      <Trouble error={settle.error} />
    </div>
  );
}

interface FindViewProps extends Pick<OfficeSectionProps, "search" | "onSearch"> {
  /** True to list only purchases without an outcome, oldest first. */
  readonly isWaiting: boolean;
}

function FindView({ search, onSearch, isWaiting }: FindViewProps) {
  const { t } = useTranslation();
  const filter = isWaiting ? { status: "UNFINISHED" as const } : filterOf(search);
  const found = useInfiniteQuery(transactionsQuery(filter));
  const list = found.data?.pages.flatMap((page) => page.list) ?? [];
  return (
    <>
      {isWaiting ? (
        <p className="soft">{t("office.sales.waiting.intro")}</p>
      ) : (
        <Filters search={search} onSearch={onSearch} />
      )}
      <AwaitedList
        query={found}
        count={list.length}
        empty={t(isWaiting ? "office.sales.waiting.none" : "office.sales.none")}
      >
        <ul className={classes.list} aria-label={t("office.sales.list")}>
          {list.map((one) => (
            <TransactionRow
              key={one.transactionId}
              transaction={one}
              isChosen={one.transactionId === search.id}
              onOpen={() => onSearch({ ...search, id: one.transactionId })}
            />
          ))}
        </ul>
      </AwaitedList>
      <MoreButton pages={found} className={classes.more}>
        {t("office.sales.more")}
      </MoreButton>
    </>
  );
}

function Filters({ search, onSearch }: Pick<OfficeSectionProps, "search" | "onSearch">) {
  const { t } = useTranslation();
  const [text, setText] = useState(search.typed ?? "");

  const put = (name: "typed" | "status", value: string) => onSearch(withField(search, name, value));

  return (
    <Form
      className={classes.filters}
      aria-label={t("office.sales.view.find")}
      onSubmit={() => put("typed", text.trim())}
    >
      <div className={classes.search}>
        <TextInput
          type="search"
          label={t("office.sales.typed")}
          placeholder={t("office.sales.typedHint")}
          leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
          autoComplete="off"
          maxLength={128}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            if (value === "") {
              put("typed", "");
            }
          }}
        />
        <Button type="submit">{t("office.sales.find")}</Button>
      </div>
      <ClearableSelect
        label={t("office.sales.status")}
        all={t("office.sales.everyStatus")}
        data={OFFICE_STATUSES.map((value) => ({
          value,
          label: t(`office.sales.state.${value}`),
        }))}
        value={filterOf(search).status ?? null}
        onChange={(status) => put("status", status ?? "")}
      />
      <DayFields search={search} onSearch={onSearch} />
    </Form>
  );
}

function DayFields({ search, onSearch }: Pick<OfficeSectionProps, "search" | "onSearch">) {
  const { t } = useTranslation();
  return (["from", "to"] as const).map((name) => (
    <TextInput
      key={name}
      type="date"
      label={t(`office.sales.${name}`)}
      value={search[name] ?? ""}
      onChange={({ currentTarget: { value } }) => onSearch(withField(search, name, value))}
    />
  ));
}

function OwedView({ status, search, onSearch }: OfficeSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const owed = useInfiniteQuery(owedQuery());
  const list = owed.data?.pages.flatMap((page) => page.list) ?? [];
  return (
    <>
      <h2 className="size-label">{t("office.sales.view.owed")}</h2>
      <p className="soft">{t("office.sales.owed.intro")}</p>
      <AwaitedList query={owed} count={list.length} empty={t("office.sales.owed.none")}>
        <ul className={classes.list} aria-label={t("office.sales.view.owed")}>
          {list.map(({ transactionId, failedAt, saleNumber, clerk, amount }) => (
            <li key={transactionId}>
              <button
                type="button"
                className={classes.row}
                onClick={() => onSearch({ ...search, id: transactionId })}
              >
                <span className="stack min-w-0 break-anywhere">
                  <strong>{t("sale.number", { number: saleNumber })}</strong>
                  <span>{clerk}</span>
                </span>
                <span className="soft">
                  {format.date(failedAt)} {format.time(failedAt)}
                </span>
                <span className={classes.amount}>
                  {format.money(amount, status.currency, status.currencyDivisor)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </AwaitedList>
      <MoreButton pages={owed} className={classes.more}>
        {t("office.sales.more")}
      </MoreButton>
    </>
  );
}

/** A single report is shown in full, so that it can be printed again. */
function ReportsView({ search, onSearch, renderReport }: SalesScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const reports = useInfiniteQuery(reportsQuery(daysOf(search)));
  const list = reports.data?.pages.flatMap((page) => page.list) ?? [];
  const chosen = list.find(({ zNumber }) => String(zNumber) === search.z);
  return (
    <>
      <div className={classes.filters}>
        <DayFields search={search} onSearch={onSearch} />
      </div>
      {chosen ? renderReport(chosen) : null}
      <AwaitedList query={reports} count={list.length} empty={t("office.sales.noReports")}>
        <ul className={classes.list} aria-label={t("shift.z.list")}>
          {list.map((report) => {
            const { currency, currencyDivisor, staff } = report.shift;
            const money = (minor: number) => format.money(minor, currency, currencyDivisor);
            return (
              <li key={report.zNumber}>
                <button
                  type="button"
                  className={classes.row}
                  aria-current={report === chosen}
                  onClick={() => onSearch({ ...search, z: String(report.zNumber) })}
                >
                  <span className="stack min-w-0 break-anywhere">
                    <strong>{t("shift.z.title", { number: report.zNumber })}</strong>
                    <span>{staff.name}</span>
                  </span>
                  <span className="soft">
                    {format.date(report.closedAt)} {format.time(report.closedAt)}
                  </span>
                  <span className="stack min-w-0 break-anywhere">
                    {varianceWords(report.variance, t, money)}
                  </span>
                  <span className={classes.amount}>{money(report.figures.sales.value)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      </AwaitedList>
      <MoreButton pages={reports} className={classes.more}>
        {t("office.sales.more")}
      </MoreButton>
    </>
  );
}
