import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readDisplayCode } from "../display-code.ts";
import classes from "./customer-display.module.css";

/** Asks which till this screen belongs to. */
export function CodeEntry() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  return (
    <main className={classes.quiet}>
      <h1 className={classes.shop}>{t("display.entry.title")}</h1>
      <p className={classes.calm}>{t("display.entry.where")}</p>
      <form
        className={classes.entry}
        onSubmit={(event) => {
          event.preventDefault();
          const code = readDisplayCode(typed);
          setWrong(!code);
          if (code) {
            location.hash = code;
          }
        }}
      >
        <TextInput
          size="xl"
          autoFocus
          autoComplete="off"
          spellCheck={false}
          label={t("display.entry.code")}
          placeholder="K7QF 29XM"
          dir="ltr"
          value={typed}
          error={isWrong ? t("display.entry.wrong") : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" size="xl">
          {t("display.entry.show")}
        </Button>
      </form>
    </main>
  );
}
