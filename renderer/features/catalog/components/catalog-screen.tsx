import { ActionIcon, Button, FileButton, Progress } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowUp,
  IconDownload,
  IconFileUpload,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type CatalogImport,
  LARGEST_CATALOG_FILE,
} from "../../../../server/contract/pos/catalog-imports.ts";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type {
  CatalogPins,
  CatalogSwitch,
  CatalogUpdates,
  SwitchTarget,
} from "../../../../server/contract/pos/office-catalog.ts";
import { CatalogDifference } from "../../../components/catalog-difference.tsx";
import { ErrorNotice, Notice, Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { kindWords } from "../../../lib/kind-words.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { catalogFileAddress } from "../api/catalog-import-queries.ts";
import { pinsQuery, summaryQuery, switchesQuery, updatesQuery } from "../api/catalog-queries.ts";
import { useCatalogImport } from "../use-catalog-import.ts";
import { useChoices } from "../use-choices.ts";
import classes from "./catalog-screen.module.css";
import { OfferBrowser } from "./offer-browser.tsx";
import { OfferName, useAmount } from "./offer-row.tsx";

const VIEWS = ["offers", "pins", "file", "history"] as const;
type View = (typeof VIEWS)[number];

type CatalogScreenProps = Pick<OfficeSectionProps, "search" | "onSearch"> & {
  readonly environment: Environment;
  /** Only the owner may download files, because they contain every offer's cost. */
  readonly isOwner: boolean;
};

export function CatalogScreen(props: CatalogScreenProps) {
  const { environment, isOwner, search, onSearch } = props;
  const { t } = useTranslation();
  const summary = useQuery(summaryQuery(environment));
  const views = VIEWS.filter((view) => isOwner || view !== "file");
  const view = views.find((one) => one === search.view) ?? "offers";
  return (
    <OfficeScreen title={t("office.frame.section.catalog")} environment={environment} isSheet>
      <ViewTabs
        label={t("office.catalog.views")}
        views={views.map((value) => ({ value, label: t(`office.catalog.view.${value}`) }))}
        view={view}
        onView={(next) => onSearch(next === "offers" ? {} : { view: next })}
      />
      <QueryTrouble query={summary} />
      <OpenView view={view} {...props} />
    </OfficeScreen>
  );
}

function OpenView({
  view,
  isOwner: _isOwner,
  ...rest
}: CatalogScreenProps & { readonly view: View }) {
  if (view === "pins") {
    return <PinnedOffers environment={rest.environment} />;
  }
  if (view === "file") {
    return <CatalogFile environment={rest.environment} />;
  }
  if (view === "history") {
    return <CatalogHistory environment={rest.environment} />;
  }
  return <OfferBrowser {...rest} />;
}

function CatalogHistory({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  const switches = useQuery(switchesQuery(environment));
  const updates = useQuery(updatesQuery(environment));
  const choices = useChoices(environment);
  return (
    <>
      <Trouble error={choices.error} />
      <section className="stack gap-3" aria-labelledby="catalog-switches">
        <h2 id="catalog-switches" className="size-label">
          {t("office.catalog.switches")}
        </h2>
        <QueryTrouble query={switches} />
        {switches.data?.list.length === 0 ? (
          <p className={classes.empty}>{t("office.catalog.noSwitches")}</p>
        ) : null}
        <ul className="stack gap-2">
          {switches.data?.list.map((made) => (
            <SwitchEntry
              key={made.sequence}
              {...{ environment, made }}
              onUndo={() => void choices.undo(made.sequence).catch(() => {})}
            />
          ))}
        </ul>
      </section>
      <section className="stack gap-3" aria-labelledby="catalog-updates">
        <h2 id="catalog-updates" className="size-label">
          {t("office.catalog.updates")}
        </h2>
        <QueryTrouble query={updates} />
        {updates.data?.list.length === 0 ? (
          <p className={classes.empty}>{t("office.catalog.noUpdates")}</p>
        ) : null}
        <ul className="stack gap-2">
          {updates.data?.list.map((update) => (
            <UpdateEntry key={`${update.at} ${update.version}`} update={update} />
          ))}
        </ul>
      </section>
    </>
  );
}

interface SwitchEntryProps {
  readonly environment: Environment;
  readonly made: CatalogSwitch;
  readonly onUndo: () => void;
}

function SwitchEntry({ environment, made, onUndo }: SwitchEntryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const targetWords = useTargetWords(environment);
  const { enabled, offers: count, undoneAt, target } = made;
  return (
    <li className={classes.pin}>
      <div className={classes.name}>
        <strong dir="auto">{targetWords(target)}</strong>
        <span className="soft size-caption">
          {t(`office.catalog.done.${enabled ? "show" : "hide"}`, {
            count,
            amount: format.number(count),
          })}
        </span>
        <Moment at={made.at} who={made.staff?.name} />
      </div>
      {undoneAt ? (
        <span className="soft size-caption">{t("office.catalog.undone")}</span>
      ) : (
        <Button variant="default" onClick={onUndo}>
          {t("office.catalog.undo")}
        </Button>
      )}
    </li>
  );
}

function UpdateEntry({ update }: { readonly update: CatalogUpdates["list"][number] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, added, changed, removed, failure } = update;
  const counts = {
    added: format.number(added),
    changed: format.number(changed),
    removed: format.number(removed),
  };
  return (
    <li className={classes.pin} data-failed={failure !== undefined}>
      <div className={classes.name}>
        <strong>{t(`office.catalog.update.${kind}`)}</strong>
        <span>{failure ?? t("office.catalog.counts", counts)}</span>
        <Moment at={update.at} who={update.staff?.name} />
      </div>
      {failure ? <span className="bad strong">{t("office.catalog.failed")}</span> : null}
    </li>
  );
}

function Moment({ at, who }: { readonly at: string; readonly who: string | undefined }) {
  const format = useFormat();
  return (
    <span className="soft size-caption">
      {[format.moment(at), who].filter(Boolean).join(" · ")}
    </span>
  );
}

/** Returns a function that names the switched offers, such as "Tigo · Guatemala". */
function useTargetWords(environment: Environment): (target: SwitchTarget) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const summary = useQuery(summaryQuery(environment));
  return ({ offerId, brand, country, subType, family }) =>
    [
      offerId,
      brand && (summary.data?.brands.find(({ code }) => code === brand)?.name ?? brand),
      country && format.country(country),
      subType && kindWords(subType, t),
      family && t(`family.${family}.one`),
    ]
      .filter(Boolean)
      .join(" · ");
}

/** The counter shows pinned offers before all others, in this order. */
function PinnedOffers({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  const pins = useQuery(pinsQuery(environment));
  const choices = useChoices(environment);
  const list = pins.data?.list ?? [];
  return (
    <>
      <p className="soft size-caption">{t("office.catalog.pinsHint")}</p>
      <QueryTrouble query={pins} />
      <Trouble error={choices.error} />
      {pins.data && list.length === 0 ? (
        <p className={classes.empty}>{t("office.catalog.noPins")}</p>
      ) : null}
      {FAMILIES.map((family) => {
        const of = list.filter((pin) => pin.family === family);
        return of.length > 0 ? (
          <PinnedFamily
            key={family}
            family={family}
            pins={of}
            onOrder={(offerIds) => void choices.savePins({ family, offerIds }).catch(() => {})}
          />
        ) : null;
      })}
    </>
  );
}

interface PinnedFamilyProps {
  readonly family: Family;
  readonly pins: CatalogPins["list"];
  readonly onOrder: (offerIds: string[]) => void;
}

function PinnedFamily({ family, pins, onOrder }: PinnedFamilyProps) {
  const { t } = useTranslation();
  const amount = useAmount();
  const ids = pins.map(({ offerId }) => offerId);
  const moved = (from: number, to: number) => {
    const others = ids.toSpliced(from, 1);
    return others.toSpliced(to, 0, ids[from] ?? "");
  };
  return (
    <section aria-label={t(`family.${family}.one`)} className="stack gap-3">
      <h2 className="size-label">{t(`family.${family}.one`)}</h2>
      <ol className="stack gap-2">
        {pins.map(({ offerId, offer }, index) => {
          const name = offer ? `${offer.brandName} ${amount(offer.price)}` : offerId;
          return (
            <li key={offerId} className={classes.pin}>
              {offer ? <OfferName row={offer} /> : <bdi>{offerId}</bdi>}
              <strong>{offer ? amount(offer.price) : t("office.catalog.gone")}</strong>
              <div className="row wrap gap-2">
                <PinAction
                  label={t("office.catalog.pinUp", { name })}
                  Icon={IconArrowUp}
                  disabled={index === 0}
                  onAct={() => onOrder(moved(index, index - 1))}
                />
                <PinAction
                  label={t("office.catalog.pinDown", { name })}
                  Icon={IconArrowDown}
                  disabled={index === pins.length - 1}
                  onAct={() => onOrder(moved(index, index + 1))}
                />
                <PinAction
                  label={t("office.catalog.unpin", { name })}
                  Icon={IconX}
                  onAct={() => onOrder(ids.filter((id) => id !== offerId))}
                />
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface PinActionProps {
  readonly label: string;
  readonly Icon: typeof IconX;
  readonly disabled?: boolean;
  readonly onAct: () => void;
}

function PinAction({ label, Icon, disabled = false, onAct }: PinActionProps) {
  return (
    <ActionIcon
      variant="subtle"
      size="var(--touch)"
      aria-label={label}
      disabled={disabled}
      onClick={onAct}
    >
      <Icon size="1.25rem" aria-hidden="true" />
    </ActionIcon>
  );
}

const MEGABYTE = 1024 * 1024;

function CatalogFile({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  return (
    <>
      <section className="section stack gap-3" aria-labelledby="catalog-out">
        <h2 id="catalog-out" className="size-label">
          {t("office.catalog.file.out")}
        </h2>
        <p className={classes.soft}>{t("office.catalog.file.outHint")}</p>
        <div className="flex wrap gap-3">
          <Button
            component="a"
            href={catalogFileAddress(environment)}
            download
            variant="default"
            leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
          >
            {t("office.catalog.file.save")}
          </Button>
        </div>
      </section>
      <FileIn environment={environment} />
    </>
  );
}

function FileIn({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const taking = useCatalogImport(environment);
  const [tooLarge, setTooLarge] = useState<File>();
  const { state, isSending, error } = taking;
  const most = format.number(LARGEST_CATALOG_FILE / MEGABYTE);
  const isBusy =
    isSending || state?.import?.state === "CHECKING" || state?.import?.state === "WRITING";
  const choose = (file: File | null) => {
    const fits = file && file.size > 0 && file.size <= LARGEST_CATALOG_FILE;
    setTooLarge(file && !fits ? file : undefined);
    if (fits) taking.send(file);
  };
  return (
    <section className="section stack gap-3" aria-labelledby="catalog-in">
      <h2 id="catalog-in" className="size-label">
        {t("office.catalog.file.in")}
      </h2>
      {state?.fromProvider ? (
        <Notice tone="info">{t("office.catalog.file.provider")}</Notice>
      ) : (
        <>
          <p className={classes.soft}>{t("office.catalog.file.inHint", { most })}</p>
          <p className={classes.soft}>{t("office.catalog.file.inNext")}</p>
          {isBusy ? null : (
            <div className="flex wrap gap-3">
              <FileButton onChange={choose} accept=".json,application/json">
                {(props) => (
                  <Button
                    {...props}
                    variant={state?.import ? "default" : "filled"}
                    leftSection={<IconFileUpload size="1.25rem" aria-hidden="true" />}
                  >
                    {t("office.catalog.file.choose")}
                  </Button>
                )}
              </FileButton>
            </div>
          )}
          {tooLarge ? (
            <Notice tone="bad" loud>
              {t("office.catalog.file.tooLarge", { name: tooLarge.name, most })}
            </Notice>
          ) : null}
          {error ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
          {state?.import ? <CatalogImportView file={state.import} {...taking} /> : null}
        </>
      )}
    </section>
  );
}

interface CatalogImportViewProps {
  readonly file: CatalogImport;
  readonly isSending: boolean;
  readonly isTaking: boolean;
  readonly take: (importId: string) => void;
  readonly leave: () => void;
}

function CatalogImportView(props: CatalogImportViewProps) {
  const { t } = useTranslation();
  const { file, isSending, isTaking, take, leave } = props;
  const { name, state, difference } = file;
  if (state === "READY" && difference) {
    return (
      <CatalogDifference
        title={t("office.catalog.file.ready", { name })}
        difference={difference}
        isTaking={isTaking}
        onTake={() => take(file.importId)}
      >
        <Button variant="default" disabled={isTaking} onClick={leave}>
          {t("common.cancel")}
        </Button>
      </CatalogDifference>
    );
  }
  if (state === "FAULTY") {
    return <Faults file={file} />;
  }
  if (state === "SAME") {
    return <Notice tone="info">{t("office.catalog.file.same", { name })}</Notice>;
  }
  if (state === "DONE") {
    return <Notice tone="info">{t("office.catalog.file.done", { name })}</Notice>;
  }
  if (state === "FAILED") {
    return (
      <Notice tone="bad" loud>
        {t("office.catalog.file.failed", { name })}{" "}
        <small lang="en" dir="ltr">
          {file.failure}
        </small>
      </Notice>
    );
  }
  if (state === "RECEIVING" && !isSending) {
    return <Notice tone="wait">{t("office.catalog.file.cut", { name })}</Notice>;
  }
  return <Underway file={file} onLeave={leave} />;
}

function Underway({
  file,
  onLeave,
}: {
  readonly file: CatalogImport;
  readonly onLeave: () => void;
}) {
  const { t } = useTranslation();
  const { name, state, receivedBytes, bytes, written = 0 } = file;
  const step = state === "WRITING" || state === "CHECKING" ? state : "RECEIVING";
  const words = t(`office.catalog.file.underway.${step}`, { name });
  const part = { RECEIVING: receivedBytes / bytes, CHECKING: 1, WRITING: written }[step];
  return (
    <div className="stack gap-3 pad-4 bordered round">
      <strong role="status">{words}</strong>
      <Progress value={100 * part} animated={step === "CHECKING"} aria-label={words} size="lg" />
      <div className="flex wrap gap-3">
        <Button variant="default" onClick={onLeave}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

function Faults({ file }: { readonly file: CatalogImport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, faults = [], faultCount = 0 } = file;
  return (
    <div className="stack gap-3">
      <Notice tone="bad" loud>
        {t("office.catalog.file.faulty", { name, number: format.number(faultCount) })}
      </Notice>
      <ol className={classes.faultList}>
        {faults.map(({ line, field, message }) => (
          <li key={`${line} ${field} ${message}`}>
            {line === undefined ? null : (
              <strong>{t("office.catalog.file.line", { number: format.number(line) })}</strong>
            )}
            <span className="soft text-start" lang="en" dir="ltr">
              {field === "" ? null : <code className="ink medium">{field}</code>} {message}
            </span>
          </li>
        ))}
      </ol>
      {faultCount > faults.length ? (
        <p className={classes.soft}>
          {t("office.catalog.file.more", { number: format.number(faultCount - faults.length) })}
        </p>
      ) : null}
    </div>
  );
}
