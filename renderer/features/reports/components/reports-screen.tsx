import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import { addressOf } from "../../../../server/contract/pos/operation.ts";
import type { Role } from "../../../../server/contract/pos/rights.ts";
import { LANGUAGES } from "../../../../server/contract/pos/setup.ts";
import {
  ACCOUNT_ROLES,
  type AccountingSettings,
  type ShopReport,
  type ShopReportInput,
  shopReportOperations,
} from "../../../../server/contract/pos/shop-reports.ts";
import { BackButton } from "../../../components/back-button.tsx";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { LanguageField } from "../../../components/language-field.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { call } from "../../../lib/api-client.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { faultsOf } from "../../../lib/error-words.ts";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { accountingQuery, reportsQuery } from "../api/report-queries.ts";
import { type ReportView, viewsFor } from "../report-views.ts";
import { ContentFields } from "./content-fields.tsx";
import { SchedulesView } from "./schedules-view.tsx";

function FilesView({ yesterday }: { readonly yesterday: string }) {
  const { t } = useTranslation();
  const reports = useQuery(reportsQuery());
  return (
    <>
      <p className="soft">{t("office.reports.intro")}</p>
      <RequestForm yesterday={yesterday} />
      <h2 className="size-label strong">{t("office.reports.list")}</h2>
      <QueryTrouble query={reports} />
      {reports.data?.list.length === 0 ? <p>{t("office.reports.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.reports.list")}>
        {reports.data?.list.map((report) => (
          <ReportRow key={report.reportId} report={report} />
        ))}
      </ul>
    </>
  );
}

function RequestForm({ yesterday }: { readonly yesterday: string }) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const [input, setInput] = useState<ShopReportInput>({
    kind: "SOLD",
    format: "CSV",
    firstDay: yesterday,
    lastDay: yesterday,
  });
  const isOfDay = input.kind === "DAY";
  const own = LANGUAGES.find((known) => known === i18n.language) ?? "en";
  const language = input.language ?? own;
  const body = isOfDay ? { ...input, lastDay: input.firstDay, language } : input;
  const request = useMutation({
    mutationFn: () => call(shopReportOperations.request, { body }),
    onSuccess: () => invalidateAnswers(queryClient, [shopReportOperations.list]),
  });
  const faults = faultsOf(request.error);
  const day = (name: "firstDay" | "lastDay") => ({
    type: "date",
    value: input[name],
    error: faults[name],
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setInput({ ...input, [name]: currentTarget.value }),
  });
  return (
    <Form className={classes.form} onSubmit={() => request.mutate()}>
      <div className={classes.fields}>
        <ContentFields value={input} onChange={(chosen) => setInput({ ...input, ...chosen })} />
        <TextInput
          label={t(isOfDay ? "office.reports.day" : "office.reports.firstDay")}
          {...day("firstDay")}
        />
        {isOfDay ? (
          <LanguageField
            label={t("office.reports.language")}
            value={language}
            onChange={(chosen) => setInput({ ...input, language: chosen })}
          />
        ) : (
          <TextInput label={t("office.reports.lastDay")} {...day("lastDay")} />
        )}
      </div>
      <FormEnd save={request} error={Object.keys(faults).length > 0 ? null : request.error}>
        {t("office.reports.ask")}
      </FormEnd>
    </Form>
  );
}

