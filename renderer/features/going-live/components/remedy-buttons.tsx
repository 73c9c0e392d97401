import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { use } from "react";
import { useTranslation } from "react-i18next";
import type {
  CheckedForLive,
  OwnerConfirmation,
} from "../../../../server/contract/pos/till-environment.ts";
import { Trouble } from "../../../components/notice.tsx";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { PrintContext } from "../../../lib/print-context.ts";
import { printTroubleWords } from "../../../lib/print-error.ts";
import {
  confirmSeen,
  GOING_LIVE_ANSWERS,
  tillStateQuery,
  tryBackup,
} from "../api/going-live-queries.ts";
import { type Remedy, type RemedyScreen, type RemedySection, remediesOf } from "../remedies.ts";

export interface Remedies {
  readonly onScreen: (to: RemedyScreen) => void;
  readonly onSection: (section: RemedySection, view: string | undefined) => void;
  readonly onGateway: () => void;
  readonly onPrices: () => void;
  readonly onFirstSale: () => void;
}

const SCREEN_NAMES = {
  "/": "office.live.counter",
  "/shift": "nav.shift",
  "/printing": "nav.printing",
} as const;

interface RemedyButtonsProps extends Remedies {
  readonly check: CheckedForLive;
  /** True if the first button is the page's primary button. */
  readonly isNext: boolean;
}

type Variant = "filled" | "default";

export function RemedyButtons({ check, isNext, ...on }: RemedyButtonsProps) {
  const remedies = remediesOf(check);
  return remedies.length === 0 ? null : (
    <div className="row wrap justify-end gap-2 push-end">
      {remedies.map((remedy, index) => (
        <RemedyButton
          key={remedy.kind}
          remedy={remedy}
          variant={isNext && index === 0 ? "filled" : "default"}
          {...on}
        />
      ))}
    </div>
  );
}

interface RemedyButtonProps extends Remedies {
  readonly remedy: Remedy;
  readonly variant: Variant;
}

function RemedyButton({ remedy, variant, ...on }: RemedyButtonProps) {
  const { t } = useTranslation();
  const lead = (words: string, onClick: () => void) => (
    <Button variant={variant} onClick={onClick}>
      {words}
    </Button>
  );
  const opens = (screen: string, onClick: () => void) =>
    lead(t("goLive.checks.open", { screen }), onClick);
  switch (remedy.kind) {
    case "screen":
      return opens(t(SCREEN_NAMES[remedy.to]), () => on.onScreen(remedy.to));
    case "office":
      return opens(t(`office.frame.section.${remedy.section}`), () =>
        on.onSection(remedy.section, remedy.view),
      );
    case "gateway":
      return opens(t("office.live.views.gateway"), on.onGateway);
    case "prices":
      return lead(t("office.live.prices.see"), on.onPrices);
    case "first-sale":
      return lead(t("office.live.first.make"), on.onFirstSale);
    case "backup":
      return <BackupButton variant={variant} />;
    case "test-receipt":
      return <TestReceiptButton variant={variant} />;
    case "confirm":
      return <ConfirmButton what={remedy.what} variant={variant} />;
  }
}

interface ConfirmButtonProps {
  readonly what: OwnerConfirmation;
  readonly variant: Variant;
}

function ConfirmButton({ what, variant }: ConfirmButtonProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => confirmSeen(what),
    onSuccess: () => invalidateAnswers(queryClient, GOING_LIVE_ANSWERS),
  });
  return (
    <>
      <Button variant={variant} loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t(`office.live.confirm.${what}`)}
      </Button>
      <Trouble error={confirm.error} />
    </>
  );
}

function BackupButton({ variant }: { readonly variant: Variant }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data } = useQuery(tillStateQuery());
  const begin = useMutation({
    mutationFn: tryBackup,
    onSuccess: () => invalidateAnswers(queryClient, GOING_LIVE_ANSWERS),
  });
  const trial = data?.backupTrial;
  return (
    <>
      <Button
        variant={variant}
        loading={begin.isPending || trial?.state === "RUNNING"}
        onClick={() => begin.mutate()}
      >
        {t("office.live.backup.try")}
      </Button>
      {trial?.failure === undefined ? null : (
        <p role="alert">
          {t("office.live.backup.failed")}{" "}
          <small lang="en" dir="ltr">
            {trial.failure}
          </small>
        </p>
      )}
      <Trouble error={begin.error} />
    </>
  );
}

function TestReceiptButton({ variant }: { readonly variant: Variant }) {
  const { t } = useTranslation();
  const { printTestReceipt } = use(PrintContext);
  const print = useMutation({ mutationFn: printTestReceipt });
  return (
    <>
      <Button variant={variant} loading={print.isPending} onClick={() => print.mutate()}>
        {t("office.live.testReceipt.print")}
      </Button>
      {print.error ? <p role="alert">{printTroubleWords(print.error, t)}</p> : null}
    </>
  );
}
