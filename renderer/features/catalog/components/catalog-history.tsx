import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type {
  CatalogSwitch,
  CatalogUpdates,
  SwitchTarget,
} from "../../../../server/contract/pos/office-catalog.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { kindWords } from "../../../lib/kind-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { summaryQuery, switchesQuery, updatesQuery } from "../api/catalog-queries.ts";
import { useChoices } from "../use-choices.ts";
import classes from "./catalog-screen.module.css";

/** What was hidden and shown, each with its way back, and what imports and syncs did. */
export function CatalogHistory({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const switches = useQuery(switchesQuery(environment));
  const updates = useQuery(updatesQuery(environment));
  const choices = useChoices(environment);
  return (
    <>
      {choices.error ? <ErrorNotice words={errorWords(choices.error, t, format)} /> : null}
      <section className={classes.pinned} aria-labelledby="catalog-switches">
        <h2 id="catalog-switches" className={classes.legend}>
          {t("office.catalog.switches")}
        </h2>
        <QueryTrouble query={switches} />
        {switches.data?.list.length === 0 ? (
          <p className={classes.empty}>{t("office.catalog.noSwitches")}</p>
        ) : null}
        <ul className={classes.pins}>
          {switches.data?.list.map((made) => (
            <SwitchEntry
              key={made.sequence}
              {...{ environment, made }}
              onUndo={() => void choices.undo(made.sequence).catch(() => {})}
            />
          ))}
        </ul>
      </section>
      <section className={classes.pinned} aria-labelledby="catalog-updates">
        <h2 id="catalog-updates" className={classes.legend}>
          {t("office.catalog.updates")}
        </h2>
        <QueryTrouble query={updates} />
        {updates.data?.list.length === 0 ? (
          <p className={classes.empty}>{t("office.catalog.noUpdates")}</p>
        ) : null}
        <ul className={classes.pins}>
          {updates.data?.list.map((update) => (
            <UpdateEntry key={`${update.at} ${update.version}`} update={update} />
          ))}
        </ul>
      </section>
    </>
  );
}

interface SwitchEntryProps {
  readonly environment: Environment;
  readonly made: CatalogSwitch;
  readonly onUndo: () => void;
}

function SwitchEntry({ environment, made, onUndo }: SwitchEntryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const targetWords = useTargetWords(environment);
  const { enabled, offers: count, undoneAt, target } = made;
  return (
    <li className={classes.pin}>
      <div className={classes.name}>
        <strong dir="auto">{targetWords(target)}</strong>
        <span className={classes.hint}>
          {t(`office.catalog.done.${enabled ? "show" : "hide"}`, {
            count,
            amount: format.number(count),
          })}
        </span>
        <Moment at={made.at} who={made.staff?.name} />
      </div>
      {undoneAt ? (
        <span className={classes.hint}>{t("office.catalog.undone")}</span>
      ) : (
        <Button variant="default" onClick={onUndo}>
          {t("office.catalog.undo")}
        </Button>
      )}
    </li>
  );
}

function UpdateEntry({ update }: { readonly update: CatalogUpdates["list"][number] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, added, changed, removed, failure } = update;
  const counts = {
    added: format.number(added),
    changed: format.number(changed),
    removed: format.number(removed),
  };
  return (
    <li className={classes.pin} data-failed={failure !== undefined}>
      <div className={classes.name}>
        <strong>{t(`office.catalog.update.${kind}`)}</strong>
        <span>{failure ?? t("office.catalog.counts", counts)}</span>
        <Moment at={update.at} who={update.staff?.name} />
      </div>
      {failure ? <span className={classes.failed}>{t("office.catalog.failed")}</span> : null}
    </li>
  );
}

function Moment({ at, who }: { readonly at: string; readonly who: string | undefined }) {
  const format = useFormat();
  return (
    <span className={classes.hint}>{[format.moment(at), who].filter(Boolean).join(" · ")}</span>
  );
}

/** What a switch is for: "Tigo · Guatemala". */
function useTargetWords(environment: Environment): (target: SwitchTarget) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const summary = useQuery(summaryQuery(environment));
  return ({ offerId, brand, country, subType, family }) =>
    [
      offerId,
      brand && (summary.data?.brands.find(({ code }) => code === brand)?.name ?? brand),
      country && format.country(country),
      subType && kindWords(subType, t),
      family && t(`family.${family}.one`),
    ]
      .filter(Boolean)
      .join(" · ");
}
