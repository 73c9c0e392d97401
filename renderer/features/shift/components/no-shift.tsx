import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import classes from "./shift-screen.module.css";

/** Shown instead of the shift in training, which has no drawer. */
export function NoShift() {
  const { t } = useTranslation();
  return (
    <main className="min-h-0 overflow-y-auto">
      <div className={classes.card}>
        <h1 className="size-heading strong leading-115">{t("shift.title")}</h1>
        <Notice tone="info">{t("shift.noneInTraining")}</Notice>
      </div>
    </main>
  );
}
