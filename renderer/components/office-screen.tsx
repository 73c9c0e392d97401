import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../server/contract/common.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import classes from "./office-screen.module.css";

interface OfficeScreenProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The environment of the page's data; the shop's by default. */
  readonly environment?: Environment | undefined;
  readonly actions?: ReactNode;
  /** Puts the content on one card, for forms and lists without cards of their own. */
  readonly isSheet?: boolean;
  readonly children: ReactNode;
}

export function OfficeScreen(props: OfficeScreenProps) {
  const { title, lead, environment, actions, isSheet = false, children } = props;
  const { t } = useTranslation();
  const { data: status } = useQuery(statusQuery());
  const shown = environment ?? status?.environment;
  return (
    <main className={classes.screen}>
      <header className={classes.head}>
        <div className={classes.words}>
          <h1 className={classes.title}>{title}</h1>
          {lead ? <p className="soft">{lead}</p> : null}
        </div>
        <div className="row wrap gap-2">
          {shown === "test" ? (
            <strong className={classes.test}>{t("header.testMode")}</strong>
          ) : null}
          {actions}
        </div>
      </header>
      {isSheet ? <div className={classes.sheet}>{children}</div> : children}
    </main>
  );
}
