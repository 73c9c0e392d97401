import { useForm } from "@mantine/form";
import type { SetupCurrencies } from "../../../server/contract/pos/setup.ts";
import type { Translate } from "../../lib/i18n.ts";
import { checkSetup, type SetupForm, type SetupProblem } from "./setup-rules.ts";

export type SetupFormApi = ReturnType<typeof useSetupForm>;

/** The first-run form. Its errors are keys of the locales, so that they follow the language. */
export function useSetupForm(currencies: SetupCurrencies | undefined, language: string) {
  return useForm<SetupForm>({
    initialValues: {
      shopName: "",
      currency: "",
      rate: "",
      language,
      ownerName: "",
      pin: "",
      pinAgain: "",
    },
    validate: (values) => checkSetup(values, currencies?.walletCurrency ?? ""),
  });
}

/** The form holds locale keys as its errors, so that they follow the language. */
export function problemText(problem: unknown, t: Translate): string | undefined {
  return typeof problem === "string" ? t(problem as SetupProblem) : undefined;
}
