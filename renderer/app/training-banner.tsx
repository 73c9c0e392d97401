import { useTranslation } from "react-i18next";
import classes from "./training-banner.module.css";

/**
 * A banner across the whole till during training, so that no screen is mistaken for a real sale.
 */
export function TrainingBanner({ onEnd }: { readonly onEnd: () => void }) {
  const { t } = useTranslation();
  return (
    <section className={classes.banner} aria-label={t("training.label")} data-training="true">
      <span>
        <strong>{t("training.title")}</strong> {t("training.hint")}
      </span>
      <button type="button" className={classes.end} onClick={onEnd}>
        {t("training.end")}
      </button>
    </section>
  );
}
