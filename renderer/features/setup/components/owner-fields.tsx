import { PasswordInput, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { problemText, type SetupFormApi } from "../use-setup-form.ts";
import classes from "./setup-screen.module.css";

/** Who owns the shop, and the PIN only they know. */
export function OwnerFields({ form }: { readonly form: SetupFormApi }) {
  const { t } = useTranslation();
  const pinProps = { inputMode: "numeric", maxLength: 8, autoComplete: "new-password" } as const;
  return (
    <section className={`${classes.group} ${classes.three}`} aria-labelledby="setup-owner">
      <h2 id="setup-owner" className={classes.legend}>
        {t("setup.owner")}
      </h2>
      <TextInput
        label={t("setup.ownerName")}
        placeholder={t("setup.ownerDefault")}
        maxLength={40}
        autoComplete="name"
        {...form.getInputProps("ownerName")}
      />
      <PasswordInput
        label={t("setup.pin")}
        {...pinProps}
        {...form.getInputProps("pin")}
        error={problemText(form.errors.pin, t)}
      />
      <PasswordInput
        label={t("setup.pinAgain")}
        {...pinProps}
        {...form.getInputProps("pinAgain")}
        error={problemText(form.errors.pinAgain, t)}
      />
      <p className={classes.hint}>{t("setup.pinHint")}</p>
    </section>
  );
}
