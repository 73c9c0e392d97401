import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A PIN to be chosen: digits only, hidden until the clerk asks to see them. */
export function PinField(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      inputMode="numeric"
      maxLength={8}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": t("common.showPin") }}
      {...props}
    />
  );
}
