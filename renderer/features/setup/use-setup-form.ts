import { useForm } from "@mantine/form";
import { useEffectEvent, useLayoutEffect } from "react";
import type { SetupCurrencies } from "../../../server/contract/pos/setup.ts";
import { gatewayNow } from "../../lib/gateway-clock.ts";
import type { Translate } from "../../lib/i18n.ts";
import { browserSurroundings, proposeShop } from "./proposals.ts";
import { checkSetup, proposedRate, type SetupForm, type SetupProblem } from "./setup-rules.ts";

export type SetupFormApi = ReturnType<typeof useSetupForm>;

/**
 * Returns the set-up form. Errors are text keys, so that their texts follow a change of language.
 */
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
  // The currencies arrive after the form. A currency that was already chosen is not replaced.
  const proposeCurrency = useEffectEvent(() => {
    const proposed = currencies?.list.find(({ currency }) => currency === proposal.currency);
    if (proposed && form.getValues().currency === "") {
      form.setValues({
        currency: proposed.currency,
        rate: proposedRate(currencies, proposed.currency, gatewayNow()),
      });
    }
  });
  // Before the first paint with the currencies, because the new fields would push down the buttons.
  useLayoutEffect(() => {
    if (currencies) {
      proposeCurrency();
    }
  }, [currencies]);
  return form;
}

/** Returns the text of an error, which is a text key. */
export function problemText(problem: unknown, t: Translate): string | undefined {
  return typeof problem === "string" ? t(problem as SetupProblem) : undefined;
}
