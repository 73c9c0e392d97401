import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { CatalogSwitch, SwitchInput } from "../../../../server/contract/pos/office-catalog.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { switchPreviewQuery } from "../api/catalog-queries.ts";
import { useChoices } from "../use-choices.ts";
import classes from "./catalog-screen.module.css";

interface SwitchDialogProps {
  readonly environment: Environment;
  readonly asked: SwitchInput;
  readonly onClose: () => void;
  readonly onMade: (made: CatalogSwitch) => void;
}

/** Says how many offers it is about, before anything is done. */
export function SwitchDialog({ environment, asked, onClose, onMade }: SwitchDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const preview = useQuery(switchPreviewQuery(environment, asked));
  const choices = useChoices(environment);
  const way = asked.enabled ? "show" : "hide";
  const count = preview.data?.changes ?? 0;
  return (
    <Dialog opened onClose={onClose} title={t(`office.catalog.ask.${way}`)}>
      <div className={classes.ask}>
        {preview.data ? (
          <p>
            {t(`office.catalog.will.${way}`, { count, amount: format.number(count) })}{" "}
            {asked.enabled ? null : t("office.catalog.willLater")}
          </p>
        ) : null}
        <QueryTrouble query={preview} />
        {choices.error ? <ErrorNotice words={errorWords(choices.error, t, format)} /> : null}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            data-autofocus
            loading={choices.isBusy || preview.isPending}
            disabled={count === 0}
            onClick={() => void choices.change(asked).then(onMade, () => {})}
          >
            {t(`office.catalog.do.${way}`, { count, amount: format.number(count) })}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
