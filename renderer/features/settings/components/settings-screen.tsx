import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../../../server/contract/pos/setup.ts";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { type SettingsPlace, type SettingsView, shownViews, viewOf } from "../settings-views.ts";
import { AboutView } from "./about-view.tsx";
import { BackupsView } from "./backups-view.tsx";
import { KeysView } from "./keys-view.tsx";
import { NetworkView } from "./network-view.tsx";
import { PeopleView } from "./people-view.tsx";
import { ProgramView } from "./program-view.tsx";
import { ReceiptPagesView } from "./receipt-pages-view.tsx";
import { SalesView } from "./sales-view.tsx";
import classes from "./settings-screen.module.css";
import { ShopView } from "./shop-view.tsx";
import { TendersView } from "./tenders-view.tsx";
import { WebhooksView } from "./webhooks-view.tsx";

interface SettingsScreenProps {
  readonly status: PosStatus;
  readonly search: OfficeSearch;
  readonly onSearch: (search: OfficeSearch) => void;
  readonly onPlace: (place: SettingsPlace) => void;
  /** The shop's lines on receipts, which another feature asks for. */
  readonly receiptText: ReactNode;
}

/** Everything that an owner sets, a page for each topic. */
export function SettingsScreen(props: SettingsScreenProps) {
  const { search, onSearch } = props;
  const { t } = useTranslation();
  const title = useId();
  const view = viewOf(search);
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <h1 className={classes.title}>{t("office.settings.title")}</h1>
        <nav className={classes.pages} aria-label={t("office.settings.pages")}>
          {shownViews().map((page) => (
            <button
              key={page}
              type="button"
              className={classes.page}
              aria-current={page === view ? "page" : undefined}
              onClick={() => onSearch({ view: page })}
            >
              {t(`office.settings.view.${page}`)}
            </button>
          ))}
        </nav>
        <section className={classes.view} aria-labelledby={title}>
          <h2 id={title} className={classes.legend}>
            {t(`office.settings.view.${view}`)}
          </h2>
          <OpenView {...props} view={view} />
        </section>
      </div>
    </main>
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
    case "people":
      return <PeopleView onPlace={onPlace} />;
    case "keys":
      return <KeysView />;
    case "webhooks":
      return <WebhooksView />;
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
