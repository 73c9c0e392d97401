import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "./announcer.ts";

export function useTitle(screen: string): void {
  const { t } = useTranslation();
  const name = t("app.name");
  useEffect(() => {
    document.title = `${screen} · ${name}`;
    announce(screen);
  }, [screen, name]);
}
