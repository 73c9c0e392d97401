import { ActionIcon, Select, Switch, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { LONGEST_TENDER_NAME } from "../../../../server/contract/pos/shop-tenders.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { isFirst, type TenderDraft } from "../tender-draft.ts";
import classes from "./settings-screen.module.css";

interface TenderRowProps {
  readonly draft: TenderDraft;
  /** The letter that takes it at the counter; cash has none. */
  readonly counterKey: string | undefined;
  readonly fault: "empty" | "twice" | undefined;
  readonly isFirstRow: boolean;
  readonly isLastRow: boolean;
  readonly onChange: (draft: TenderDraft) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

const KINDS = ["CARD", "OTHER"] as const;

/** One way of paying: its name, what it counts as, the drawer, and its place. */
export function TenderRow(props: TenderRowProps) {
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
            <span className={classes.small}>
              {t("office.settings.tenders.key")} <KeyCap>{counterKey}</KeyCap>
            </span>
          )}
        </div>
        {isCash ? <span className={classes.small}>{t("office.settings.tenders.cash")}</span> : null}
        {draft.offered ? null : (
          <span className={classes.small}>{t("office.settings.tenders.retired")}</span>
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

/** What it counts as: to be chosen while nothing was sold by it. */
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
