import { useTranslation } from "react-i18next";
import type { VersionNews } from "../lib/what-is-new.ts";
import classes from "./what-is-new-list.module.css";

export function WhatIsNewList({ versions }: { readonly versions: readonly VersionNews[] }) {
  const { t } = useTranslation();
  return versions.map(({ version, sentences }) => (
    <section key={version}>
      <h3 className={classes.title}>{t("shift.whatIsNew.title", { version })}</h3>
      <ul className={classes.list}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  ));
}
