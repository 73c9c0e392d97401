import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../server/contract/pos/setup.ts";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { chooseLanguage, LANGUAGE_NAMES } from "../lib/i18n.ts";
import classes from "./screen-corner.module.css";

interface ScreenCornerProps {
  readonly children: ReactNode;
  readonly withLanguage?: boolean;
}

/** A screen outside the shell, with language and appearance in its corner. */
export function ScreenCorner({ children, withLanguage = false }: ScreenCornerProps) {
  return (
    <div className={classes.whole}>
      <header className={classes.corner}>
        {withLanguage ? <LanguageButtons /> : null}
        <ThemeToggle />
      </header>
      {children}
    </div>
  );
}

function LanguageButtons() {
  const { t, i18n } = useTranslation();
  return (
    <fieldset className={classes.languages} aria-label={t("app.language")}>
      {(Object.keys(LANGUAGE_NAMES) as Language[]).map((language) => (
        <button
          key={language}
          type="button"
          className={classes.language}
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={(event) => {
            event.currentTarget.blur();
            chooseLanguage(language);
          }}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </fieldset>
  );
}
