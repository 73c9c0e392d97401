import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/notice.tsx";
import { RecoverySheet } from "../../../components/recovery-sheet.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { makeFirstKit } from "../api/setup-queries.ts";
import classes from "./setup-screen.module.css";

interface FirstKitProps {
  /** The owner's, as it was just chosen. */
  readonly pin: string;
  readonly shopName: string;
  readonly onDone: () => void;
}

/** The last step of the first run: the recovery sheet. It can be postponed; an alert reminds of it. */
export function FirstKit({ pin, shopName, onDone }: FirstKitProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const make = useMutation({ mutationFn: () => makeFirstKit(pin) });
  return (
    <main className={classes.screen}>
      <div className={classes.form}>
        <h1 className={classes.title}>{t("recovery.title")}</h1>
        <p className={classes.intro}>{t("recovery.intro")}</p>
        {make.data ? <RecoverySheet kit={make.data} shopName={shopName} /> : null}
        {make.error ? <ErrorNotice words={errorWords(make.error, t, format)} /> : null}
        {make.data ? (
          <Button h="3.5rem" onClick={onDone}>
            {t("recovery.stored")}
          </Button>
        ) : (
          <>
            <Button h="3.5rem" loading={make.isPending} onClick={() => make.mutate()}>
              {t("recovery.make")}
            </Button>
            <Button variant="default" onClick={onDone}>
              {t("recovery.later")}
            </Button>
          </>
        )}
      </div>
    </main>
  );
}
