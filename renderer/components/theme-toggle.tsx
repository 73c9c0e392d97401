import { useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { letGo } from "../lib/rest-focus.ts";
import classes from "./icon-button.module.css";

const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;
const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;

export function ThemeToggle() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = ICONS[colorScheme];
  const label = t("common.labelled", {
    label: t("app.theme.label"),
    value: t(`app.theme.${colorScheme}`),
  });
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      title={label}
      onClick={(event) => {
        letGo(event);
        setColorScheme(NEXT[colorScheme]);
      }}
    >
      <Icon size="1.25rem" aria-hidden="true" />
    </button>
  );
}