function ReportRow({ report }: { readonly report: ShopReport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, firstDay, lastDay, state, fault, requestedBy, scheduleName, createdAt } = report;
  const days = firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}`;
  const title = `${t(`office.reports.of.${kind}`)}, ${days}`;
  const who = requestedBy?.name ?? scheduleName ?? "";
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <span className="strong">{title}</span>
        <span className="soft size-caption">
          {t(`office.reports.as.${report.format}`)} · {who} · {format.moment(createdAt)}
        </span>
        {fault === undefined ? null : <bdi className="bad">{fault}</bdi>}
      </span>
      {state === "REQUESTED" ? <span role="status">{t("office.reports.making")}</span> : null}
      {state === "READY" ? (
        <Button
          component="a"
          href={addressOf(shopReportOperations.download, { reportId: report.reportId })}
          download
          variant="default"
          leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
          aria-label={t("office.reports.downloadOf", { title })}
        >
          {t("office.reports.download")}
        </Button>
      ) : null}
    </li>
  );
}

const TAXED = ["ON_PRICE", "ON_MARGIN"] as const;
const MOST_RATES = 50;

const MONTHS = Array.from({ length: 12 }, (_, index) => `${String(index + 1).padStart(2, "0")}-01`);

interface ReportsScreenProps {
  readonly role: Role;
  readonly view: ReportView;
  /** By the shop's calendar, such as 2026-01-31. */
  readonly yesterday: string;
  readonly onSearch: (search: OfficeSearch) => void;
}

export function ReportsScreen({ role, view, yesterday, onSearch }: ReportsScreenProps) {
  const { t } = useTranslation();
  const views = viewsFor(role).filter((one) => one !== "trail");
  return (
    <OfficeScreen
      title={t(`office.reports.view.${view}`)}
      actions={<BackButton onClick={() => onSearch({})}>{t("office.reports.back")}</BackButton>}
      isSheet
    >
      {views.length > 1 ? (
        <ViewTabs
          label={t("office.reports.parts")}
          views={views.map((value) => ({ value, label: t(`office.reports.view.${value}`) }))}
          view={view}
          onView={(chosen) => onSearch({ view: chosen })}
        />
      ) : null}
      <section className={classes.view} aria-label={t(`office.reports.view.${view}`)}>
        <OpenView view={view} yesterday={yesterday} />
      </section>
    </OfficeScreen>
  );
}

function OpenView({ view, yesterday }: Pick<ReportsScreenProps, "view" | "yesterday">) {
  switch (view) {
    case "schedules":
      return <SchedulesView />;
    case "books":
      return <BooksView />;
    default:
      return <FilesView yesterday={yesterday} />;
  }
}

/** The accounts have the same names as in the accounting software. */
function BooksView() {
  const accounting = useQuery(accountingQuery());
  return (
    <>
      <QueryTrouble query={accounting} />
      {accounting.data ? <BooksForm saved={accounting.data} /> : null}
    </>
  );
}

interface Change {
  readonly settings: AccountingSettings;
  readonly onChange: (settings: AccountingSettings) => void;
}

function BooksForm({ saved }: { readonly saved: AccountingSettings }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [settings, onChange] = useState(saved);
  const save = useMutation({
    mutationFn: () => call(shopReportOperations.setAccounting, { body: settings }),
    onSuccess: (kept) => {
      queryClient.setQueryData(accountingQuery().queryKey, kept);
      onChange(kept);
    },
  });
  return (
    <Form className={classes.form} onSubmit={() => save.mutate()}>
      <p className="soft">{t("office.reports.books.intro")}</p>
      <Accounts settings={settings} onChange={onChange} />
      <TaxAccounts settings={settings} onChange={onChange} error={save.error} />
      <h2 className="size-label strong">Xero</h2>
      <TextInput
        label={t("office.reports.books.xeroTaxRate")}
        value={settings.xeroTaxRate}
        onChange={({ currentTarget }) =>
          onChange({ ...settings, xeroTaxRate: currentTarget.value })
        }
      />
      <h2 className="size-label strong">DATEV</h2>
      <DatevFields settings={settings} onChange={onChange} />
      <FormEnd save={save} saved={t("office.reports.saved")}>
        {t("office.reports.save")}
      </FormEnd>
    </Form>
  );
}

function Accounts({ settings, onChange }: Change) {
  const { t } = useTranslation();
  const { sales, accounts } = settings;
  return (
    <div className={classes.fields}>
      {FAMILIES.map((family) => (
        <TextInput
          key={family}
          label={t("office.reports.books.salesOf", { family: t(`family.${family}.tab`) })}
          value={sales[family]}
          onChange={({ currentTarget }) =>
            onChange({ ...settings, sales: { ...sales, [family]: currentTarget.value } })
          }
        />
      ))}
      <TenderAccounts settings={settings} onChange={onChange} />
      {ACCOUNT_ROLES.map((role) => (
        <TextInput
          key={role}
          label={t(`office.reports.books.role.${role}`)}
          value={accounts[role] ?? ""}
          onChange={({ currentTarget }) =>
            onChange({ ...settings, accounts: { ...accounts, [role]: currentTarget.value } })
          }
        />
      ))}
    </div>
  );
}

function TenderAccounts({ settings, onChange }: Change) {
  const { t } = useTranslation();
  const { data: status } = useQuery(statusQuery());
  const { tenders: kept = [] } = settings;
  const added = (status?.tenders ?? []).filter(({ tenderId, kind }) => tenderId !== kind);
  return added.map(({ tenderId, name = "" }) => (
    <TextInput
      key={tenderId}
      label={t("office.reports.books.ofTender", { tender: name })}
      placeholder={t("office.reports.books.ofTenderHint")}
      value={kept.find((one) => one.tenderId === tenderId)?.account ?? ""}
      onChange={({ currentTarget }) => {
        const account = currentTarget.value;
        const others = kept.filter((one) => one.tenderId !== tenderId);
        onChange({
          ...settings,
          tenders: account === "" ? others : [...others, { tenderId, account }],
        });
      }}
    />
  ));
}

/** Accounts of single taxes, by kind and rate. Other taxes use the general tax account. */
function TaxAccounts({ settings, onChange, error }: Change & { readonly error: Error | null }) {
  const { t } = useTranslation();
  const { taxes = [] } = settings;
  const faults = faultsOf(error);
  const put = (next: readonly (typeof taxes)[number][]) =>
    onChange({ ...settings, taxes: [...next] });
  return (
    <fieldset className={classes.form}>
      <legend className="size-label strong">{t("office.reports.books.rates.title")}</legend>
      <p className="soft">{t("office.reports.books.rates.intro")}</p>
      {taxes.map((tax, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their content changes while it is typed.
        <div key={index} className={classes.fields}>
          <Select
            label={t("office.reports.books.rates.kind")}
            data={TAXED.map((value) => ({
              value,
              label: t(`office.reports.books.rates.of.${value}`),
            }))}
            value={tax.kind}
            onChange={(kind) => kind && put(taxes.with(index, { ...tax, kind }))}
          />
          <TextInput
            label={t("office.reports.books.rates.percent")}
            inputMode="decimal"
            dir="ltr"
            value={tax.percent}
            error={
              faults[`taxes.${index}.percent`] === undefined
                ? undefined
                : t("office.reports.books.rates.wrong")
            }
            onChange={({ currentTarget }) => {
              const percent = latinDigits(currentTarget.value).replace(/[,٫]/, ".").trim();
              put(taxes.with(index, { ...tax, percent }));
            }}
          />
          <TextInput
            label={t("office.reports.books.rates.account")}
            value={tax.account}
            onChange={({ currentTarget }) =>
              put(taxes.with(index, { ...tax, account: currentTarget.value }))
            }
          />
          <Button variant="default" onClick={() => put(taxes.toSpliced(index, 1))}>
            {t("office.reports.books.rates.remove")}
          </Button>
        </div>
      ))}
      <Button
        variant="default"
        className="self-start"
        disabled={taxes.length >= MOST_RATES}
        onClick={() => put([...taxes, { kind: "ON_PRICE", percent: "", account: "" }])}
      >
        {t("office.reports.books.rates.add")}
      </Button>
    </fieldset>
  );
}

function DatevFields({ settings, onChange }: Change) {
  const { t, i18n } = useTranslation();
  const { datev } = settings;
  const set = (change: Partial<AccountingSettings["datev"]>) =>
    onChange({ ...settings, datev: { ...datev, ...change } });
  const month = new Intl.DateTimeFormat(i18n.language, { month: "long", timeZone: "UTC" });
  return (
    <div className={classes.fields}>
      <NumberInput
        label={t("office.reports.books.consultant")}
        min={0}
        max={9_999_999}
        hideControls
        value={datev.consultant}
        onChange={(value) => set({ consultant: Number(value) })}
      />
      <NumberInput
        label={t("office.reports.books.client")}
        min={0}
        max={99_999}
        hideControls
        value={datev.client}
        onChange={(value) => set({ client: Number(value) })}
      />
      <Select
        label={t("office.reports.books.yearBegins")}
        data={MONTHS.map((value) => ({
          value,
          label: month.format(Date.parse(`2026-${value}T00:00:00Z`)),
        }))}
        value={datev.yearBegins}
        onChange={(value) => (value === null ? undefined : set({ yearBegins: value }))}
      />
      <NumberInput
        label={t("office.reports.books.accountLength")}
        min={4}
        max={8}
        value={datev.accountLength}
        onChange={(value) => set({ accountLength: Number(value) })}
      />
    </div>
  );
}
