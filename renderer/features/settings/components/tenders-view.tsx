import { ActionIcon, Button, Select, Skeleton, Switch, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  LONGEST_TENDER_NAME,
  MOST_TENDERS,
  type ShopTenders,
  shopTenderOperations,
} from "../../../../server/contract/pos/shop-tenders.ts";
import { Form } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { KeyCap } from "../../../components/key-cap.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { ApiError, call } from "../../../lib/api-client.ts";
import { newId } from "../../../lib/new-id.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { offeredTenders } from "../../../lib/tender-keys.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { tendersQuery } from "../api/settings-queries.ts";
import {
  draftsOf,
  inputOf,
  isFirst,
  moved,
  nameFaults,
  newDraft,
  type TenderDraft,
} from "../tender-draft.ts";

const KINDS = ["CARD", "OTHER"] as const;

export function TendersView() {
  const { t } = useTranslation();
  const tenders = useQuery(tendersQuery());
  // A change resets the form. A background refetch does not, because it would discard typed text.
  const [shown, setShown] = useState(0);
  const again = async () => {
    await tenders.refetch();
    setShown(shown + 1);
  };
  return (
    <>
      <p className="soft">{t("office.settings.tenders.intro")}</p>
      <QueryTrouble query={tenders} />
      {tenders.data ? (
        <TendersForm key={shown} saved={tenders.data} onAgain={() => void again()} />
      ) : (
        <Skeleton height="12rem" radius="md" />
      )}
    </>
  );
}

interface TendersFormProps {
  readonly saved: ShopTenders;
  readonly onAgain: () => void;
}

function TendersForm({ saved, onAgain }: TendersFormProps) {
  const { t } = useTranslation();
  const [base, setBase] = useState(saved.revision);
  const [drafts, setDrafts] = useState(() => draftsOf(saved));
  const [isTried, setTried] = useState(false);
  const save = useSave((kept) => {
    setBase(kept.revision);
    setDrafts(draftsOf(kept));
  });
  const faults = nameFaults(drafts, ({ kind }) => t(`counter.tender.${kind}`));
  const isLate = save.error instanceof ApiError && save.error.errorCode === "TENDERS_CHANGED";
  return (
    <Form
      className={classes.form}
      onSubmit={() => {
        setTried(true);
        if (faults.size === 0 && !save.isPending) {
          save.mutate({ base, list: drafts.map(inputOf) });
        }
      }}
    >
      <TenderRows
        drafts={drafts}
        faults={isTried ? faults : NO_FAULTS}
        onChange={(next) => {
          setTried(isTried && next.length === drafts.length);
          save.reset();
          setDrafts(next);
        }}
      />
      <Trouble error={save.error} />
      {isLate ? (
        <Button variant="default" onClick={onAgain}>
          {t("office.settings.tenders.again")}
        </Button>
      ) : null}
      {save.isSuccess ? <Notice tone="info">{t("office.settings.saved")}</Notice> : null}
      <div className="flex justify-end gap-3">
        <Button type="submit" loading={save.isPending}>
          {t("office.settings.save")}
        </Button>
      </div>
    </Form>
  );
}

type Faults = ReturnType<typeof nameFaults>;
const NO_FAULTS: Faults = new Map();

interface TenderRowsProps {
  readonly drafts: readonly TenderDraft[];
  readonly faults: Faults;
  readonly onChange: (drafts: TenderDraft[]) => void;
}

function TenderRows({ drafts, faults, onChange }: TenderRowsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = drafts.map((draft) => ({ ...inputOf(draft), tenderId: idOf(draft) }));
  const keys = new Map(offeredTenders(shown).map(({ tenderId, key }) => [tenderId, key]));
  const isFull = drafts.length >= MOST_TENDERS;
  return (
    <>
      <ul className={classes.rows}>
        {drafts.map((draft, at) => (
          <TenderRow
            key={draft.key}
            draft={draft}
            counterKey={keys.get(idOf(draft))?.toUpperCase()}
            fault={faults.get(draft.key)}
            isFirstRow={at === 0}
            isLastRow={at === drafts.length - 1}
            onChange={(changed) => onChange(drafts.with(at, changed))}
            onMove={(by) => onChange(moved(drafts, at, by))}
            onRemove={() => onChange(drafts.toSpliced(at, 1))}
          />
        ))}
      </ul>
      <div className="flex wrap gap-3">
        <Button
          variant="default"
          leftSection={<IconPlus size="1.25rem" aria-hidden="true" />}
          disabled={isFull}
          onClick={() => onChange([...drafts, newDraft(newId())])}
        >
          {t("office.settings.tenders.add")}
        </Button>
      </div>
      {isFull ? (
        <p className="soft">
          {t("office.settings.tenders.most", { number: format.number(MOST_TENDERS) })}
        </p>
      ) : null}
    </>
  );
}

function idOf({ tenderId, key }: TenderDraft): string {
  return tenderId ?? key;
}

