import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../../server/contract/pos/setup.ts";
import type { PosSession } from "../../../server/contract/pos/staff.ts";
import { Notice } from "../../components/notice.tsx";
import { isOfficeOnly } from "../../lib/has-office.ts";
import { addOfficeWords } from "../../lib/i18n.ts";
import type { OfficeSectionName } from "../../lib/office-section.ts";
import { sessionQuery, statusQuery } from "../../lib/pos-queries.ts";
import { useTitle } from "../../lib/use-title.ts";
import { officeWordsIn } from "../../locales/office-words.ts";
import { OfficeMenu } from "./office-menu.tsx";
import classes from "./office-page.module.css";
import { sectionsFor } from "./office-place.ts";
import { SECTIONS } from "./office-sections.ts";

addOfficeWords(officeWordsIn);

/** The back office: a menu of its sections, and the one that is open. Loaded when it is opened. */
export function OfficePage() {
  const { data: status } = useQuery(statusQuery());
  const { data: session } = useQuery(sessionQuery());
  const { section: wanted } = useParams({ strict: false });
  if (!status || !session) {
    return null;
  }
  const sections = sectionsFor(session);
  const [first] = sections;
  const section = sections.find((one) => one === wanted);
  if (!first && isOfficeOnly(session)) {
    return <NothingOpen />;
  }
  if (!first || session.training) {
    return <Navigate to="/" />;
  }
  if (!section) {
    return <Navigate to="/office/$section" params={{ section: first }} replace />;
  }
  return <OpenSection section={section} sections={sections} status={status} session={session} />;
}

interface OpenSectionProps {
  readonly section: OfficeSectionName;
  readonly sections: readonly OfficeSectionName[];
  readonly status: PosStatus;
  readonly session: PosSession;
}

function OpenSection({ section, sections, status, session }: OpenSectionProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = useSearch({ from: "/office/$section" });
  const { Screen } = SECTIONS[section];
  useTitle(t(`office.frame.section.${section}`));
  return (
    <div className={classes.office}>
      <OfficeMenu sections={sections} />
      <div className={classes.section}>
        <Suspense fallback={<LoadingSection />}>
          <Screen
            key={section}
            session={session}
            status={status}
            search={search}
            onSearch={(changed) =>
              void navigate({
                to: "/office/$section",
                params: { section },
                search: changed,
                replace: true,
              })
            }
            onOpen={(other, otherSearch = {}) =>
              void navigate({
                to: "/office/$section",
                params: { section: other },
                search: otherSearch,
              })
            }
          />
        </Suspense>
      </div>
    </div>
  );
}

/** A person who sells nothing, and from whom the right to see figures was taken. */
function NothingOpen() {
  const { t } = useTranslation();
  return (
    <div className={classes.loading}>
      <Notice tone="info">
        <strong>{t("app.noOffice.title")}.</strong> {t("app.noOffice.body")}
      </Notice>
    </div>
  );
}

function LoadingSection() {
  const { t } = useTranslation();
  return (
    <div
      className={classes.loading}
      role="status"
      aria-busy="true"
      aria-label={t("common.loading")}
    >
      <Skeleton height="3rem" radius="md" />
      <Skeleton height="12rem" radius="md" />
    </div>
  );
}
