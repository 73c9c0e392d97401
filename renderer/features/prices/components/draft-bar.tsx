import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { PriceListState } from "../../../../server/contract/pos/price-lists.ts";
import { countOf } from "../list-draft.ts";
import type { CurrentDraft } from "../use-list-draft.ts";
import { PreviewDialog } from "./preview-dialog.tsx";
import classes from "./prices.module.css";
import { useSaveList } from "./use-save-list.ts";

interface DraftBarProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly draft: CurrentDraft;
  readonly onWhy: (offerId: string) => void;
}

/** What is changed and not saved yet: nothing is saved that was not looked at before. */
export function DraftBar({ environment, state, draft, onWhy }: DraftBarProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const save = useSaveList(environment, draft, () => setOpen(false));
  if (!draft.isChanged) {
    return null;
  }
  return (
    <>
      <section className={classes.bar} aria-label={t("office.prices.draft.label")}>
        <div>
          <p>{t("office.prices.draft.count", { number: countOf(draft.changes) })}</p>
          <p className={classes.soft}>{t("office.prices.draft.kept")}</p>
        </div>
        <Button variant="default" onClick={draft.discard}>
          {t("office.prices.draft.discard")}
        </Button>
        <Button onClick={() => setOpen(true)}>{t("office.prices.draft.look")}</Button>
      </section>
      {isOpen ? (
        <PreviewDialog
          environment={environment}
          state={state}
          list={draft.list}
          changes={draft.changes}
          title={t("office.prices.preview.title")}
          saving={save}
          mayWait
          onClose={() => {
            save.reset();
            setOpen(false);
          }}
          onWhy={onWhy}
        />
      ) : null}
    </>
  );
}
