import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./starting-screen.module.css";

/** A screen that failed to draw says so and opens again; the rest of the till goes on. */
export function CrashedScreen({ onAgain }: { readonly onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.screen} role="alert">
      <div className={classes.words}>
        <h1 className={classes.title}>{t("app.crashed.title")}</h1>
        <p>{t("app.crashed.body")}</p>
        <Button onClick={onAgain}>{t("app.crashed.again")}</Button>
      </div>
    </div>
  );
}
