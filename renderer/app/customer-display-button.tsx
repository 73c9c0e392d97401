import { IconDeviceTv } from "@tabler/icons-react";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import classes from "../components/icon-button.module.css";
import { letGo } from "../lib/rest-focus.ts";
import { CustomerDisplayContext } from "./customer-display-context.ts";

/** Sets up the customer's display on this till. */
export function CustomerDisplayButton() {
  const { t } = useTranslation();
  const { openSettings } = useContext(CustomerDisplayContext);
  return (
    <button
      type="button"
      className={classes.button}
      onClick={(event) => {
        letGo(event);
        openSettings();
      }}
      aria-label={t("display.dialog.title")}
      title={t("display.dialog.title")}
    >
      <IconDeviceTv size="1.25rem" aria-hidden="true" />
    </button>
  );
}
