import { IconCheck, IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { displayOperations } from "../../../../server/contract/pos/display-operations.ts";
import type { NumberAsk, Said } from "../../../../server/contract/pos/displays.ts";
import { BrandFace } from "../../../components/brand-face.tsx";
import { Flag } from "../../../components/flag.tsx";
import { call } from "../../../lib/api-client.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./number-question.module.css";

interface NumberQuestionProps {
  readonly code: string;
  readonly ask: NumberAsk;
}

/** Asks the customer whether the number is theirs, before it is paid. */
export function NumberQuestion({ code, ask }: NumberQuestionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { transactionId, number, formatted, country, brandName, brandColor, glyph, logo } = ask;
  const answer = useMutation({
    mutationFn: (said: Said) =>
      call(displayOperations.answer, {
        params: { code },
        body: { transactionId, number, said },
      }),
  });
  const isSaid = answer.isPending || answer.data?.taken === true;
  return (
    <main className={classes.question}>
      <h1 className={classes.title}>{t("display.ask.title")}</h1>
      <p className={classes.number}>
        <bdi dir="ltr">{formatted}</bdi>
      </p>
      <p className={classes.facts}>
        <BrandFace
          brand=""
          name={brandName}
          color={brandColor}
          facts={glyph && { glyph, ...(logo && { logo }) }}
          size="large"
        />
        {country ? <Flag country={country} /> : null}
        <span>{[brandName, country && format.country(country)].filter(Boolean).join(" · ")}</span>
      </p>
      <p className={classes.said} role="status">
        {saidWords()}
      </p>
      <div className={classes.buttons}>
        <button
          type="button"
          className={classes.no}
          disabled={isSaid}
          onClick={() => answer.mutate("NO")}
        >
          <IconX size="1.2em" aria-hidden="true" /> {t("display.ask.no")}
        </button>
        <button
          type="button"
          className={classes.yes}
          disabled={isSaid}
          onClick={() => answer.mutate("YES")}
        >
          <IconCheck size="1.2em" aria-hidden="true" /> {t("display.ask.yes")}
        </button>
      </div>
    </main>
  );

  function saidWords(): string {
    if (answer.isError || answer.data?.taken === false) {
      return t("display.ask.failed");
    }
    return isSaid ? t("display.ask.said") : "";
  }
}
