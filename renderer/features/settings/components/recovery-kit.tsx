import { Button, Checkbox } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { backupOperations, type PosBackups } from "../../../../server/contract/pos/backups.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { RecoverySheet } from "../../../components/recovery-sheet.tsx";
import { call } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { readPin, SHORTEST_PIN } from "../../../lib/pin.ts";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { backupsQuery } from "../api/settings-queries.ts";

const SLOW_MS = 60_000;

interface RecoveryKitProps {
  readonly kit: PosBackups["kit"];
  readonly draft: PosBackups["draftKit"];
}

export function RecoveryKitSection({ kit, draft }: RecoveryKitProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes.form} aria-labelledby="recovery-kit">
      <h3 id="recovery-kit" className="strong">
        {t("recovery.title")}
      </h3>
      <p className="soft">{t("recovery.intro")}</p>
      {kit ? (
        <p>{t("recovery.made", { time: format.moment(kit.madeAt) })}</p>
      ) : (
        <Notice tone="bad">{t("recovery.none")}</Notice>
      )}
      {draft && !isOpen ? <DraftKit draft={draft} /> : null}
      <div className="flex wrap gap-3">
        <Button variant={kit ? "default" : "filled"} onClick={() => setOpen(true)}>
          {t(kit ? "recovery.again" : "recovery.make")}
        </Button>
      </div>
      {isOpen ? <KitDialog isRepeat={kit !== undefined} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

function DraftKit({ draft }: { readonly draft: NonNullable<PosBackups["draftKit"]> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const confirm = useConfirmedKit();
  return (
    <>
      <Notice tone="wait">{t("recovery.draft", { time: format.moment(draft.madeAt) })}</Notice>
      {confirm.error ? <ErrorNotice words={errorWords(confirm.error, t, format)} /> : null}
      <Button
        variant="default"
        loading={confirm.isPending}
        onClick={() => confirm.mutate(draft.kitId)}
      >
        {t("recovery.confirm")}
      </Button>
    </>
  );
}

function useConfirmedKit() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (kitId: string) => call(backupOperations.confirmKit, { body: { kitId } }),
    onSuccess: (answer) => queryClient.setQueryData(backupsQuery().queryKey, answer),
  });
}

interface KitDialogProps {
  readonly isRepeat: boolean;
  readonly onClose: () => void;
}

function KitDialog({ isRepeat, onClose }: KitDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const format = useFormat();
  const { data: session } = useQuery(sessionQuery());
  const { data: status } = useQuery(statusQuery());
  const [pin, setPin] = useState("");
  const make = useMutation({
    mutationFn: () => call(backupOperations.makeKit, { body: { pin }, timeoutMs: SLOW_MS }),
    onSettled: () => setPin(""),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: backupsQuery().queryKey }),
  });
  const confirm = useConfirmedKit();
  return (
    <Dialog
      opened
      // The phrase is shown only once, so no key or tap outside may close the dialog.
      onClose={make.data ? () => {} : onClose}
      withCloseButton={!make.data}
      size="lg"
      title={t("recovery.title")}
    >
      {make.data ? (
        <div className={classes.form}>
          <RecoverySheet kit={make.data} shopName={status?.shopName ?? ""} />
          {confirm.error ? <ErrorNotice words={errorWords(confirm.error, t, format)} /> : null}
          <div className="flex justify-end gap-3">
            <Button variant="default" onClick={onClose}>
              {t("recovery.notStored")}
            </Button>
            <Button
              loading={confirm.isPending}
              onClick={() => confirm.mutate(make.data.kitId, { onSuccess: onClose })}
            >
              {t("recovery.stored")}
            </Button>
          </div>
        </div>
      ) : (
        <Form
          className={classes.form}
          onSubmit={() => {
            if (pin.length >= SHORTEST_PIN) {
              make.mutate();
            }
          }}
        >
          <p>{t(isRepeat ? "recovery.replaces" : "recovery.first")}</p>
          <OwnPin pin={pin} onTyped={setPin} />
          {make.error ? <ApprovalTrouble error={make.error} person={session?.staff} /> : null}
          <div className="flex justify-end gap-3">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={make.isPending} disabled={pin.length < SHORTEST_PIN}>
              {t("recovery.make")}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

interface OwnPinProps {
  readonly pin: string;
  readonly onTyped: (pin: string) => void;
}

function OwnPin({ pin, onTyped }: OwnPinProps) {
  const { t } = useTranslation();
  return (
    <PinField
      data-autofocus
      label={t("office.settings.backups.pin")}
      autoComplete="off"
      value={pin}
      onChange={({ currentTarget }) => onTyped(readPin(currentTarget.value))}
    />
  );
}

const ACCESS_KINDS = ["people", "devices", "keys"] as const;

/**
 * After a restore, the owner reviews all access. People, devices and keys without a tick lose
 * access.
 */
export function AccessReview({ review }: { readonly review: NonNullable<PosBackups["review"]> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const [revoked, setRevoked] = useState<ReadonlySet<string>>(new Set());
  const [pin, setPin] = useState("");
  const confirm = useMutation({
    mutationFn: () => {
      const of = (kind: (typeof ACCESS_KINDS)[number]) =>
        review[kind].flatMap(({ id }) => (revoked.has(id) ? [id] : []));
      const body = { pin, people: of("people"), devices: of("devices"), keys: of("keys") };
      return call(backupOperations.review, { body });
    },
    onSuccess: (answer) => queryClient.setQueryData(backupsQuery().queryKey, answer),
    onError: () => setPin(""),
  });
  const set = (id: string, isKept: boolean) => {
    const next = new Set(revoked);
    if (isKept) {
      next.delete(id);
    } else {
      next.add(id);
    }
    setRevoked(next);
  };
  return (
    <Form
      className={classes.form}
      aria-labelledby="access-review"
      onSubmit={() => {
        if (pin.length >= SHORTEST_PIN) {
          confirm.mutate();
        }
      }}
    >
      <h3 id="access-review" className="strong">
        {t("recovery.review.title")}
      </h3>
      <p>{t("recovery.review.intro", { time: format.moment(review.takenAt) })}</p>
      {ACCESS_KINDS.map((kind) =>
        review[kind].length === 0 ? null : (
          <fieldset key={kind} className={classes.form}>
            <legend className="strong">{t(`recovery.review.${kind}`)}</legend>
            {review[kind].map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={!revoked.has(id)}
                onChange={({ currentTarget }) => set(id, currentTarget.checked)}
              />
            ))}
          </fieldset>
        ),
      )}
      <OwnPin pin={pin} onTyped={setPin} />
      {confirm.error ? <ApprovalTrouble error={confirm.error} person={session?.staff} /> : null}
      <Button type="submit" loading={confirm.isPending} disabled={pin.length < SHORTEST_PIN}>
        {t("recovery.review.confirm", { number: format.number(revoked.size) })}
      </Button>
    </Form>
  );
}
