import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PinField } from "../../../components/pin-field.tsx";
import { problemText, type SetupFormApi } from "../use-setup-form.ts";
import classes from "./setup-screen.module.css";

/** Who owns the shop, and the PIN only they know. */
export function OwnerFields({ form }: { readonly form: SetupFormApi }) {
  const { t } = useTranslation();
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
      <p className={classes.hint}>{t("setup.pinHint")}</p>
    </section>
  );
}
