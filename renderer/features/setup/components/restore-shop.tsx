import { Button, FileButton, Radio, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  backupOperations,
  type FoundBackups,
  type LookedAt,
  type PhraseFault,
} from "../../../../server/contract/pos/backups.ts";
import { BackupFaultText, faultOf } from "../../../components/backup-fault-text.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { lookAtBackup, restoreShop, uploadBackups } from "../api/setup-queries.ts";
import classes from "./setup-screen.module.css";

const AGAIN_MS = 1_000;
const FOLDER = "/media/stick";
/** The gateway cannot find the typed folder, or the path is not complete. */
const FOLDER_REFUSALS = new Set(["NOT_FOUND", "INVALID_REQUEST"]);

interface RestoreShopProps {
  readonly onBack: () => void;
}

/** Steps: choose a backup, enter the phrase, check the content, restore. */
export function RestoreShop({ onBack }: RestoreShopProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState("");
  const [phrase, setPhrase] = useState("");
  const look = useMutation({ mutationFn: () => lookAtBackup({ file, phrase }) });
  const restore = useMutation({
    mutationFn: (acceptUnsigned: boolean) => restoreShop({ file, phrase, acceptUnsigned }),
  });
  const choose = (path: string) => {
    look.reset();
    setFile(path);
  };
  if (restore.data) {
    return <Restarting shopName={restore.data.shopName} />;
  }
  const found = look.data;
  return (
    <main className="flex justify-center h-full overflow-y-auto pad-4">
      <form
        className={classes.form}
        noValidate
        aria-labelledby="restore-title"
        onSubmit={(event) => {
          event.preventDefault();
          look.mutate();
        }}
      >
        <header>
          <p className="size-label strong">{t("app.name")}</p>
          <h1 id="restore-title" className={classes.title}>
            {t("restore.title")}
          </h1>
          <p className={classes.intro}>{t("restore.intro")}</p>
        </header>
        <ChooseBackup file={file} onChosen={choose} />
        <PhraseField
          phrase={phrase}
          fault={found?.phraseFault}
          onTyped={(typed) => {
            look.reset();
            setPhrase(typed);
          }}
        />
        <Refusal found={found} error={look.error ?? restore.error} />
        {found?.problems.length === 0 ? (
          <Found
            found={found}
            isPending={restore.isPending}
            onRestore={(acceptUnsigned) => restore.mutate(acceptUnsigned)}
          />
        ) : (
          <Button type="submit" h="4rem" loading={look.isPending} disabled={file === ""}>
            {t("restore.look")}
          </Button>
        )}
        <Button variant="default" onClick={onBack}>
          {t("restore.back")}
        </Button>
      </form>
    </main>
  );
}

interface PhraseFieldProps {
  readonly phrase: string;
  readonly fault: PhraseFault | undefined;
  readonly onTyped: (typed: string) => void;
}

function PhraseField({ phrase, fault, onTyped }: PhraseFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Textarea
      label={t("restore.phrase")}
      description={t("restore.phraseHint")}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      rows={3}
      value={phrase}
      error={
        fault &&
        t(`restore.phraseFault.${fault.kind}`, { number: format.number(fault.number ?? 0) })
      }
      onChange={({ currentTarget }) => onTyped(currentTarget.value)}
    />
  );
}

interface ChooseBackupProps {
  readonly file: string;
  readonly onChosen: (path: string) => void;
}

