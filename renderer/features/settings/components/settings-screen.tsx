import { Button, Skeleton, Switch, TextInput } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DesktopChange } from "../../../../electron/ipc/ipc-map.ts";
import { type Reach, reachOperations } from "../../../../server/contract/pos/reach.ts";
import {
  MOST_LINK_DAYS,
  type ReceiptPageSettings,
  receiptPageOperations,
  type SentReceipt,
} from "../../../../server/contract/pos/receipt-pages.ts";
import type { PosStatus } from "../../../../server/contract/pos/setup.ts";
import { supportOperations } from "../../../../server/contract/pos/support.ts";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { Loading, MoreButton } from "../../../components/loading.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QrCode } from "../../../components/qr-code.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { WhatIsNewList } from "../../../components/what-is-new-list.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { endKiosk } from "../../../lib/end-kiosk.ts";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { sendingFaultWords, sendingWords } from "../../../lib/sending-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { whatIsNewQuery } from "../../../lib/what-is-new.ts";
import { networkQuery, sentReceiptsQuery } from "../api/settings-queries.ts";
import { BackupsView } from "./backups-view.tsx";
import { MailView } from "./mail-view.tsx";
import { SalesView } from "./sales-view.tsx";
import pageClasses from "./settings-screen.module.css";
import { ShopView } from "./shop-view.tsx";
import { TendersView } from "./tenders-view.tsx";

/** Pages, as named in the address. */
const SETTINGS_VIEWS = [
  "shop",
  "sales",
  "tenders",
  "receipts",
  "mail",
  "backups",
  "network",
  "program",
  "about",
] as const;
type SettingsView = (typeof SETTINGS_VIEWS)[number];

function shownViews(): readonly SettingsView[] {
  const isDesktop = globalThis.window.tillgate !== undefined;
  return SETTINGS_VIEWS.filter((view) => view !== "program" || isDesktop);
}

export function viewOf({ view }: OfficeSearch): SettingsView {
  return shownViews().find((known) => known === view) ?? "shop";
}

type SettingsPlace = "/printing";

const STATES = { OPEN: "open", BLOCKED: "blocked", UNKNOWN: "unknown" } as const;

const SWITCHES = ["startsAtLogin", "kiosk", "tray"] as const;
const QUERY_KEY = ["desktop-settings"] as const;

interface SettingsScreenProps {
  readonly status: PosStatus;
  readonly search: OfficeSearch;
  readonly onSearch: (search: OfficeSearch) => void;
  readonly onPlace: (place: SettingsPlace) => void;
  /** Opens the page for test and live, which the navigation hides after going live. */
  readonly onLive: () => void;
  readonly receiptText: ReactNode;
}

export function SettingsScreen(props: SettingsScreenProps) {
  const { search, onSearch, onLive } = props;
  const { t } = useTranslation();
  const title = useId();
  const view = viewOf(search);
  return (
    <OfficeScreen title={t("office.frame.section.settings")}>
      <div className={pageClasses.groups}>
        <nav className={pageClasses.pages} aria-label={t("office.settings.pages")}>
          {shownViews().map((page) => (
            <button
              key={page}
              type="button"
              className={pageClasses.page}
              aria-current={page === view ? "page" : undefined}
              onClick={() => onSearch({ view: page })}
            >
              {t(`office.settings.view.${page}`)}
            </button>
          ))}
          <button type="button" className={pageClasses.page} onClick={onLive}>
            {t("office.settings.view.live")}
          </button>
        </nav>
        <section className={`${classes.view} ${pageClasses.panel}`} aria-labelledby={title}>
          <h2 id={title} className="size-label strong">
            {t(`office.settings.view.${view}`)}
          </h2>
          <OpenView {...props} view={view} />
        </section>
      </div>
    </OfficeScreen>
  );
}

