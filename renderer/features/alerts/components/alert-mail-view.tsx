import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AlertMail, MAILED_KINDS } from "../../../../server/contract/pos/alerts.ts";
import { LANGUAGES } from "../../../../server/contract/pos/setup.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { alertMailQuery, mailServerQuery, useSaveAlertMail } from "../api/alert-queries.ts";
import classes from "./alerts-screen.module.css";
import { type Recipient, RecipientFields } from "./recipient-fields.tsx";

const MOST_RECIPIENTS = 10;

/** Who gets which alerts by mail. */
export function AlertMailView({ onServer }: { readonly onServer: () => void }) {
  const { t } = useTranslation();
  const saved = useQuery(alertMailQuery());
  const hasServer = useQuery(mailServerQuery());
  return (
    <div className={classes.view}>
      <p className={classes.hint}>{t("office.alerts.mail.intro")}</p>
      <QueryTrouble query={saved} />
      {hasServer.data === false ? (
        <>
          <Notice tone="wait">{t("office.alerts.mail.noServer")}</Notice>
          <div className={classes.buttons}>
            <Button variant="default" onClick={onServer}>
              {t("office.alerts.mail.toServer")}
            </Button>
          </div>
        </>
      ) : null}
      {saved.data ? <MailForm saved={saved.data} /> : null}
    </div>
  );
}

function MailForm({ saved }: { readonly saved: AlertMail }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [list, setList] = useState<readonly Recipient[]>(saved.list);
  const save = useSaveAlertMail();
  const faults = save.error instanceof ApiError ? save.error.fields : {};
  const isNamed = Object.keys(faults).length > 0;
  const change = (next: readonly Recipient[]) => {
    save.reset();
    setList(next);
  };
  const language =
    saved.list.at(-1)?.language ?? LANGUAGES.find((known) => known === i18n.language) ?? "en";
  return (
    <form
      className={classes.group}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ list: [...list] });
      }}
    >
      {list.length === 0 ? <p>{t("office.alerts.mail.none")}</p> : null}
      {list.map((recipient, index) => (
        <RecipientFields
          // biome-ignore lint/suspicious/noArrayIndexKey: what is typed is all that tells them apart.
          key={index}
          number={index + 1}
          recipient={recipient}
          faults={{
            address: faults[`list.${index}.address`],
            kinds: faults[`list.${index}.kinds`],
          }}
          onChange={(changed) => change(list.with(index, changed))}
          onRemove={() => change(list.toSpliced(index, 1))}
        />
      ))}
      {save.error && !isNamed ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
      {save.isSuccess ? <Notice tone="info">{t("office.alerts.mail.saved")}</Notice> : null}
      <div className={classes.end}>
        <Button
          variant="default"
          disabled={list.length >= MOST_RECIPIENTS}
          onClick={() => change([...list, { address: "", language, kinds: [...MAILED_KINDS] }])}
        >
          {t("office.alerts.mail.add")}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t("office.alerts.mail.save")}
        </Button>
      </div>
    </form>
  );
}
