import { Button, Checkbox, SegmentedControl, Skeleton } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../../server/contract/common.ts";
import {
  type CopyResult,
  type DifferenceKind,
  type EnvironmentDifference,
  type EnvironmentDifferences,
  environmentCopyOperations,
} from "../../../../../server/contract/pos/environment-copy.ts";
import { Dialog } from "../../../../components/dialog/dialog.tsx";
import { Notice, Trouble } from "../../../../components/notice.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { ApiError, call } from "../../../../lib/api-client.ts";
import { operationQuery } from "../../../../lib/operation-query.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import {
  type DifferenceSaying,
  differenceSaying,
  namesOf,
  sideOf,
  titleOf,
} from "../../difference-words.ts";
import classes from "./copy.module.css";

/** Long, because the gateway tests webhooks before it copies them. */
const COPY_TIMEOUT_MS = 60_000;

/** The differences are never cached. */
function differencesQuery(from: Environment) {
  return operationQuery(environmentCopyOperations.list, { query: { from } });
}

function copyDifferences(
  from: Environment,
  ticked: readonly EnvironmentDifference[],
): Promise<CopyResult> {
  const items = ticked.map(({ id, stamp }) => ({ id, stamp }));
  return call(environmentCopyOperations.copy, {
    body: { from, items },
    timeoutMs: COPY_TIMEOUT_MS,
  });
}

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

const WAYS = ["test", "live"] as const satisfies readonly Environment[];

export function CopyView() {
  const { t } = useTranslation();
  const [from, setFrom] = useState<Environment>("test");
  const differences = useQuery(differencesQuery(from));
  return (
    <>
      <dl className={classes.parts}>
        <div>
          <dt className="size-body strong">{t("office.live.copy.same")}</dt>
          <dd className="soft">{t("office.live.copy.sameWhat")}</dd>
        </div>
        <div>
          <dt className="size-body strong">{t("office.live.copy.apart")}</dt>
          <dd className="soft">{t("office.live.copy.apartWhat")}</dd>
        </div>
      </dl>
      <section className="part stack gap-3 hide-empty" aria-labelledby="live-differences">
        <div className={classes.head}>
          <h2 id="live-differences" className="size-label">
            {t("office.live.copy.title")}
          </h2>
          <SegmentedControl<Environment>
            classNames={{ root: classes.way ?? "", label: classes.wayName ?? "" }}
            aria-label={t("office.live.copy.way")}
            data={WAYS.map((value) => ({ value, label: t(`office.live.copy.from.${value}`) }))}
            value={from}
            onChange={setFrom}
          />
        </div>
        <QueryTrouble query={differences} />
        {differences.isPending && !troubleOf(differences) ? (
          <div role="status" aria-busy="true" aria-label={t("common.loading")}>
            <Skeleton height="3.5rem" radius="md" />
          </div>
        ) : null}
        {differences.data ? (
          <DifferenceList key={differences.data.from} differences={differences.data} />
        ) : null}
      </section>
    </>
  );
}

