import { useTranslation } from "react-i18next";
import classes from "./skip-link.module.css";

/** The first stop of Tab: past the header and the menu, to the screen's content. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.skip}
      onClick={() => {
        const main = document.querySelector("main");
        // At the counter, typing belongs in the field of the step.
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
