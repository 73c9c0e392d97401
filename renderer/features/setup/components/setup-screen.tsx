import { Button, FileButton, Radio, Textarea, TextInput } from "@mantine/core";
import { type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundBackups, LookedAt } from "../../../../server/contract/pos/backups.ts";
import { backupOperations } from "../../../../server/contract/pos/backups.ts";
import type { SetupCurrencies } from "../../../../server/contract/pos/setup.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { Form } from "../../../components/form.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { RecoverySheet } from "../../../components/recovery-sheet.tsx";
import { call } from "../../../lib/api-client.ts";
import { showFirstSteps } from "../../../lib/first-steps.ts";
import { isLanguage } from "../../../lib/i18n.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { cleanRate } from "../../../lib/rate-rules.ts";
import { ShopTimeZoneContext, useFormat } from "../../../lib/use-format.ts";
import { useTitle } from "../../../lib/use-title.ts";
import {
  confirmFirstKit,
  lookAtBackup,
  restoreShop,
  setUpShop,
  setupCurrenciesQuery,
  uploadBackups,
} from "../api/setup-queries.ts";
import { type SetupForm, SHOP_FIELDS } from "../setup-rules.ts";
import { problemText, type SetupFormApi, useSetupForm } from "../use-setup-form.ts";
import classes from "./setup-screen.module.css";
import { LanguageChoice, ShopFields } from "./shop-fields.tsx";

const AGAIN_MS = 1_000;

interface SetupScreenProps {
  readonly onDone: (session: PosSession) => void;
}

/** First run of a shop. At its end, the owner is signed in. */
export function SetupScreen({ onDone }: SetupScreenProps) {
  const { t, i18n } = useTranslation();
  useTitle(t("setup.title"));
  const currencies = useQuery(setupCurrenciesQuery());
  const form = useSetupForm(currencies.data, i18n.language);
  const [isRestoring, setRestoring] = useState(false);
  const [session, setSession] = useState<PosSession>();
  const setUp = useMutation({ mutationFn: setUpShop, onSuccess: setSession });

  function begin(signedIn: PosSession) {
    showFirstSteps();
    onDone(signedIn);
  }

  function submit(values: SetupForm) {
    if (!isLanguage(values.language)) {
      return;
    }
    const needsRate = values.currency !== currencies.data?.walletCurrency;
    const ownerName = values.ownerName.trim() || t("setup.ownerDefault");
    setUp.mutate({
      shopName: values.shopName.trim(),
      currency: values.currency,
      timeZone: values.timeZone,
      ...(needsRate && { rate: cleanRate(values.rate) }),
      language: values.language,
      ownerName,
      ownerPin: values.pin,
    });
  }

  if (isRestoring) {
    return <RestoreShop onBack={() => setRestoring(false)} />;
  }
  if (session) {
    const { pin, shopName, timeZone } = form.getValues();
    return (
      <ShopTimeZoneContext value={timeZone}>
        <FirstKit pin={pin} shopName={shopName} onDone={() => begin(session)} />
      </ShopTimeZoneContext>
    );
  }
  return (
    <SetupSteps
      form={form}
      currencies={currencies}
      error={setUp.error}
      isPending={setUp.isPending}
      onSubmit={submit}
      onRestore={() => setRestoring(true)}
    />
  );
}

interface SetupStepsProps {
  readonly form: SetupFormApi;
  readonly currencies: UseQueryResult<SetupCurrencies>;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onSubmit: (values: SetupForm) => void;
  readonly onRestore: () => void;
}

/** The button to restore is above the fields, which may be longer than the window. */
function SetupSteps(props: SetupStepsProps) {
  const { form, currencies, error, isPending, onSubmit, onRestore } = props;
  const { t } = useTranslation();
  const [step, setStep] = useState<1 | 2>(1);

  function toOwner() {
    const faulty = SHOP_FIELDS.filter((field) => form.validateField(field).hasError);
    if (faulty.length > 0) {
      focusFirstProblem();
    } else {
      setStep(2);
    }
  }

  return (
    <main className="flex justify-center h-full overflow-y-auto pad-4">
      <form
        key={step}
        className={classes.form}
        noValidate
        aria-labelledby="setup-title"
        onSubmit={
          step === 1
            ? (event) => {
                event.preventDefault();
                toOwner();
              }
            : form.onSubmit(onSubmit, focusFirstProblem)
        }
      >
        <SetupHead step={step} title={t(step === 1 ? "setup.title" : "setup.owner")}>
          {step === 1 ? (
            <>
              <Button variant="subtle" onClick={onRestore}>
                {t("restore.open")}
              </Button>
              <LanguageChoice form={form} />
            </>
          ) : null}
        </SetupHead>
        {step === 1 ? (
          <ShopFields form={form} currencies={currencies.data} />
        ) : (
          <OwnerFields form={form} />
        )}
        <Trouble error={error} />
        <QueryTrouble query={currencies} />
        {/* The currencies add fields above, so the buttons are shown only after the currencies. */}
        {currencies.isPending ? null : (
          <>
            <div className="row wrap gap-3">
              <Button type="submit" h="4rem" loading={isPending} disabled={!currencies.data}>
                {t("setup.continue")}
              </Button>
              {step === 2 ? (
                <Button variant="subtle" onClick={() => setStep(1)}>
                  {t("setup.back")}
                </Button>
              ) : null}
            </div>
            <p className="span-all soft size-caption pretty">
              {t(step === 1 ? "setup.next" : "setup.nextKit")}
            </p>
          </>
        )}
      </form>
    </main>
  );
}

