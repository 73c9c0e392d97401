import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AlertMail, MAILED_KINDS } from "../../../../server/contract/pos/alerts.ts";
import { LANGUAGES } from "../../../../server/contract/pos/setup.ts";
import classes from "../../../components/form-page.module.css";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { LANGUAGE_NAMES } from "../../../lib/i18n.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { alertMailQuery, mailServerQuery, useSaveAlertMail } from "../api/settings-queries.ts";

const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

const MAX_RECIPIENTS = 10;

export function AlertMailForm() {
  const { t } = useTranslation();
  const saved = useQuery(alertMailQuery());
  const hasServer = useQuery(mailServerQuery());
  return (
    <section className={classes.form} aria-labelledby="alert-mail">
      <h3 id="alert-mail" className="strong">
        {t("office.alerts.mail.title")}
      </h3>
      <p className="soft">{t("office.alerts.mail.intro")}</p>
      <QueryTrouble query={saved} />
      {hasServer.data === false ? (
        <Notice tone="wait">{t("office.alerts.mail.noServer")}</Notice>
      ) : null}
      {saved.data ? <MailForm saved={saved.data} /> : null}
    </section>
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
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ list: [...list] });
      }}
    >
      {list.length === 0 ? <p>{t("office.alerts.mail.none")}</p> : null}
      {list.map((recipient, index) => (
        <RecipientFields
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their content changes while it is typed.
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
      <div className="flex justify-end gap-3">
        <Button
          variant="default"
          disabled={list.length >= MAX_RECIPIENTS}
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

type Recipient = AlertMail["list"][number];

interface RecipientFieldsProps {
  readonly number: number;
  readonly recipient: Recipient;
  readonly faults: { readonly address: string | undefined; readonly kinds: string | undefined };
  readonly onChange: (recipient: Recipient) => void;
  readonly onRemove: () => void;
}

function RecipientFields(props: RecipientFieldsProps) {
  const { number, recipient, faults, onChange, onRemove } = props;
  const { t } = useTranslation();
  const chosen = (kinds: readonly string[]) =>
    onChange({ ...recipient, kinds: MAILED_KINDS.filter((kind) => kinds.includes(kind)) });
  return (
    <fieldset className={classes.row}>
      <legend className="soft size-caption">{t("office.alerts.mail.recipient", { number })}</legend>
      <div className={classes.pair}>
        <TextInput
          label={t("office.alerts.mail.address")}
          type="email"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={recipient.address}
          error={faults.address}
          onChange={({ currentTarget }) =>
            onChange({ ...recipient, address: currentTarget.value.trim() })
          }
        />
        <Select
          label={t("office.alerts.mail.language")}
          data={LANGUAGE_CHOICES}
          allowDeselect={false}
          value={recipient.language}
          onChange={(value) => {
            const language = LANGUAGES.find((known) => known === value);
            if (language) onChange({ ...recipient, language });
          }}
        />
      </div>
      <Checkbox.Group
        label={t("office.alerts.mail.kinds")}
        value={[...recipient.kinds]}
        error={faults.kinds}
        onChange={chosen}
      >
        <div className={classes.kinds}>
          {MAILED_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              className="tick"
              value={kind}
              label={t(`office.alerts.kind.${kind}`)}
            />
          ))}
        </div>
      </Checkbox.Group>
      <div className="flex wrap gap-3">
        <Button variant="danger" onClick={onRemove}>
          {t("office.alerts.mail.remove", { number })}
        </Button>
      </div>
    </fieldset>
  );
}
