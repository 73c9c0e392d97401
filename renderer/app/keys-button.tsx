import { IconKeyboard } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import iconClasses from "../components/icon-button.module.css";
import { letGo } from "../lib/rest-focus.ts";
import classes from "./keys-dialog.module.css";

/** Opens the dialog that says which keys act. */
export function KeysButton({ onPress }: { readonly onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={`${iconClasses.button} ${classes.button}`}
      aria-label={t("keys.title")}
      title={t("keys.title")}
      onClick={(event) => {
        letGo(event);
        onPress();
      }}
    >
      <IconKeyboard size="1.25rem" aria-hidden="true" />
    </button>
  );
}
