import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { showFirstSteps } from "../../../lib/first-steps.ts";
import { isLanguage } from "../../../lib/i18n.ts";
import { cleanRate } from "../../../lib/rate-rules.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useTitle } from "../../../lib/use-title.ts";
import { setUpShop, setupCurrenciesQuery } from "../api/setup-queries.ts";
import type { SetupForm } from "../setup-rules.ts";
import { useSetupForm } from "../use-setup-form.ts";
import { FirstKit } from "./first-kit.tsx";
import { OwnerFields } from "./owner-fields.tsx";
import { RestoreShop } from "./restore-shop.tsx";
import classes from "./setup-screen.module.css";
import { ShopFields } from "./shop-fields.tsx";

interface SetupScreenProps {
  readonly onDone: (session: PosSession) => void;
}

/** The first run: the answers a till cannot sell without. Lands signed in. */
export function SetupScreen({ onDone }: SetupScreenProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
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
    const { pin, shopName } = form.getValues();
    return <FirstKit pin={pin} shopName={shopName} onDone={() => begin(session)} />;
  }
  return (
    <main className={classes.screen}>
      <form
        className={classes.form}
        noValidate
        aria-labelledby="setup-title"
        onSubmit={form.onSubmit(submit, focusFirstProblem)}
      >
        <header className={classes.head}>
          <p className={classes.product}>{t("app.name")}</p>
          <h1 id="setup-title" className={classes.title}>
            {t("setup.title")}
          </h1>
          <p className={classes.intro}>{t("setup.intro")}</p>
        </header>
        <ShopFields form={form} currencies={currencies.data} />
        <OwnerFields form={form} />
        {setUp.error ? <ErrorNotice words={errorWords(setUp.error, t, format)} /> : null}
        <QueryTrouble query={currencies} />
        <Button type="submit" h="3.5rem" loading={setUp.isPending} disabled={!currencies.data}>
          {t("setup.submit")}
        </Button>
        <Button variant="default" onClick={() => setRestoring(true)}>
          {t("restore.open")}
        </Button>
      </form>
    </main>
  );
}

function focusFirstProblem() {
  setTimeout(() => document.querySelector<HTMLElement>("[aria-invalid='true']")?.focus());
}