function DifferenceList({ differences }: { readonly differences: EnvironmentDifferences }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [ticks, setTicks] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<CopyResult>();
  const { list, to, hasCatalog } = differences;
  const saying = differenceSaying(differences, t, format);
  // A tick is dropped if its difference has changed since.
  const ticked = list.filter((one) => one.blocked === undefined && ticks.has(tickOf(one)));
  const tick = (one: EnvironmentDifference, isOn: boolean) => {
    const others = [...ticks].filter((name) => name !== tickOf(one));
    setTicks(new Set(isOn ? [...others, tickOf(one)] : others));
  };
  return (
    <>
      <div aria-live="polite" className="stack gap-3 hide-empty">
        {done ? <Done result={done} /> : null}
        {list.length === 0 ? <Notice tone="info">{t("office.live.copy.none")}</Notice> : null}
      </div>
      {hasCatalog || list.length === 0 ? null : (
        <Notice tone="wait">{t(`office.live.copy.noCatalog.${to}`)}</Notice>
      )}
      {groupsOf(list).map(({ name, lines }) => (
        // Lists are shorter after a copy. A new key replaces them, so that none is shifted.
        <section
          key={`${name} ${list.length}`}
          className="stack gap-3"
          aria-labelledby={`copy-${name}`}
        >
          <h3 id={`copy-${name}`} className="size-body">
            {t(`office.live.copy.group.${name}`)}
          </h3>
          {lines.length > 1 ? (
            <All lines={lines} ticked={ticked} name={name} onTick={setTicks} ticks={ticks} />
          ) : null}
          <ul className="stack gap-2">
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
        <CopyBar to={to} ticked={ticked.length} onCopy={() => setAsking(true)} />
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

function CopyBar({
  to,
  ticked,
  onCopy,
}: {
  readonly to: EnvironmentDifferences["to"];
  readonly ticked: number;
  readonly onCopy: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={classes.bar}>
      <span className="soft">
        {t("office.live.copy.ticked", { number: format.number(ticked) })}
      </span>
      <Button disabled={ticked === 0} onClick={onCopy}>
        {t(`office.live.copy.copy.${to}`)}
      </Button>
    </div>
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

function All({ lines, ticked, name, ticks, onTick }: AllProps) {
  const { t } = useTranslation();
  const free = lines.filter(({ blocked }) => blocked === undefined);
  const count = free.filter((one) => ticked.includes(one)).length;
  const isAll = free.length > 0 && count === free.length;
  return (
    <Checkbox
      className={`tick ${classes.all}`}
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

/** The secrets of new webhooks are shown only once. */
function Done({ result }: { readonly result: CopyResult }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Notice tone="info">
      {t("office.live.copy.done", { number: format.number(result.copied) })}
      {result.secrets.map(({ url, secret }) => (
        <p key={secret}>
          {t("office.settings.hooks.once")}{" "}
          <span dir="ltr" className="break-anywhere">
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

interface CopyDialogProps {
  readonly differences: EnvironmentDifferences;
  readonly ticked: readonly EnvironmentDifference[];
  readonly saying: DifferenceSaying;
  readonly onClose: () => void;
  readonly onDone: (result: CopyResult) => void;
}

function CopyDialog({ differences, ticked, saying, onClose, onDone }: CopyDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { from, to } = differences;
  const copy = useMutation({
    mutationFn: () => copyDifferences(from, ticked),
    // A copy may change the answer to any query.
    onSettled: () => queryClient.invalidateQueries(),
    onSuccess: onDone,
  });
  const fields = copy.error instanceof ApiError ? Object.entries(copy.error.fields) : [];
  return (
    <Dialog opened onClose={onClose} title={t(`office.live.copy.ask.${to}`)} size="lg">
      <div className="stack gap-3">
        <p>{t(`office.live.copy.askWhat.${to}`)}</p>
        <ul className={classes.changes}>
          {ticked.map((one) => (
            <li key={one.id}>
              <strong dir="auto">{titleOf(one, saying)}</strong>{" "}
              <BeforeAfter difference={one} saying={saying} />
            </li>
          ))}
        </ul>
        <Trouble error={copy.error} />
        {fields.map(([field, reason]) => (
          <p key={field} className="bad" lang="en" dir="ltr">
            {reason}
          </p>
        ))}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button data-autofocus loading={copy.isPending} onClick={() => copy.mutate()}>
            {t(`office.live.copy.copy.${to}`)}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface BeforeAfterProps {
  readonly difference: EnvironmentDifference;
  readonly saying: DifferenceSaying;
}

/** Pinned offers that the copy leaves out are not shown. */
function BeforeAfter({ difference, saying }: BeforeAfterProps) {
  const { pins, missing } = difference;
  const kept = pins?.from?.filter((offerId) => !missing.includes(offerId));
  const copied = kept ? { ...difference, pins: { ...pins, from: kept } } : difference;
  const before = sideOf(copied, "to", saying);
  const after = sideOf(copied, "from", saying);
  return (
    <span dir="auto">
      {before === undefined ? null : <del className="soft">{before}</del>}{" "}
      {after ? <ins className="undecorated">{after}</ins> : null}
    </span>
  );
}

interface DifferenceLineProps {
  readonly difference: EnvironmentDifference;
  readonly differences: EnvironmentDifferences;
  readonly saying: DifferenceSaying;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}

function DifferenceLine(props: DifferenceLineProps) {
  const { difference, differences, saying, isTicked, onTick } = props;
  const { t } = saying;
  const { from, to } = differences;
  const title = titleOf(difference, saying);
  return (
    <li className={classes.line} data-blocked={difference.blocked !== undefined}>
      <Checkbox
        className="tick"
        label={
          <strong dir="auto" className="ink break-anywhere">
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
              <dt className="soft size-caption">
                {t(`office.settings.env.${side === "from" ? from : to}`)}
              </dt>
              <dd dir="auto">
                {sideOf(difference, side, saying) ?? (
                  <span className="soft">{t("office.live.copy.nothing")}</span>
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
        <p className="bad">{t(`office.live.copy.blocked.${blocked}_${to}`)}</p>
      )}
      {notes.map((note) => (
        <p key={note} className="soft">
          {note}
        </p>
      ))}
    </>
  );
}

/** Returns whether the copy removes something from the target. */
function isRemoved({ rule, shown }: EnvironmentDifference): boolean {
  return (rule !== undefined && !rule.from) || (shown !== undefined && shown.from === undefined);
}
