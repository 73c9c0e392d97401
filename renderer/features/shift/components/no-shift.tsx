import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import classes from "./shift-screen.module.css";

/** Shown in place of the shift during training, which has no drawer to open, count or close. */
export function NoShift() {
  const { t } = useTranslation();
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <h1 className={classes.title}>{t("shift.title")}</h1>
        <Notice tone="info">{t("shift.noneInTraining")}</Notice>
      </div>
    </main>
  );
}