/** The backup is on a drive, in a typed folder, or in files chosen in the browser. */
function ChooseBackup({ file, onChosen }: ChooseBackupProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [folder, setFolder] = useState("");
  const find = useMutation({
    mutationFn: (path?: string) =>
      call(backupOperations.find, { body: path === undefined ? {} : { path } }),
  });
  const upload = useMutation({
    mutationFn: uploadBackups,
    onSuccess: ({ file: stored }) => onChosen(stored),
  });
  const { mutate } = find;
  useEffect(() => mutate(undefined), [mutate]);
  const isFolderWrong = find.error instanceof ApiError && FOLDER_REFUSALS.has(find.error.errorCode);
  const error = isFolderWrong ? upload.error : (find.error ?? upload.error);
  return (
    <fieldset className={classes.group}>
      <legend className="span-all size-label strong">{t("restore.where")}</legend>
      {find.data ? <BackupChoice list={find.data.list} file={file} onChosen={onChosen} /> : null}
      <TextInput
        className="span-all"
        label={t("restore.folder")}
        placeholder={FOLDER}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={folder}
        error={isFolderWrong ? t("restore.folderWrong", { example: FOLDER }) : undefined}
        onChange={({ currentTarget }) => setFolder(currentTarget.value)}
      />
      <Button
        variant="default"
        loading={find.isPending}
        onClick={() => find.mutate(folder.trim() || undefined)}
      >
        {t("restore.find")}
      </Button>
      <FileButton multiple onChange={(chosen) => chosen.length > 0 && upload.mutate(chosen)}>
        {(props) => (
          <Button {...props} variant="default" loading={upload.isPending}>
            {upload.data
              ? t("restore.chosen", { size: format.number(Math.ceil(upload.data.bytes / 1e6)) })
              : t("restore.file")}
          </Button>
        )}
      </FileButton>
      {error ? (
        <div className="span-all">
          <Trouble error={error} />
        </div>
      ) : null}
    </fieldset>
  );
}

interface BackupChoiceProps extends ChooseBackupProps {
  readonly list: FoundBackups["list"];
}

function BackupChoice({ list, file, onChosen }: BackupChoiceProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (list.length === 0) {
    return <p className="span-all">{t("restore.noneFound")}</p>;
  }
  return (
    <Radio.Group className="span-all" label={t("restore.found")} value={file} onChange={onChosen}>
      {list.map((backup) => (
        <Radio
          key={backup.file}
          className="tick"
          value={backup.file}
          label={format.moment(backup.takenAt)}
          description={<bdi dir="ltr">{backup.file}</bdi>}
        />
      ))}
    </Radio.Group>
  );
}

interface RefusalProps {
  readonly found: LookedAt | undefined;
  readonly error: Error | null;
}

function Refusal({ found, error }: RefusalProps) {
  const fault = found?.fault ?? faultOf(error);
  return fault ? (
    <Notice tone="bad" loud>
      <BackupFaultText fault={fault} problems={found?.problems} />
    </Notice>
  ) : (
    <Trouble error={error} />
  );
}

interface FoundProps {
  readonly found: LookedAt;
  readonly isPending: boolean;
  readonly onRestore: (acceptUnsigned: boolean) => void;
}

/** Shows the content of the backup before any data is replaced. */
function Found({ found, isPending, onRestore }: FoundProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { about, shopName, isUnsigned, view } = found;
  return (
    <>
      <section aria-label={t("restore.inside")}>
        <h2 className="span-all size-label strong">{shopName}</h2>
        {about ? (
          <p>
            {t("restore.about", {
              time: format.moment(about.takenAt),
              environment: t(about.environment === "live" ? "restore.live" : "restore.test"),
            })}
          </p>
        ) : null}
        {view ? <p>{t("restore.sales", { number: format.number(view.sales) })}</p> : null}
      </section>
      {isUnsigned ? (
        <Notice tone="stop" loud>
          {t("restore.unsigned")}
        </Notice>
      ) : null}
      <Button h="4rem" loading={isPending} onClick={() => onRestore(isUnsigned)}>
        {t(isUnsigned ? "restore.doUnsigned" : "restore.do", { name: shopName })}
      </Button>
    </>
  );
}

/** Waits until the restored shop runs, and then opens its sign-in screen. */
function Restarting({ shopName }: { readonly shopName: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...statusQuery(), refetchInterval: AGAIN_MS, retry: false });
  const isThere = data?.setUp === true;
  useEffect(() => {
    if (isThere) {
      window.location.reload();
    }
  }, [isThere]);
  return (
    <main className="flex justify-center h-full overflow-y-auto pad-4">
      <p className={classes.title} role="status">
        {t("restore.opening", { name: shopName })}
      </p>
    </main>
  );
}
