import { CloseButton } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Notice } from "../components/notice.tsx";
import { sessionQuery } from "../lib/pos-queries.ts";
import shell from "./shell.module.css";
import classes from "./sign-in-notices.module.css";

export function SignInNotices({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { notices } = session;
  if (!notices) {
    return null;
  }
  const { wrongPins, weakPin, wrongPinsOf = [] } = notices;

  function close() {
    const { notices: _, ...rest } = session;
    queryClient.setQueryData(sessionQuery().queryKey, rest);
  }

  return (
    <div className={shell.notice}>
      <Notice tone="wait" loud>
        <div className="row gap-3">
          <div>
            {wrongPins === undefined ? null : (
              <p className={classes.line}>{t("signIn.wrongPins", { count: wrongPins })}</p>
            )}
            {wrongPinsOf.map(({ name, count }) => (
              <p key={name} className={classes.line}>
                {t("signIn.wrongPinsOf", { name, count })}
              </p>
            ))}
            {weakPin ? <p className={classes.line}>{t(`signIn.weakPin.${weakPin}`)}</p> : null}
          </div>
          <CloseButton
            className={classes.close}
            size="var(--touch)"
            iconSize="1.25rem"
            aria-label={t("common.close")}
            onClick={close}
          />
        </div>
      </Notice>
    </div>
  );
}