function OpenView({
  view,
  status,
  onPlace,
  receiptText,
}: SettingsScreenProps & { readonly view: SettingsView }) {
  switch (view) {
    case "shop":
      return <ShopView receiptText={receiptText} />;
    case "sales":
      return <SalesView status={status} />;
    case "tenders":
      return <TendersView />;
    case "receipts":
      return <ReceiptPagesView />;
    case "mail":
      return <MailView />;
    case "backups":
      return <BackupsView />;
    case "network":
      return <NetworkView onPlace={onPlace} />;
    case "program":
      return <ProgramView />;
    default:
      return <AboutView version={status.version} />;
  }
}

function AboutView({ version }: { readonly version: string }) {
  const { t, i18n } = useTranslation();
  const { data: versions = [] } = useQuery(whatIsNewQuery(i18n.language));
  const file = useMutation({
    mutationFn: async () => {
      const { name, text } = await call(supportOperations.makeFile);
      const blob = new Blob([text], { type: "text/plain;charset=utf-8" });
      return { name, address: URL.createObjectURL(blob) };
    },
  });
  return (
    <>
      <p className="strong">{t("office.settings.about.version", { version })}</p>
      <WhatIsNewList versions={versions} />
      <h3 className="strong">{t("office.settings.about.support")}</h3>
      <p className="soft">{t("office.settings.about.supportHint")}</p>
      <Trouble error={file.error} />
      <div className="flex wrap gap-3">
        <Button loading={file.isPending} onClick={() => file.mutate()}>
          {t("office.settings.about.supportMake")}
        </Button>
        {file.data ? (
          <Button
            component="a"
            variant="default"
            href={file.data.address}
            download={file.data.name}
          >
            {t("office.settings.about.supportSave", { name: file.data.name })}
          </Button>
        ) : null}
      </div>
      <h3 className="strong">{t("office.settings.about.licences")}</h3>
      <p className="soft">{t("office.settings.about.licencesBody")}</p>
    </>
  );
}

/** Each switch takes effect at once. */
function ProgramView() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const settings = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => (await globalThis.window.tillgate?.desktopSettings()) ?? null,
  });
  const change = useMutation({
    mutationFn: async (wish: DesktopChange) =>
      wish.kiosk === false
        ? endKiosk(false)
        : ((await globalThis.window.tillgate?.changeDesktop(wish)) ?? null),
    onSuccess: (now) => {
      queryClient.setQueryData(QUERY_KEY, now);
      announce(t("office.settings.saved"));
    },
  });
  return (
    <>
      <p className="soft">{t("office.settings.program.intro")}</p>
      {change.isError || settings.isError ? (
        <Notice tone="bad" loud>
          {t("office.settings.program.failed")}
        </Notice>
      ) : null}
      {settings.isPending ? <Skeleton height="6rem" radius="md" /> : null}
      {settings.data
        ? SWITCHES.map((name) => (
            <Switch
              key={name}
              label={t(`office.settings.program.${name}`)}
              description={t(`office.settings.program.${name}Hint`)}
              checked={settings.data?.[name] ?? false}
              disabled={change.isPending}
              onChange={({ currentTarget }) => change.mutate({ [name]: currentTarget.checked })}
            />
          ))
        : null}
    </>
  );
}

function ReceiptPagesView() {
  const settings = useQuery({ ...operationQuery(receiptPageOperations.getSettings), gcTime: 0 });
  return (
    <>
      <QueryTrouble query={settings} />
      {settings.data ? (
        <ReceiptPagesForm settings={settings.data} />
      ) : (
        <Skeleton height="12rem" radius="md" />
      )}
      <SentReceiptList />
    </>
  );
}

