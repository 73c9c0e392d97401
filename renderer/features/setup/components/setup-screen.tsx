import { Button, TextInput } from "@mantine/core";
import { type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { backupOperations } from "../../../../server/contract/pos/backups.ts";
import { type SetupCurrencies, setupOperations } from "../../../../server/contract/pos/setup.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { RecoverySheet } from "../../../components/recovery-sheet.tsx";
import { call } from "../../../lib/api-client.ts";
import { showFirstSteps } from "../../../lib/first-steps.ts";
import { isLanguage } from "../../../lib/i18n.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { cleanRate } from "../../../lib/rate-rules.ts";
import { ShopTimeZoneContext } from "../../../lib/use-format.ts";
import { useTitle } from "../../../lib/use-title.ts";
import { confirmFirstKit, setUpShop } from "../api/setup-queries.ts";
import { type SetupForm, SHOP_FIELDS } from "../setup-rules.ts";
import { problemText, type SetupFormApi, useSetupForm } from "../use-setup-form.ts";
import { RestoreShop } from "./restore-shop.tsx";
import classes from "./setup-screen.module.css";
import { LanguageChoice, ShopFields } from "./shop-fields.tsx";

interface SetupScreenProps {
  readonly onDone: (session: PosSession) => void;
}

/** First run of a shop. At its end, the owner is signed in. */
export function SetupScreen({ onDone }: SetupScreenProps) {
  const { t, i18n } = useTranslation();
  useTitle(t("setup.title"));
  const currencies = useQuery({
    ...operationQuery(setupOperations.listCurrencies),
    staleTime: Number.POSITIVE_INFINITY,
  });
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
