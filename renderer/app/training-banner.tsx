import { Button } from "@mantine/core";
import { IconSchool } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./training-banner.module.css";

/** Across the whole screen while a person trains: an icon, words and a pattern. */
export function TrainingBanner({ onEnd }: { readonly onEnd: () => void }) {
  const { t } = useTranslation();
  return (
    <section className={classes.banner} aria-label={t("training.label")} data-training="true">
      <span className={classes.words}>
        <IconSchool size="2rem" stroke={2} aria-hidden="true" className={classes.icon} />
        <strong className={classes.title}>{t("training.title")}</strong>
        <span className={classes.hint}>{t("training.hint")}</span>
      </span>
      <Button className={classes.end} variant="default" onClick={onEnd}>
        {t("training.end")}
      </Button>
    </section>
  );
}
