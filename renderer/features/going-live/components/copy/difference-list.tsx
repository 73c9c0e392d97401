import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  CopyResult,
  DifferenceKind,
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../../../../server/contract/pos/environment-copy.ts";
import { Notice } from "../../../../components/notice.tsx";
import { useFormat } from "../../../../lib/use-format.ts";
import { differenceSaying } from "../../difference-words.ts";
import classes from "./copy.module.css";
import { CopyDialog } from "./copy-dialog.tsx";
import { DifferenceLine } from "./difference-line.tsx";

/** What stands under one heading. */
const GROUPS = [
  { name: "rules", kinds: ["PRICE_RULE"] },
  { name: "prices", kinds: ["PRICE_SETTING"] },
  { name: "switches", kinds: ["SWITCH"] },
  { name: "pins", kinds: ["PINS"] },
  { name: "settings", kinds: ["WALLET_ALERT", "SENDING_AGAIN"] },
  { name: "webhooks", kinds: ["WEBHOOK"] },
  { name: "reports", kinds: ["SCHEDULE"] },
  { name: "customers", kinds: ["CUSTOMER"] },
] as const satisfies readonly { name: string; kinds: readonly DifferenceKind[] }[];

/** Every difference with a tick box, and one button for those that are ticked. */
export function DifferenceList({ differences }: { readonly differences: EnvironmentDifferences }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [ticks, setTicks] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<CopyResult>();
  const { list, to, hasCatalog } = differences;
  const saying = differenceSaying(differences, t, format);
  // What was ticked and is another by now is not ticked any more.
  const ticked = list.filter((one) => one.blocked === undefined && ticks.has(tickOf(one)));
  const tick = (one: EnvironmentDifference, isOn: boolean) => {
    const others = [...ticks].filter((name) => name !== tickOf(one));
    setTicks(new Set(isOn ? [...others, tickOf(one)] : others));
  };
  return (
    <>
      <div aria-live="polite" className={classes.section}>
        {done ? <Done result={done} /> : null}
        {list.length === 0 ? <Notice tone="info">{t("office.live.copy.none")}</Notice> : null}
      </div>
      {hasCatalog || list.length === 0 ? null : (
        <Notice tone="wait">{t(`office.live.copy.noCatalog.${to}`)}</Notice>
      )}
      {groupsOf(list).map(({ name, lines }) => (
        <section key={name} className={classes.group} aria-labelledby={`copy-${name}`}>
          <h3 id={`copy-${name}`} className={classes.name}>
            {t(`office.live.copy.group.${name}`)}
          </h3>
          {lines.length > 1 ? (
            <All lines={lines} ticked={ticked} name={name} onTick={setTicks} ticks={ticks} />
          ) : null}
          <ul className={classes.lines}>
            {lines.map((one) => (
              <DifferenceLine
                key={one.id}
                difference={one}
                differences={differences}
                saying={saying}
                isTicked={ticked.includes(one)}
                onTick={(isOn) => tick(one, isOn)}
              />
            ))}
          </ul>
        </section>
      ))}
      {list.length === 0 ? null : (
        <div className={classes.bar}>
          <span className={classes.soft}>
            {t("office.live.copy.ticked", { number: format.number(ticked.length) })}
          </span>
          <Button disabled={ticked.length === 0} onClick={() => setAsking(true)}>
            {t(`office.live.copy.copy.${to}`)}
          </Button>
        </div>
      )}
      {isAsking ? (
        <CopyDialog
          differences={differences}
          ticked={ticked}
          saying={saying}
          onClose={() => setAsking(false)}
          onDone={(result) => {
            setAsking(false);
            setTicks(new Set());
            setDone(result);
          }}
        />
      ) : null}
    </>
  );
}

function groupsOf(list: readonly EnvironmentDifference[]) {
  return GROUPS.map(({ name, kinds }) => ({
    name,
    lines: list.filter(({ kind }) => kinds.some((of) => of === kind)),
  })).filter(({ lines }) => lines.length > 0);
}

function tickOf({ id, stamp }: EnvironmentDifference): string {
  return `${id} ${stamp}`;
}

interface AllProps {
  readonly lines: readonly EnvironmentDifference[];
  readonly ticked: readonly EnvironmentDifference[];
  readonly name: (typeof GROUPS)[number]["name"];
  readonly ticks: ReadonlySet<string>;
  readonly onTick: (ticks: ReadonlySet<string>) => void;
}

/** Every line of a group at once, but those that cannot be copied. */
function All({ lines, ticked, name, ticks, onTick }: AllProps) {
  const { t } = useTranslation();
  const free = lines.filter(({ blocked }) => blocked === undefined);
  const count = free.filter((one) => ticked.includes(one)).length;
  const isAll = free.length > 0 && count === free.length;
  return (
    <Checkbox
      className={`${classes.choice} ${classes.all}`}
      label={t("office.live.copy.all")}
      aria-label={t("office.live.copy.allOf", { group: t(`office.live.copy.group.${name}`) })}
      disabled={free.length === 0}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={({ currentTarget }) => {
        const names = new Set(free.map(tickOf));
        const others = [...ticks].filter((one) => !names.has(one));
        onTick(new Set(currentTarget.checked ? [...others, ...names] : others));
      }}
    />
  );
}

/** What was done, and the secrets of new webhooks, this once. */
function Done({ result }: { readonly result: CopyResult }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Notice tone="info">
      {t("office.live.copy.done", { number: format.number(result.copied) })}
      {result.secrets.map(({ kind, url, secret }) => (
        <p key={`${kind} ${url}`}>
          {t("office.settings.hooks.once")}{" "}
          <span dir="ltr" className={classes.address}>
            {url}
          </span>
          <code className={classes.secret} dir="ltr" data-secret>
            {secret}
          </code>
        </p>
      ))}
    </Notice>
  );
}
