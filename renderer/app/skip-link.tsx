import { useTranslation } from "react-i18next";
import classes from "./skip-link.module.css";

/** The first thing Tab comes to: past the header and the menu, to what the screen is for. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.skip}
      onClick={() => {
        const main = document.querySelector("main");
        // What is typed at the counter belongs into the field of its step.
        const field = main?.querySelector<HTMLElement>("[data-counter-field]") ?? main;
        if (field === main) {
          main?.setAttribute("tabindex", "-1");
        }
        field?.focus();
      }}
    >
      {t("app.skip")}
    </button>
  );
}