function ReceiptPagesForm({ settings }: { readonly settings: ReceiptPageSettings }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [enabled, setEnabled] = useState(settings.enabled);
  const [publicUrl, setPublicUrl] = useState(settings.publicUrl);
  const [days, setDays] = useState(String(settings.keepDays));
  const [detailsInMail, setDetails] = useState(settings.detailsInMail);
  const keepDays = readDays(days);
  const isAddress = publicUrl.trim() === "" || isWebAddress(publicUrl.trim());
  const save = useMutation({
    mutationFn: (body: ReceiptPageSettings) => call(receiptPageOperations.setSettings, { body }),
    onSuccess: async () => {
      announce(t("office.settings.saved"));
      await invalidateAnswers(queryClient, [receiptPageOperations.ways]);
    },
  });
  return (
    <Form
      className={classes.form}
      onSubmit={() => {
        if (keepDays !== undefined && isAddress) {
          save.mutate({ enabled, publicUrl: publicUrl.trim(), keepDays, detailsInMail });
        }
      }}
    >
      <Switch
        label={t("office.settings.receipts.enabled")}
        description={enabled ? undefined : t("office.settings.receipts.off")}
        checked={enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      <TextInput
        label={t("office.settings.receipts.url")}
        description={t("office.settings.receipts.urlHint")}
        type="url"
        dir="ltr"
        maxLength={200}
        value={publicUrl}
        error={isAddress ? undefined : t("office.settings.receipts.urlWrong")}
        onChange={({ currentTarget }) => setPublicUrl(currentTarget.value)}
      />
      <AddressWarning />
      <TextInput
        label={t("office.settings.receipts.days")}
        inputMode="numeric"
        maxLength={3}
        value={days}
        error={keepDays === undefined ? t("office.settings.receipts.daysWrong") : undefined}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      />
      <Switch
        label={t("office.settings.receipts.inMail")}
        description={t("office.settings.receipts.inMailHint")}
        checked={detailsInMail}
        onChange={({ currentTarget }) => setDetails(currentTarget.checked)}
      />
      <FormEnd save={save} saved={t("office.settings.saved")}>
        {t("office.settings.save")}
      </FormEnd>
    </Form>
  );
}

function AddressWarning() {
  const { t } = useTranslation();
  const ways = useQuery(operationQuery(receiptPageOperations.ways));
  if (!ways.data?.warned) return null;
  return <Notice tone="wait">{t("office.settings.receipts.urlWarned")}</Notice>;
}

function readDays(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= MOST_LINK_DAYS ? days : undefined;
}

function isWebAddress(text: string): boolean {
  return /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)\b)/.test(text) && URL.canParse(text);
}

function NetworkView({ onPlace }: { readonly onPlace: (place: SettingsPlace) => void }) {
  const { t } = useTranslation();
  const network = useQuery(networkQuery());
  const { open, addresses = [], port } = network.data ?? {};
  const [first] = addresses;
  return (
    <>
      <QueryTrouble query={network} />
      {network.isPending ? <Skeleton height="6rem" radius="md" /> : null}
      {network.data ? (
        <p>{t(open ? "office.settings.network.open" : "office.settings.network.closed")}</p>
      ) : null}
      {network.data && !open ? (
        <code className={classes.secret} dir="ltr">
          npm run serve -- --host 0.0.0.0 --port {port}
        </code>
      ) : null}
      {addresses.map((address) => (
        <code key={address} className={classes.secret} dir="ltr">
          {address}
        </code>
      ))}
      {first ? (
        <QrCode content={first} label={t("office.settings.network.qr")} className={classes.qr} />
      ) : null}
      <Notice tone="info">{t("office.settings.network.safe")}</Notice>
      <ReachSection />
      <div className="flex wrap gap-3">
        <Button variant="default" onClick={() => onPlace("/printing")}>
          {t("office.settings.printing")}
        </Button>
      </div>
    </>
  );
}

type Listener = Reach["listeners"][number];

/** Shows nothing without listeners for other devices. */
function ReachSection() {
  const { t } = useTranslation();
  const id = useId();
  const { listeners = [] } = useQuery(operationQuery(reachOperations.look)).data ?? {};
  if (listeners.length === 0) return null;
  return (
    <section aria-labelledby={id} className={classes.view}>
      <h3 id={id} className="size-label strong">
        {t("office.settings.network.reach.title")}
      </h3>
      {listeners.map((listener) => (
        <ListenerReach key={listener.port} listener={listener} />
      ))}
    </section>
  );
}

