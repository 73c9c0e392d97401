import { IconReceipt } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { usePaperWidth } from "../features/receipts/index.ts";
import classes from "./nav-rail.module.css";

/** The roll in this device's receipt printer: 80 or 58 mm. */
export function PaperToggle() {
  const { t } = useTranslation();
  const [paper, setPaper] = usePaperWidth();
  return (
    <button
      type="button"
      className={classes.place}
      data-small
      title={t("nav.paper")}
      onClick={() => setPaper(paper === "80mm" ? "58mm" : "80mm")}
    >
      <IconReceipt size="1.5rem" stroke={1.75} aria-hidden="true" />
      <span className="spoken">{t("nav.paper")}</span>
      <bdi dir="ltr">{paper.replace("mm", " mm")}</bdi>
    </button>
  );
}
