import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { PriceListState, PriceVersion } from "../../../../server/contract/pos/price-lists.ts";
import { Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import type { Translate } from "../../../lib/i18n.ts";
import { ruleWords, startWords } from "../../../lib/price-rule-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { priceVersionQuery, priceVersionsQuery, VERSIONS_PAGE } from "../api/price-queries.ts";
import { changesBetween, editable } from "../list-draft.ts";
import { useRuleSaying } from "../use-rule-saying.ts";
import { ChangeList } from "./change-list.tsx";
import { PreviewDialog } from "./preview-dialog.tsx";
import listClasses from "./price-lists.module.css";
import classes from "./prices.module.css";
import { useUndoList } from "./use-save-list.ts";

interface VersionsViewProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly onWhy: (offerId: string) => void;
}

export function VersionsView({ environment, state, onWhy }: VersionsViewProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const [undone, setUndone] = useState<number>();
  const versions = useQuery({
    ...priceVersionsQuery(environment, page),
    placeholderData: keepPreviousData,
  });
  const total = versions.data?.total ?? 0;
  const isLast = (page + 1) * VERSIONS_PAGE >= total;
  return (
    <div className={classes.form}>
      <div className={classes.intro}>
        <p className="soft">{t("office.prices.versions.intro")}</p>
        {state.newest > 0 ? (
          <Button variant="default" onClick={() => setUndone(state.newest - 1)}>
            {t("office.prices.versions.undoLast")}
          </Button>
        ) : null}
      </div>
      <QueryTrouble query={versions} />
      {versions.isSuccess && total === 0 ? (
        <p className="soft">{t("office.prices.versions.empty")}</p>
      ) : null}
      <ol className="stack gap-2" aria-label={t("office.prices.versions.list")}>
        {(versions.data?.list ?? []).map((version) => (
          <VersionCard
            key={version.version}
            environment={environment}
            state={state}
            version={version}
            onUndo={() => setUndone(version.version)}
          />
        ))}
      </ol>
      {total > VERSIONS_PAGE ? (
        <div className="flex wrap justify-end gap-3">
          <Button variant="default" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t("office.prices.versions.newer")}
          </Button>
          <Button variant="default" disabled={isLast} onClick={() => setPage(page + 1)}>
            {t("office.prices.versions.older")}
          </Button>
        </div>
      ) : null}
      {undone === undefined ? null : (
        <UndoDialog
          environment={environment}
          state={state}
          to={undone}
          onClose={() => setUndone(undefined)}
          onWhy={onWhy}
        />
      )}
    </div>
  );
}

interface VersionCardProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly version: PriceVersion;
  readonly onUndo: () => void;
}

function VersionCard({ environment, state, version: saved, onUndo }: VersionCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const { version, staff, note } = saved;
  const planned = state.planned.find((one) => one.version === version);
  return (
    <li className={classes.version}>
      <div className="stack gap-1 min-w-0">
        <p className={classes.words}>
          <strong>{t("office.prices.versions.title", { version })}</strong>
          {version === state.inForce ? (
            <span className={classes.mark} data-mark="now">
              {t("office.prices.versions.now")}
            </span>
          ) : null}
          {planned ? (
            <span className={classes.mark} data-mark="ahead">
              {t("office.prices.versions.planned", {
                date: startWords(planned.startsAt, format),
              })}
            </span>
          ) : null}
        </p>
        <p className="soft">
          {t(staff ? "office.prices.versions.savedBy" : "office.prices.versions.saved", {
            name: staff?.name ?? "",
            date: format.moment(saved.savedAt),
            number: saved.rules,
          })}
        </p>
        {note === "" ? null : <p dir="auto">{noteWords(note, t)}</p>}
        {isOpen ? <Difference environment={environment} state={state} version={version} /> : null}
      </div>
      <div className={classes.actions}>
        <Button
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={t("office.prices.versions.openOf", { version })}
          onClick={() => setOpen(!isOpen)}
        >
          {t("office.prices.versions.open")}
        </Button>
        {version === state.newest ? null : (
          <Button
            variant="default"
            aria-label={t("office.prices.versions.backTo", { version })}
            onClick={onUndo}
          >
            {t("office.prices.versions.back")}
          </Button>
        )}
      </div>
    </li>
  );
}

/** The note of a restored version is the original version's number. */
function noteWords(note: string, t: Translate): string {
  return /^\d+$/.test(note) ? t("office.prices.versions.undid", { version: note }) : note;
}

interface OfVersionProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly version: number;
}

function Difference({ environment, state, version }: OfVersionProps) {
  const { t } = useTranslation();
  const saying = useRuleSaying(state);
  const after = useQuery(priceVersionQuery(environment, version));
  const before = useQuery(priceVersionQuery(environment, version - 1));
  if (!after.data || !before.data) {
    return <QueryTrouble query={after} />;
  }
  const list = editable(after.data.list);
  return (
    <div className={classes.group}>
      <h3 className="size-label">{t("office.prices.versions.changed")}</h3>
      <ChangeList
        changes={changesBetween(editable(before.data.list), list)}
        state={state}
        list={list}
      />
      <h3 className="size-label">{t("office.prices.versions.content")}</h3>
      {list.rules.length === 0 ? (
        <p className="soft">{t("office.prices.versions.noRules")}</p>
      ) : (
        <ul className={listClasses.changes}>
          {list.rules.map((rule) => (
            <li key={rule.ruleId}>{ruleWords(rule, saying)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface UndoDialogProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly to: number;
  readonly onClose: () => void;
  readonly onWhy: (offerId: string) => void;
}

function UndoDialog({ environment, state, to, onClose, onWhy }: UndoDialogProps) {
  const { t } = useTranslation();
  const earlier = useQuery(priceVersionQuery(environment, to));
  const saving = useUndoList(environment, state, to, onClose);
  if (!earlier.data) {
    return <QueryTrouble query={earlier} />;
  }
  const list = editable(earlier.data.list);
  return (
    <PreviewDialog
      environment={environment}
      state={state}
      list={list}
      changes={changesBetween(editable(state.list), list)}
      title={t("office.prices.versions.undoTitle", { version: to })}
      saving={saving}
      onClose={onClose}
      onWhy={onWhy}
    />
  );
}

/** Says that the newest version, the one on the screen, is not in force yet. */
export function PlannedNotice({ state }: { readonly state: PriceListState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const planned = state.planned.find(({ version }) => version === state.newest);
  return planned ? (
    <Notice tone="wait">
      {t("office.prices.planned.notice", {
        version: planned.version,
        date: startWords(planned.startsAt, format),
        now: state.inForce,
      })}
    </Notice>
  ) : null;
}
