import { Checkbox } from "@mantine/core";
import type {
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../../../../server/contract/pos/environment-copy.ts";
import { type DifferenceSaying, namesOf, sideOf, titleOf } from "../../difference-words.ts";
import classes from "./copy.module.css";

interface DifferenceLineProps {
  readonly difference: EnvironmentDifference;
  readonly differences: EnvironmentDifferences;
  readonly saying: DifferenceSaying;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}

/** One difference: how it is on either side, and what copying it would do. */
export function DifferenceLine(props: DifferenceLineProps) {
  const { difference, differences, saying, isTicked, onTick } = props;
  const { t } = saying;
  const { from, to } = differences;
  const title = titleOf(difference, saying);
  return (
    <li className={classes.line} data-blocked={difference.blocked !== undefined}>
      <Checkbox
        className={classes.choice ?? ""}
        label={
          <strong dir="auto" className={classes.title}>
            {title}
          </strong>
        }
        aria-label={t("office.live.copy.tick", { what: title })}
        disabled={difference.blocked !== undefined}
        checked={isTicked}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      />
      <div className={classes.words}>
        <dl className={classes.sides}>
          {(["from", "to"] as const).map((side) => (
            <div key={side}>
              <dt>{t(`office.settings.env.${side === "from" ? from : to}`)}</dt>
              <dd dir="auto">
                {sideOf(difference, side, saying) ?? (
                  <span className={classes.soft}>{t("office.live.copy.nothing")}</span>
                )}
              </dd>
            </div>
          ))}
        </dl>
        <Notes difference={difference} to={to} saying={saying} />
      </div>
    </li>
  );
}

interface NotesProps extends Pick<DifferenceLineProps, "difference" | "saying"> {
  readonly to: EnvironmentDifferences["to"];
}

function Notes({ difference, to, saying }: NotesProps) {
  const { t, format } = saying;
  const { blocked, missing, offers, kind } = difference;
  const removes = isRemoved(difference);
  const notes = [
    ...(removes ? [t(`office.live.copy.removes.${to}`)] : []),
    ...(missing.length > 0 && blocked === undefined
      ? [t(`office.live.copy.missing.${to}`, { offers: namesOf(missing, saying) })]
      : []),
    ...(kind === "SWITCH" && offers !== undefined && blocked === undefined
      ? [t(`office.live.copy.offers.${to}`, { number: format.number(offers) })]
      : []),
    ...(kind === "WEBHOOK" && blocked === undefined ? [t("office.live.copy.probed")] : []),
  ];
  return (
    <>
      {blocked === undefined ? null : (
        <p className={classes.blocked}>{t(`office.live.copy.blocked.${blocked}_${to}`)}</p>
      )}
      {notes.map((note) => (
        <p key={note} className={classes.soft}>
          {note}
        </p>
      ))}
    </>
  );
}

/** Whether copying it takes something away on the other side. */
function isRemoved({ rule, shown }: EnvironmentDifference): boolean {
  return (rule !== undefined && !rule.from) || (shown !== undefined && shown.from === undefined);
}
