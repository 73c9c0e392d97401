import { IconReceipt } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { changePrintSettings, PAPERS, usePrintSettings } from "../features/receipts/index.ts";
import classes from "./nav-rail.module.css";

/** The paper in this device's receipt printer: a roll of 80 or 58 mm, or sheets. */
export function PaperToggle() {
  const { t } = useTranslation();
  const { paper } = usePrintSettings();
  const next = PAPERS[(PAPERS.indexOf(paper) + 1) % PAPERS.length];
  return (
    <button
      type="button"
      className={classes.place}
      data-small
      title={t("nav.paper")}
      onClick={() => changePrintSettings({ paper: next ?? "80mm" })}
    >
      <IconReceipt size="1.5rem" stroke={1.75} aria-hidden="true" />
      <span className="spoken">{t("nav.paper")}</span>
      <bdi dir="ltr">{paper.replace("mm", " mm")}</bdi>
    </button>
  );
}
