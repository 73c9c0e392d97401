import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnreadKeys } from "../lib/key-edge.ts";

export function PinField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const [isOwn, setOwn] = useState(false);
  const isUnread = useUnreadKeys() && isOwn;
  const { error, onFocus, onBlur, ...rest } = props;
  return (
    <PasswordInput
      inputMode="numeric"
      maxLength={8}
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
