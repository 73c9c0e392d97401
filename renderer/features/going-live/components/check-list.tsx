import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CheckedForLive } from "../../../../server/contract/pos/till-environment.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { checkWords, reasonOf } from "../check-words.ts";
import classes from "./going-live-screen.module.css";
import { type Remedies, RemedyButtons } from "./remedy-buttons.tsx";

interface CheckListProps extends Remedies {
  readonly checks: readonly CheckedForLive[];
}

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
                <RemedyButtons check={check} {...remedies} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function kindOf({ passed, stops }: CheckedForLive): Kind {
  if (passed) {
    return "passed";
  }
  return stops ? "stops" : "warns";
}
