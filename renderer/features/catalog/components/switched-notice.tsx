import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { CatalogSwitch } from "../../../../server/contract/pos/office-catalog.ts";
import { Notice } from "../../../components/notice.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useChoices } from "../use-choices.ts";
import classes from "./catalog-screen.module.css";

interface SwitchedNoticeProps {
  readonly environment: Environment;
  readonly made: CatalogSwitch;
  readonly onUndone: () => void;
}

/** What was just done, and the way back. */
export function SwitchedNotice({ environment, made, onUndone }: SwitchedNoticeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const choices = useChoices(environment);
  const { offers: count, enabled, sequence } = made;
  return (
    <Notice tone="info">
      <div className={classes.done}>
        <span role="status">
          {t(`office.catalog.done.${enabled ? "show" : "hide"}`, {
            count,
            amount: format.number(count),
          })}
        </span>
        <Button
          variant="default"
          loading={choices.isBusy}
          onClick={() => void choices.undo(sequence).then(onUndone, () => {})}
        >
          {t("office.catalog.undo")}
        </Button>
      </div>
    </Notice>
  );
}
