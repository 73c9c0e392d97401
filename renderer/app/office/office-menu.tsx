import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { OfficeSectionName } from "../../lib/office-section.ts";
import { AlertCount } from "./alert-count.tsx";
import classes from "./office-menu.module.css";
import { SECTIONS } from "./office-sections.ts";

interface OfficeMenuProps {
  readonly sections: readonly OfficeSectionName[];
}

/** The sections of the back office: beside them on a laptop, above them on a tablet and a phone. */
export function OfficeMenu({ sections }: OfficeMenuProps) {
  const { t } = useTranslation();
  return (
    <nav className={classes.menu} data-strip aria-label={t("office.frame.menu")}>
      {sections.map((section) => {
        const { Icon } = SECTIONS[section];
        return (
          <Link
            key={section}
            to="/office/$section"
            params={{ section }}
            className={classes.place}
            activeOptions={{ includeSearch: false }}
          >
            <Icon size="1.25rem" stroke={1.75} aria-hidden="true" />
            <span>{t(`office.frame.section.${section}`)}</span>
            {section === "alerts" ? <AlertCount /> : null}
          </Link>
        );
      })}
    </nav>
  );
}
