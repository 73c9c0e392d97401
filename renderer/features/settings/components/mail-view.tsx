import { Button, Checkbox, NumberInput, PasswordInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AlertMail, MAILED_KINDS } from "../../../../server/contract/pos/alerts.ts";
import {
  type MailInput,
  type MailState,
  mailOperations,
} from "../../../../server/contract/pos/mail.ts";
import { LANGUAGES } from "../../../../server/contract/pos/setup.ts";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { LanguageField } from "../../../components/language-field.tsx";
import { ErrorNotice, Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { errorWords, faultsOf } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  alertMailQuery,
  mailQuery,
  mailServerQuery,
  useSaveAlertMail,
} from "../api/settings-queries.ts";

export function MailView() {
  const { t } = useTranslation();
  const mail = useQuery(mailQuery());
  // Loaded before the page is shown: otherwise, the recipients' form would push down the list of
  // mails.
  const recipients = useQuery(alertMailQuery());
  return (
    <>
      <p className="soft">{t("office.reports.mail.intro")}</p>
      <QueryTrouble query={mail} />
      {mail.data && !recipients.isPending ? (
        <>
          <ServerForm saved={mail.data.server} />
          {mail.data.server ? <TestForm from={mail.data.server.from} /> : null}
          <AlertMailForm />
          <SentList mails={mail.data.list} />
        </>
      ) : null}
    </>
  );
}

const SECURITY = ["TLS", "STARTTLS", "NONE"] as const;
const PORTS = { TLS: 465, STARTTLS: 587, NONE: 25 } as const;

function ServerForm({ saved }: { readonly saved: MailState["server"] }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [input, setInput] = useState<MailInput>({
    host: saved?.host ?? "",
    port: saved?.port ?? PORTS.TLS,
    security: saved?.security ?? "TLS",
    user: saved?.user ?? "",
    from: saved?.from ?? "",
  });
  const [password, setPassword] = useState("");
  const save = useMutation({
    mutationFn: () =>
      call(mailOperations.set, { body: { ...input, ...(password !== "" && { password }) } }),
    onSuccess: (state) => {
      setPassword("");
      queryClient.setQueryData(mailQuery().queryKey, state);
    },
  });
  const faults = faultsOf(save.error);
  const text = (name: "host" | "user" | "from") => ({
    label: t(`office.reports.mail.${name}`),
    value: input[name],
    error: faults[name],
    dir: "ltr",
    autoComplete: "off",
    spellCheck: false,
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setInput({ ...input, [name]: currentTarget.value }),
  });
  return (
    <Form className={classes.form} onSubmit={() => save.mutate()}>
      <div className={classes.pair}>
        <TextInput {...text("host")} />
        <SecurityAndPort input={input} fault={faults.port} onChange={setInput} />
        <TextInput {...text("user")} />
        <PasswordInput
          label={t("office.reports.mail.password")}
          description={saved?.hasPassword ? t("office.reports.mail.kept") : undefined}
          autoComplete="new-password"
          error={faults.password}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <TextInput {...text("from")} />
      </div>
      <FormEnd
        save={save}
        error={Object.keys(faults).length > 0 ? null : save.error}
        saved={t("office.reports.saved")}
        disabled={input.host.trim() === ""}
      >
        {t("office.reports.save")}
      </FormEnd>
    </Form>
  );
}

interface SecurityAndPortProps {
  readonly input: MailInput;
  readonly fault: string | undefined;
  readonly onChange: (input: MailInput) => void;
}

/** Choosing an encryption sets its usual port. */
function SecurityAndPort({ input, fault, onChange }: SecurityAndPortProps) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t("office.reports.mail.security")}
        data={SECURITY.map((value) => ({
          value,
          label: t(`office.reports.mail.with.${value}`),
        }))}
        value={input.security}
        onChange={(chosen) => {
          const security = SECURITY.find((known) => known === chosen);
          if (security) onChange({ ...input, security, port: PORTS[security] });
        }}
      />
      <NumberInput
        label={t("office.reports.mail.port")}
        min={1}
        max={65_535}
        hideControls
        value={input.port}
        error={fault}
        onChange={(value) => onChange({ ...input, port: Number(value) })}
      />
    </>
  );
}

function TestForm({ from }: { readonly from: string }) {
  const { t } = useTranslation();
  const [to, setTo] = useState(from);
  const test = useMutation({ mutationFn: () => call(mailOperations.test, { body: { to } }) });
  return (
    <Form className={classes.form} onSubmit={() => test.mutate()}>
      <TextInput
        label={t("office.reports.mail.testTo")}
        dir="ltr"
        value={to}
        error={faultsOf(test.error).to}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <Trouble error={faultsOf(test.error).to === undefined ? test.error : null} />
      {test.data ? (
        <Notice tone={test.data.isSent ? "info" : "bad"} loud>
          {test.data.isSent
            ? t("office.reports.mail.sent")
            : t("office.reports.mail.notSent", { reason: test.data.fault ?? "" })}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-3">
        <Button type="submit" variant="default" loading={test.isPending}>
          {t("office.reports.mail.test")}
        </Button>
      </div>
    </Form>
  );
}

function SentList({ mails }: { readonly mails: MailState["list"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <h2 className="size-label strong">{t("office.reports.mail.list")}</h2>
      {mails.length === 0 ? <p>{t("office.reports.mail.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.reports.mail.list")}>
        {mails.map(({ mailId, subject, recipients, state, createdAt, fault }) => (
          <li key={mailId} className={classes.row}>
            <span className={classes.who}>
              <bdi className="strong">{subject}</bdi>
              <span className="soft size-caption">
                <bdi dir="ltr">{recipients.join(", ")}</bdi> · {format.moment(createdAt)}
              </span>
              {fault === undefined ? null : <bdi className="soft size-caption">{fault}</bdi>}
            </span>
            <span>{t(`office.reports.mail.state.${state}`)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const MAX_RECIPIENTS = 10;

function AlertMailForm() {
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
    <Form className={classes.form} onSubmit={() => save.mutate({ list: [...list] })}>
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
    </Form>
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
        <LanguageField
          label={t("office.alerts.mail.language")}
          value={recipient.language}
          onChange={(language) => onChange({ ...recipient, language })}
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
