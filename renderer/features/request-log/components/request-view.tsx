import { Button, Skeleton } from "@mantine/core";
import { IconArrowLeft, IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LoggedBody, RequestDetails } from "../../../../server/contract/pos/request-log.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  deliveriesOfQuery,
  environmentOf,
  requestQuery,
  sandboxOf,
  sandboxRequestQuery,
} from "../api/request-log-queries.ts";
import { toCurl } from "../to-curl.ts";
import classes from "./request-log.module.css";

interface RequestViewProps
  extends Pick<OfficeSectionProps, "session" | "search" | "onSearch" | "onOpen"> {
  readonly requestNo: string;
}

export function RequestView(props: RequestViewProps) {
  const { t } = useTranslation();
  const { requestNo, search, onSearch } = props;
  const sandbox = sandboxOf(search);
  const ofShop = useQuery({ ...requestQuery(requestNo), enabled: sandbox === undefined });
  const ofSandbox = useQuery({
    ...sandboxRequestQuery(sandbox ?? "", requestNo),
    enabled: sandbox !== undefined,
  });
  const found = sandbox === undefined ? ofShop : ofSandbox;
  return (
    <>
      <Button
        className={classes.back ?? ""}
        variant="default"
        leftSection={<IconArrowLeft size="1.25rem" aria-hidden="true" />}
        onClick={() => {
          const { id: _, ...rest } = search;
          onSearch(rest);
        }}
      >
        {t("office.requests.back")}
      </Button>
      <QueryTrouble query={found} />
      {found.isPending && !troubleOf(found) ? (
        <div role="status" aria-busy="true" aria-label={t("common.loading")}>
          <Skeleton height="10rem" radius="md" />
        </div>
      ) : null}
      {found.data ? (
        <>
          <Facts {...props} details={found.data} />
          <CopyAsCurl details={found.data} />
          <BodyText title={t("office.requests.response")} body={found.data.response} />
          <BodyText title={t("office.requests.request")} body={found.data.request} />
        </>
      ) : null}
    </>
  );
}

type FactsProps = Omit<RequestViewProps, "requestNo"> & { readonly details: RequestDetails };

function Facts(props: FactsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { details } = props;
  const { at, duration_ms, keyName, method, path, requestId, status, transactionId } = details;
  return (
    <section className={classes.part} aria-labelledby="request-title">
      <h2 id="request-title" className={classes.legend} dir="ltr">
        {status} {method} {path}
      </h2>
      <p className={classes.facts}>
        {format.day(at)} {format.timeExact(at)} ·{" "}
        {t("office.requests.duration", { number: format.number(duration_ms) })} ·{" "}
        <bdi>{keyName}</bdi>
      </p>
      <p className={classes.facts}>
        {t("office.requests.requestId")} <bdi dir="ltr">{requestId}</bdi>
      </p>
      {transactionId === undefined ? null : (
        <TransactionFacts {...props} transactionId={transactionId} />
      )}
    </section>
  );
}

function TransactionFacts(props: FactsProps & { readonly transactionId: string }) {
  const { t } = useTranslation();
  const { session, search, onOpen, transactionId } = props;
  const environment = environmentOf(search, session);
  const sandbox = sandboxOf(search);
  // Sales of a sandbox are not in the shop's records.
  const isOfShop = sandbox === undefined;
  const section = isOfShop ? "webhooks" : "sandboxes";
  const deliveries = useQuery(deliveriesOfQuery(environment, sandbox, transactionId));
  const sent = deliveries.data?.list ?? [];
  return (
    <>
      <p className={classes.facts}>
        {t("office.requests.transaction")}{" "}
        {isOfShop && environment === session.environment ? (
          <Button
            variant="subtle"
            size="compact-md"
            onClick={() => onOpen("sales", { id: transactionId })}
          >
            <bdi dir="ltr">{transactionId}</bdi>
          </Button>
        ) : (
          <bdi dir="ltr">{transactionId}</bdi>
        )}
      </p>
      {sent.length === 0 ? null : (
        <p className={classes.facts}>
          {t("office.requests.deliveries")}{" "}
          {sent.map(({ state }) => t(`office.settings.hooks.state.${state}`)).join(", ")}{" "}
          <Button variant="subtle" size="compact-md" onClick={() => onOpen(section)}>
            {t(`office.frame.section.${section}`)}
          </Button>
        </p>
      )}
    </>
  );
}

function CopyAsCurl({ details }: { readonly details: RequestDetails }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const command = toCurl(details);

  async function copy() {
    // Without access to the clipboard, the command is selected for copying.
    const isDone = await navigator.clipboard?.writeText(command).then(
      () => true,
      () => false,
    );
    if (isDone) {
      setCopied(true);
      announce(t("office.requests.copied"));
    }
  }

  return (
    <section className={classes.part}>
      <pre className={classes.body} dir="ltr">
        {command}
      </pre>
      <Button
        className={classes.start ?? ""}
        variant="default"
        leftSection={<IconCopy size="1.25rem" aria-hidden="true" />}
        onClick={() => void copy()}
      >
        {t(isCopied ? "office.requests.copied" : "office.requests.copy")}
      </Button>
      <p className={classes.soft}>{t("office.requests.copyHint")}</p>
    </section>
  );
}

function BodyText({ title, body }: { readonly title: string; readonly body: LoggedBody }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { bytes = 0, text } = body;
  const absent =
    bytes === 0
      ? t("office.requests.noBody")
      : t("office.requests.notKept", { number: format.number(bytes) });
  return (
    <section className={classes.part} aria-label={title}>
      <h3 className={classes.legend}>{title}</h3>
      {text === undefined ? (
        <p className={classes.facts}>{absent}</p>
      ) : (
        <pre className={classes.body} dir="ltr">
          {JSON.stringify(JSON.parse(text), null, 2)}
        </pre>
      )}
    </section>
  );
}