function useSave(onSaved: (kept: ShopTenders) => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Parameters<typeof saveTenders>[0]) => saveTenders(body),
    onSuccess: async (kept) => {
      queryClient.setQueryData(tendersQuery().queryKey, kept);
      onSaved(kept);
      announce(t("office.settings.saved"));
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
    },
  });
}

function saveTenders(body: { base: number; list: ReturnType<typeof inputOf>[] }) {
  return call(shopTenderOperations.save, { body });
}

interface TenderRowProps {
  readonly draft: TenderDraft;
  /** Shortcut letter at the counter. Undefined for cash. */
  readonly counterKey: string | undefined;
  readonly fault: "empty" | "twice" | undefined;
  readonly isFirstRow: boolean;
  readonly isLastRow: boolean;
  readonly onChange: (draft: TenderDraft) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function TenderRow(props: TenderRowProps) {
  const { draft, counterKey, fault, onChange } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const word = isFirst(draft) ? t(`counter.tender.${draft.kind}`) : "";
  const before = draft.saved || word || t("office.settings.tenders.new");
  const called = draft.name.trim() || before;
  const isCash = draft.kind === "CASH";
  return (
    <li className={classes.row} data-over={!draft.offered}>
      <fieldset className={classes.tender}>
        <legend className="spoken">{called}</legend>
        <div className={classes.pair}>
          <TextInput
            label={t("office.settings.tenders.name", { name: before })}
            placeholder={word}
            maxLength={LONGEST_TENDER_NAME}
            dir="auto"
            autoComplete="off"
            value={draft.name}
            error={
              fault &&
              t(`office.settings.tenders.${fault}`, { most: format.number(LONGEST_TENDER_NAME) })
            }
            onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
          />
          <KindField draft={draft} onChange={onChange} />
        </div>
        <div className={classes.switches}>
          <Switch
            label={t("office.settings.tenders.drawer")}
            checked={draft.opensDrawer}
            onChange={({ currentTarget }) =>
              onChange({ ...draft, opensDrawer: currentTarget.checked })
            }
          />
          {isCash ? null : (
            <Switch
              label={t("office.settings.tenders.offered")}
              checked={draft.offered}
              onChange={({ currentTarget }) =>
                onChange({ ...draft, offered: currentTarget.checked })
              }
            />
          )}
          {counterKey === undefined ? null : (
            <span className="soft size-caption">
              {t("office.settings.tenders.key")} <KeyCap>{counterKey}</KeyCap>
            </span>
          )}
        </div>
        {isCash ? (
          <span className="soft size-caption">{t("office.settings.tenders.cash")}</span>
        ) : null}
        {draft.offered ? null : (
          <span className="soft size-caption">{t("office.settings.tenders.retired")}</span>
        )}
      </fieldset>
      <RowActions {...props} called={called} />
    </li>
  );
}

interface KindFieldProps {
  readonly draft: TenderDraft;
  readonly onChange: (draft: TenderDraft) => void;
}

/** The kind is fixed once a sale has used the tender. */
function KindField({ draft, onChange }: KindFieldProps) {
  const { t } = useTranslation();
  const isFixed = draft.used || isFirst(draft);
  const kinds = draft.kind === "CASH" ? (["CASH"] as const) : KINDS;
  return (
    <Select
      label={t("office.settings.tenders.kind")}
      allowDeselect={false}
      disabled={isFixed}
      description={
        draft.used && !isFirst(draft) ? t("office.settings.tenders.kindStays") : undefined
      }
      inputWrapperOrder={["label", "input", "description", "error"]}
      data={kinds.map((value) => ({ value, label: t(`counter.tender.${value}`) }))}
      value={draft.kind}
      onChange={(chosen) => {
        const kind = KINDS.find((one) => one === chosen);
        if (kind) {
          onChange({ ...draft, kind });
        }
      }}
    />
  );
}

function RowActions({
  draft,
  called,
  isFirstRow,
  isLastRow,
  onMove,
  onRemove,
}: TenderRowProps & { readonly called: string }) {
  const { t } = useTranslation();
  const action = (
    what: "up" | "down" | "remove",
    Icon: typeof IconTrash,
    { disabled, onAct }: { readonly disabled: boolean; readonly onAct: () => void },
  ) => (
    <ActionIcon
      variant="subtle"
      size="var(--touch)"
      aria-label={t(`office.settings.tenders.${what}`, { name: called })}
      disabled={disabled}
      onClick={onAct}
    >
      <Icon size="1.25rem" aria-hidden="true" />
    </ActionIcon>
  );
  return (
    <div className={classes.moves}>
      {action("up", IconArrowUp, { disabled: isFirstRow, onAct: () => onMove(-1) })}
      {action("down", IconArrowDown, { disabled: isLastRow, onAct: () => onMove(1) })}
      {draft.used || isFirst(draft)
        ? null
        : action("remove", IconTrash, { disabled: false, onAct: onRemove })}
    </div>
  );
}
