import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Role } from "../../../../server/contract/pos/rights.ts";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { type ReportView, viewOf, viewsFor } from "../report-views.ts";
import { BooksView } from "./books-view.tsx";
import { FilesView } from "./files-view.tsx";
import { MailView } from "./mail-view.tsx";
import classes from "./reports-screen.module.css";
import { SchedulesView } from "./schedules-view.tsx";

interface ReportsScreenProps {
  readonly role: Role;
  /** Who did what, which another part of the office shows. */
  readonly trail: ReactNode;
  /** The day before today by the shop's calendar, such as 2026-01-31. */
  readonly yesterday: string;
  readonly environment: "test" | "live";
  readonly search: OfficeSearch;
  readonly onSearch: (search: OfficeSearch) => void;
}

/** Reports as files, what is made and sent by itself, the accounts of the books, and the shop's mail. */
export function ReportsScreen(props: ReportsScreenProps) {
  const { role, trail, yesterday, environment, search, onSearch } = props;
  const { t } = useTranslation();
  const views = viewsFor(role);
  const view = viewOf(search, views);
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <h1 className={classes.title}>{t(`office.reports.title.${environment}`)}</h1>
        {views.length > 1 ? (
          <ViewTabs
            label={t("office.reports.parts")}
            views={views.map((value) => ({ value, label: t(`office.reports.view.${value}`) }))}
            view={view}
            onView={(chosen) => onSearch({ view: chosen })}
          />
        ) : null}
        <section className={classes.view} aria-label={t(`office.reports.view.${view}`)}>
          <OpenView view={view} yesterday={yesterday} trail={trail} />
        </section>
      </div>
    </main>
  );
}

interface OpenViewProps extends Pick<ReportsScreenProps, "yesterday" | "trail"> {
  readonly view: ReportView;
}

function OpenView({ view, yesterday, trail }: OpenViewProps) {
  switch (view) {
    case "trail":
      return trail;
    case "schedules":
      return <SchedulesView />;
    case "books":
      return <BooksView />;
    case "mail":
      return <MailView />;
    default:
      return <FilesView yesterday={yesterday} />;
  }
}
