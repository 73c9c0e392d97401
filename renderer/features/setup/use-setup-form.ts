import { useForm } from "@mantine/form";
import { useEffectEvent, useLayoutEffect } from "react";
import type { SetupCurrencies } from "../../../server/contract/pos/setup.ts";
import { gatewayNow } from "../../lib/gateway-clock.ts";
import type { Translate } from "../../lib/i18n.ts";
import { browserSurroundings, proposeShop } from "./proposals.ts";
import { checkSetup, proposedRate, type SetupForm, type SetupProblem } from "./setup-rules.ts";

export type SetupFormApi = ReturnType<typeof useSetupForm>;

/** The first-run form. Its errors are keys of the locales, so that they follow the language. */
export function useSetupForm(currencies: SetupCurrencies | undefined, language: string) {
  const proposal = proposeShop(
    browserSurroundings(),
    (currencies?.list ?? []).map(({ currency }) => currency),
  );
  const form = useForm<SetupForm>({
    initialValues: {
      shopName: "",
      country: proposal.country,
      currency: "",
      rate: "",
      timeZone: proposal.timeZone,
      language,
      ownerName: "",
      pin: "",
      pinAgain: "",
    },
    validate: (values) => checkSetup(values, currencies?.walletCurrency ?? ""),
  });
  // The currencies come after the form: a proposal is made only where none was chosen.
  const proposeCurrency = useEffectEvent(() => {
    const proposed = currencies?.list.find(({ currency }) => currency === proposal.currency);
    if (proposed && form.getValues().currency === "") {
      form.setValues({
        currency: proposed.currency,
        rate: proposedRate(currencies, proposed.currency, gatewayNow()),
      });
    }
  });
  // Before the page is drawn with the currencies: the terms would push the buttons down a moment later.
  useLayoutEffect(() => {
    if (currencies) {
      proposeCurrency();
    }
  }, [currencies]);
  return form;
}

/** The form holds locale keys as its errors, so that they follow the language. */
export function problemText(problem: unknown, t: Translate): string | undefined {
  return typeof problem === "string" ? t(problem as SetupProblem) : undefined;
}
