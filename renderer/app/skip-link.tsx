import { useTranslation } from "react-i18next";
import classes from "./skip-link.module.css";

export function SkipLink() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.skip}
      onClick={() => {
        const main = document.querySelector("main");
        // At the counter, focuses the input of the current step.
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
