import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type {
  CopyResult,
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../../../../server/contract/pos/environment-copy.ts";
import { Dialog } from "../../../../components/dialog/dialog.tsx";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { copyDifferences } from "../../api/copy-queries.ts";
import { type DifferenceSaying, sideOf, titleOf } from "../../difference-words.ts";
import classes from "./copy.module.css";

interface CopyDialogProps {
  readonly differences: EnvironmentDifferences;
  readonly ticked: readonly EnvironmentDifference[];
  readonly saying: DifferenceSaying;
  readonly onClose: () => void;
  readonly onDone: (result: CopyResult) => void;
}

/** Says once more what is changed, before anything is. */
export function CopyDialog({ differences, ticked, saying, onClose, onDone }: CopyDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { from, to } = differences;
  const copy = useMutation({
    mutationFn: () => copyDifferences(from, ticked),
    // Prices, offers, alerts: whatever was asked of either may be another now.
    onSettled: () => queryClient.invalidateQueries(),
    onSuccess: onDone,
  });
  const fields = copy.error instanceof ApiError ? Object.entries(copy.error.fields) : [];
  return (
    <Dialog opened onClose={onClose} title={t(`office.live.copy.ask.${to}`)} size="lg">
      <div className={classes.ask}>
        <p>{t(`office.live.copy.askWhat.${to}`)}</p>
        <ul className={classes.changes}>
          {ticked.map((one) => (
            <li key={one.id}>
              <strong dir="auto">{titleOf(one, saying)}</strong>{" "}
              <BeforeAfter difference={one} saying={saying} />
            </li>
          ))}
        </ul>
        {copy.error ? <ErrorNotice words={errorWords(copy.error, t, format)} /> : null}
        {fields.map(([field, reason]) => (
          <p key={field} className={classes.blocked} lang="en" dir="ltr">
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

/** What is there now, struck out, and what takes its place; without what the copy leaves out. */
function BeforeAfter({ difference, saying }: BeforeAfterProps) {
  const { pins, missing } = difference;
  const kept = pins?.from?.filter((offerId) => !missing.includes(offerId));
  const copied = kept ? { ...difference, pins: { ...pins, from: kept } } : difference;
  const before = sideOf(copied, "to", saying);
  const after = sideOf(copied, "from", saying);
  return (
    <span dir="auto">
      {before === undefined ? null : <del>{before}</del>} {after ? <ins>{after}</ins> : null}
    </span>
  );
}
