import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CheckedForLive } from "../../../../server/contract/pos/till-environment.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { checkWords, type RemedyScreen, reasonOf, remedyOf } from "../check-words.ts";
import classes from "./going-live-screen.module.css";

export interface Remedies {
  readonly onScreen: (to: RemedyScreen) => void;
  readonly onGateway: () => void;
  readonly onRate: () => void;
}

interface CheckListProps extends Remedies {
  readonly checks: readonly CheckedForLive[];
}

const SCREEN_NAMES = {
  "/shift": "nav.shift",
  "/staff": "nav.staff",
  "/printing": "nav.printing",
} as const;

const KINDS = [
  { kind: "stops", Icon: IconCircleX },
  { kind: "warns", Icon: IconAlertTriangle },
  { kind: "passed", Icon: IconCircleCheck },
] as const;

type Kind = (typeof KINDS)[number]["kind"];

/** What stops the shop, what is good to know, and what is in order: each with what to do about it. */
export function CheckList({ checks, ...remedies }: CheckListProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return KINDS.map(({ kind, Icon }) => {
    const found = checks.filter((check) => kindOf(check) === kind);
    return found.length === 0 ? null : (
      <div key={kind} className={classes.group} data-kind={kind}>
        <h3 className={classes.kind}>
          {t(`goLive.checks.${kind}`, { number: format.number(found.length) })}
        </h3>
        <ul className={classes.checks}>
          {found.map((check) => (
            <li key={check.check} className={classes.check}>
              <Icon size="1.25rem" stroke={2} aria-hidden="true" className={classes.sign} />
              <div className={classes.words}>
                <p>{checkWords(check, t, format)}</p>
                {reasonOf(check) === "" ? null : (
                  <p className={classes.small} lang="en" dir="ltr">
                    {reasonOf(check)}
                  </p>
                )}
                <RemedyLine check={check} {...remedies} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function RemedyLine({
  check,
  onScreen,
  onGateway,
  onRate,
}: Remedies & { readonly check: CheckedForLive }) {
  const { t } = useTranslation();
  const remedy = remedyOf(check);
  switch (remedy?.kind) {
    case "command":
      return (
        <p className={classes.small}>
          {t("goLive.checks.command")}{" "}
          <code className={classes.command} dir="ltr">
            {remedy.command}
          </code>
        </p>
      );
    case "screen":
      return (
        <Button variant="default" onClick={() => onScreen(remedy.to)}>
          {t("goLive.checks.open", { screen: t(SCREEN_NAMES[remedy.to]) })}
        </Button>
      );
    case "gateway":
      return (
        <Button variant="default" onClick={onGateway}>
          {t("goLive.checks.open", { screen: t("office.live.views.gateway") })}
        </Button>
      );
    case "rate":
      return (
        <Button variant="default" onClick={onRate}>
          {t("goLive.checks.toRate")}
        </Button>
      );
    default:
      return null;
  }
}

function kindOf({ passed, stops }: CheckedForLive): Kind {
  if (passed) {
    return "passed";
  }
  return stops ? "stops" : "warns";
}