function ListenerReach({ listener: { url, reached, firewall } }: { readonly listener: Listener }) {
  const { t } = useTranslation();
  const known = firewall ? STATES[firewall.state] : "none";
  const state = reached ? "reached" : known;
  const isInDoubt = state === "blocked" || state === "unknown";
  return (
    <>
      <code className={classes.secret} dir="ltr">
        {url}
      </code>
      <Notice tone={isInDoubt ? "wait" : "info"}>
        {t(`office.settings.network.reach.${state}`, { name: firewall?.name ?? "" })}
      </Notice>
      {isInDoubt && firewall ? (
        <code className={classes.secret} dir="ltr">
          {firewall.command}
        </code>
      ) : null}
    </>
  );
}

function SentReceiptList() {
  const { t } = useTranslation();
  const [isFailedOnly, setFailedOnly] = useState(false);
  const sent = useInfiniteQuery(sentReceiptsQuery(isFailedOnly ? "FAILED" : undefined));
  const rows = sent.data?.pages.flatMap(({ list }) => list) ?? [];
  return (
    <>
      <h3 className="strong">{t("office.settings.hooks.sent.title")}</h3>
      <Switch
        label={t("office.settings.hooks.sent.failedOnly")}
        checked={isFailedOnly}
        onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
      />
      <QueryTrouble query={sent} />
      {sent.isPending && !troubleOf(sent) ? <Loading heights={["4rem"]} /> : null}
      {sent.isSuccess && rows.length === 0 ? (
        <p>{t(`office.settings.hooks.sent.${isFailedOnly ? "noneFailed" : "none"}`)}</p>
      ) : null}
      <ul className={classes.rows} aria-label={t("office.settings.hooks.sent.title")}>
        {rows.map((receipt) => (
          <SentRow key={`${receipt.environment} ${receipt.sendingId}`} receipt={receipt} />
        ))}
      </ul>
      <MoreButton pages={sent}>{t("office.settings.hooks.sent.older")}</MoreButton>
    </>
  );
}

function SentRow({ receipt }: { readonly receipt: SentReceipt }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { saleNumber, environment, channel, to, state, fault, sentBy, createdAt } = receipt;
  const sale = t("sale.number", { number: saleNumber });
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <span className="strong">
          {sale}
          {to === "" ? null : (
            <>
              {" · "}
              <bdi dir="ltr">{to}</bdi>
            </>
          )}
        </span>
        <span className="soft size-caption">
          {sendingWords(receipt, t)} · {t(`office.settings.hooks.sent.way.${channel ?? "EMAIL"}`)} ·{" "}
          {t(`office.settings.env.${environment}`)} ·{" "}
          {t("sale.soldBy", { name: sentBy, time: format.moment(createdAt) })}
        </span>
        {fault === undefined ? null : (
          <bdi className="soft size-caption">{sendingFaultWords(fault, t)}</bdi>
        )}
        {state === "FAILED" && !receipt.canSendAgain ? (
          <span className="soft size-caption">{t("office.settings.hooks.sent.over")}</span>
        ) : null}
      </span>
      {receipt.canSendAgain ? <AgainButton receipt={receipt} /> : null}
    </li>
  );
}

function AgainButton({ receipt }: { readonly receipt: SentReceipt }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { sendingId, environment, saleNumber } = receipt;
  const again = useMutation({
    mutationFn: () =>
      call(receiptPageOperations.sendAgain, { params: { sendingId }, body: { environment } }),
    onSuccess: async () => {
      announce(t("sale.send.state.WAITING"));
      await invalidateAnswers(queryClient, [receiptPageOperations.listSent]);
    },
  });
  return (
    <>
      <Button
        variant="default"
        loading={again.isPending}
        aria-label={t("office.settings.hooks.sent.againFor", { number: saleNumber })}
        onClick={() => again.mutate()}
      >
        {t("office.settings.hooks.resend")}
      </Button>
      <Trouble error={again.error} />
    </>
  );
}
