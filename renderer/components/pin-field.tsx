import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnreadKeys } from "../lib/key-edge.ts";
import { LONGEST_PIN } from "../lib/pin.ts";

export function PinField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const [isOwn, setOwn] = useState(false);
  const isUnread = useUnreadKeys() && isOwn;
  const { error, onFocus, onBlur, ...rest } = props;
  return (
    <PasswordInput
      inputMode="numeric"
      maxLength={LONGEST_PIN}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": t("common.showPin") }}
      {...rest}
      error={isUnread ? t("keyboard.unread") : error}
      onFocus={(event) => {
        setOwn(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setOwn(false);
        onBlur?.(event);
      }}
    />
  );
}
