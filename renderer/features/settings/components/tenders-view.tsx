import { Button, Skeleton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { shopTenderOperations } from "../../../../server/contract/pos/shop-tender-operations.ts";
import { MOST_TENDERS, type ShopTenders } from "../../../../server/contract/pos/shop-tenders.ts";
import { Notice } from "../../../components/notice.tsx";
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
  moved,
  nameFaults,
  newDraft,
  type TenderDraft,
} from "../tender-draft.ts";
import classes from "./settings-screen.module.css";
import { TenderRow } from "./tender-row.tsx";
import { Trouble } from "./trouble.tsx";

/** What the shop takes, as it calls it, in the order of the counter. */
export function TendersView() {
  const { t } = useTranslation();
  const tenders = useQuery(tendersQuery());
  // Anew only when it was asked for: what is typed is not lost when the answer comes again.
  const [shown, setShown] = useState(0);
  const again = async () => {
    await tenders.refetch();
    setShown(shown + 1);
  };
  return (
    <>
      <p className={classes.hint}>{t("office.settings.tenders.intro")}</p>
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
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
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
      <div className={classes.end}>
        <Button type="submit" loading={save.isPending}>
          {t("office.settings.save")}
        </Button>
      </div>
    </form>
  );
}

type Faults = ReturnType<typeof nameFaults>;
const NO_FAULTS: Faults = new Map();

interface TenderRowsProps {
  readonly drafts: readonly TenderDraft[];
  readonly faults: Faults;
  readonly onChange: (drafts: TenderDraft[]) => void;
}

/** A row for each, and room for one more. */
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
      <div className={classes.buttons}>
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
        <p className={classes.hint}>
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