const STEPS = 3;

interface SetupHeadProps {
  readonly step: number;
  readonly title: string;
  readonly children?: ReactNode;
}

function SetupHead({ step, title, children }: SetupHeadProps) {
  const { t } = useTranslation();
  return (
    <header>
      <div className={classes.line}>
        <span className="size-label strong">{t("app.name")}</span>
        {children}
      </div>
      <p className="span-all soft size-caption pretty">
        {t("setup.step", { step, all: STEPS })}
        <progress className={classes.progress} max={STEPS} value={step} aria-hidden="true" />
      </p>
      <h1 id="setup-title" className={classes.title}>
        {title}
      </h1>
      <p className={classes.intro}>{t("setup.intro")}</p>
    </header>
  );
}

function focusFirstProblem() {
  setTimeout(() => document.querySelector<HTMLElement>("[aria-invalid='true']")?.focus());
}

interface FirstKitProps {
  readonly pin: string;
  readonly shopName: string;
  readonly onDone: () => void;
}

/**
 * Step that prints the first recovery kit. The owner can postpone it; an alert then reminds the
 * owner.
 */
function FirstKit({ pin, shopName, onDone }: FirstKitProps) {
  const { t } = useTranslation();
  const make = useMutation({
    mutationFn: () => call(backupOperations.makeKit, { body: { pin }, timeoutMs: 60_000 }),
  });
  const confirm = useMutation({ mutationFn: confirmFirstKit, onSuccess: onDone });
  const error = make.error ?? confirm.error;
  if (confirm.isPending || confirm.isSuccess) {
    // Hides the sheet at once; otherwise it would disappear while the person reads it.
    return <main className="flex justify-center h-full overflow-y-auto pad-4" aria-busy />;
  }
  return (
    <main className="flex justify-center h-full overflow-y-auto pad-4">
      <div className={classes.form}>
        <SetupHead step={STEPS} title={t("recovery.title")} />
        <p>{t("recovery.intro")}</p>
        {make.data ? <RecoverySheet kit={make.data} shopName={shopName} /> : null}
        <Trouble error={error} />
        {make.data ? (
          <>
            <Button key="stored" h="4rem" onClick={() => confirm.mutate(make.data)}>
              {t("recovery.stored")}
            </Button>
            <Button key="not-stored" variant="default" onClick={onDone}>
              {t("recovery.notStored")}
            </Button>
          </>
        ) : (
          <>
            <Button h="4rem" loading={make.isPending} onClick={() => make.mutate()}>
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

function OwnerFields({ form }: { readonly form: SetupFormApi }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t("setup.ownerName")}
        autoFocus
        placeholder={t("setup.ownerDefault")}
        maxLength={40}
        autoComplete="name"
        {...form.getInputProps("ownerName")}
      />
      <PinField
        label={t("setup.pin")}
        {...form.getInputProps("pin")}
        error={problemText(form.errors.pin, t)}
      />
      <PinField
        label={t("setup.pinAgain")}
        {...form.getInputProps("pinAgain")}
        error={problemText(form.errors.pinAgain, t)}
      />
      <p className="span-all soft size-caption pretty">{t("setup.pinHint")}</p>
    </>
  );
}

interface RestoreShopProps {
  readonly onBack: () => void;
}

/** Steps: choose a backup, enter the phrase, check the content, restore. */
function RestoreShop({ onBack }: RestoreShopProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState("");
  const [phrase, setPhrase] = useState("");
  const look = useMutation({ mutationFn: () => lookAtBackup({ file, phrase }) });
  const restore = useMutation({
    mutationFn: (acceptUnsigned: boolean) => restoreShop({ file, phrase, acceptUnsigned }),
  });
  const choose = (path: string) => {
    look.reset();
    setFile(path);
  };
  if (restore.data) {
    return <Restarting shopName={restore.data.shopName} />;
  }
  const error = look.error ?? restore.error;
  return (
    <main className="flex justify-center h-full overflow-y-auto pad-4">
      <Form className={classes.form} aria-labelledby="restore-title" onSubmit={() => look.mutate()}>
        <header>
          <p className="size-label strong">{t("app.name")}</p>
          <h1 id="restore-title" className={classes.title}>
            {t("restore.title")}
          </h1>
          <p className={classes.intro}>{t("restore.intro")}</p>
        </header>
        <ChooseBackup file={file} onChosen={choose} />
        <Textarea
          label={t("restore.phrase")}
          description={t("restore.phraseHint")}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          autosize
          minRows={2}
          value={phrase}
          onChange={({ currentTarget }) => {
            look.reset();
            setPhrase(currentTarget.value);
          }}
        />
        <Trouble error={error} />
        {look.data ? (
          <Found
            found={look.data}
            isPending={restore.isPending}
            onRestore={(acceptUnsigned) => restore.mutate(acceptUnsigned)}
          />
        ) : (
          <Button type="submit" h="4rem" loading={look.isPending} disabled={file === ""}>
            {t("restore.look")}
          </Button>
        )}
        <Button variant="default" onClick={onBack}>
          {t("restore.back")}
        </Button>
      </Form>
    </main>
  );
}

interface ChooseBackupProps {
  readonly file: string;
  readonly onChosen: (path: string) => void;
}

/** The backup is on a drive, in a typed folder, or in files chosen in the browser. */
function ChooseBackup({ file, onChosen }: ChooseBackupProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [folder, setFolder] = useState("");
  const find = useMutation({
    mutationFn: (path?: string) =>
      call(backupOperations.find, { body: path === undefined ? {} : { path } }),
  });
  const upload = useMutation({
    mutationFn: uploadBackups,
    onSuccess: ({ file: stored }) => onChosen(stored),
  });
  const { mutate } = find;
  useEffect(() => mutate(undefined), [mutate]);
  const error = find.error ?? upload.error;
  return (
    <fieldset className={classes.group}>
      <legend className="span-all size-label strong">{t("restore.where")}</legend>
      {find.data ? <BackupChoice list={find.data.list} file={file} onChosen={onChosen} /> : null}
      <TextInput
        className="span-all"
        label={t("restore.folder")}
        placeholder="/media/stick"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={folder}
        onChange={({ currentTarget }) => setFolder(currentTarget.value)}
      />
      <Button
        variant="default"
        loading={find.isPending}
        onClick={() => find.mutate(folder.trim() || undefined)}
      >
        {t("restore.find")}
      </Button>
      <FileButton multiple onChange={(chosen) => chosen.length > 0 && upload.mutate(chosen)}>
        {(props) => (
          <Button {...props} variant="default" loading={upload.isPending}>
            {upload.data
              ? t("restore.chosen", { size: format.number(Math.ceil(upload.data.bytes / 1e6)) })
              : t("restore.file")}
          </Button>
        )}
      </FileButton>
      <Trouble error={error} />
    </fieldset>
  );
}

interface BackupChoiceProps extends ChooseBackupProps {
  readonly list: FoundBackups["list"];
}

function BackupChoice({ list, file, onChosen }: BackupChoiceProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (list.length === 0) {
    return <p className="span-all">{t("restore.noneFound")}</p>;
  }
  return (
    <Radio.Group className="span-all" label={t("restore.found")} value={file} onChange={onChosen}>
      {list.map((backup) => (
        <Radio
          key={backup.file}
          value={backup.file}
          label={format.moment(backup.takenAt)}
          description={<bdi dir="ltr">{backup.file}</bdi>}
        />
      ))}
    </Radio.Group>
  );
}

interface FoundProps {
  readonly found: LookedAt;
  readonly isPending: boolean;
  readonly onRestore: (acceptUnsigned: boolean) => void;
}

/** Shows the content of the backup before any data is replaced. */
function Found({ found, isPending, onRestore }: FoundProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { about, shopName, isUnsigned, problems, view } = found;
  if (problems.length > 0) {
    return (
      <Notice tone="bad" loud>
        {t("restore.bad")} <span lang="en">{problems.join("; ")}</span>
      </Notice>
    );
  }
  return (
    <>
      <section aria-label={t("restore.inside")}>
        <h2 className="span-all size-label strong">{shopName}</h2>
        {about ? (
          <p>
            {t("restore.about", {
              time: format.moment(about.takenAt),
              environment: t(about.environment === "live" ? "restore.live" : "restore.test"),
            })}
          </p>
        ) : null}
        {view ? <p>{t("restore.sales", { number: format.number(view.sales) })}</p> : null}
      </section>
      {isUnsigned ? (
        <Notice tone="stop" loud>
          {t("restore.unsigned")}
        </Notice>
      ) : null}
      <Button h="4rem" loading={isPending} onClick={() => onRestore(isUnsigned)}>
        {t(isUnsigned ? "restore.doUnsigned" : "restore.do", { name: shopName })}
      </Button>
    </>
  );
}

/** Waits until the restored shop runs, and then opens its sign-in screen. */
function Restarting({ shopName }: { readonly shopName: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...statusQuery(), refetchInterval: AGAIN_MS, retry: false });
  const isThere = data?.setUp === true;
  useEffect(() => {
    if (isThere) {
      window.location.reload();
    }
  }, [isThere]);
  return (
    <main className="flex justify-center h-full overflow-y-auto pad-4">
      <p className={classes.title} role="status">
        {t("restore.opening", { name: shopName })}
      </p>
    </main>
  );
}
