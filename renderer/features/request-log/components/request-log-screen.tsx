import { Button, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type LoggedBody,
  type LoggedRequest,
  type RequestDetails,
  requestLogOperations,
  STATUS_GROUPS,
} from "../../../../server/contract/pos/request-log.ts";
import { sandboxOperations } from "../../../../server/contract/pos/sandboxes.ts";
import { BackButton } from "../../../components/back-button.tsx";
import { EnvironmentChoice } from "../../../components/environment-choice.tsx";
import { Form } from "../../../components/form.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { joinParts } from "../../../lib/direction.ts";
import type { OfficeSearch, OfficeSectionProps } from "../../../lib/office-section.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  deliveriesOfQuery,
  environmentOf,
  keysQuery,
  requestsQuery,
  sandboxOf,
  sandboxRequestQuery,
  toSandboxChoice,
} from "../api/request-log-queries.ts";
import { toCurl } from "../to-curl.ts";
import classes from "./request-log.module.css";

type ScreenProps = Pick<OfficeSectionProps, "session" | "search" | "onSearch" | "onOpen">;

/** Lists the requests of API keys, and shows the bodies of one of them. */
export function RequestLogScreen(props: ScreenProps) {
  const { t } = useTranslation();
  const { session, search } = props;
  return (
    <OfficeScreen
      title={t("office.frame.section.requests")}
      environment={environmentOf(search, session)}
    >
      <div className={classes.split} data-chosen={search.id !== undefined}>
        <div className={classes.card}>
          <p className="soft">{t("office.requests.intro")}</p>
          <Filters {...props} />
          <RequestList {...props} />
        </div>
        <aside className={classes.card} aria-label={t("office.requests.detail")}>
          {search.id === undefined ? (
            <p className={classes.soft}>{t("office.requests.select")}</p>
          ) : (
            <RequestView {...props} key={search.id} requestNo={search.id} />
          )}
        </aside>
      </div>
    </OfficeScreen>
  );
}

/** Sets a filter, and closes the open request. An empty value removes the filter. */
function changed(search: OfficeSearch, name: string, value: string): OfficeSearch {
  const { [name]: _before, id: _id, ...rest } = search;
  return value === "" ? rest : { ...rest, [name]: value };
}

function Filters({ session, search, onSearch }: ScreenProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(search.find ?? "");
  const keys = useQuery(keysQuery());
  const environment = environmentOf(search, session);
  const sandboxes = useQuery({
    ...operationQuery(sandboxOperations.list),
    enabled: environment === "test",
  });
  const own = (keys.data?.list ?? []).filter((key) => key.environment === environment);
  return (
    <Form
      className={classes.filters}
      onSubmit={() => onSearch(changed(search, "find", text.trim()))}
    >
      <EnvironmentChoice
        value={environment}
        onChange={(value) => onSearch(changed(changed(search, "key", ""), "environment", value))}
      />
      <NativeSelect
        label={t("office.requests.key")}
        data={[
          { value: "", label: t("office.requests.everyKey") },
          ...own.map(({ keyId, name }) => ({ value: keyId, label: name })),
          ...(environment === "test" ? (sandboxes.data?.list ?? []) : []).map(({ name }) => ({
            value: toSandboxChoice(name),
            label: t("office.requests.sandbox", { name }),
          })),
        ]}
        value={search.key ?? ""}
        onChange={({ currentTarget }) => onSearch(changed(search, "key", currentTarget.value))}
      />
      <NativeSelect
        label={t("office.requests.status")}
        data={[
          { value: "", label: t("office.requests.everyStatus") },
          ...STATUS_GROUPS.map((group) => ({
            value: group,
            label: t(`office.requests.group.${group}`),
          })),
        ]}
        value={search.status ?? ""}
        onChange={({ currentTarget }) => onSearch(changed(search, "status", currentTarget.value))}
      />
      <TextInput
        type="date"
        label={t("office.requests.day")}
        value={search.day ?? ""}
        onChange={({ currentTarget }) => onSearch(changed(search, "day", currentTarget.value))}
      />
      <div className={classes.search}>
        <TextInput
          type="search"
          label={t("office.requests.find")}
          dir="ltr"
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t("office.requests.search")}
        </Button>
      </div>
    </Form>
  );
}

function RequestList({ session, search, onSearch }: ScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const requests = useInfiniteQuery(requestsQuery(search, session));
  const list = requests.data?.pages.flatMap((page) => page.list) ?? [];
  const dropped = requests.data?.pages[0]?.dropped ?? 0;
  const isFiltered = ["key", "status", "day", "find"].some((name) => search[name] !== undefined);
  return (
    <>
      <QueryTrouble query={requests} />
      {requests.isPending && !troubleOf(requests) ? (
        <div role="status" aria-busy="true" aria-label={t("common.loading")}>
          <Skeleton height="12rem" radius="md" />
        </div>
      ) : null}
      {dropped > 0 ? (
        <p className={classes.soft}>
          {t("office.requests.dropped", { number: format.number(dropped) })}
        </p>
      ) : null}
      {requests.isSuccess && list.length === 0 ? (
        <p className={classes.soft}>{t(`office.requests.${isFiltered ? "none" : "empty"}`)}</p>
      ) : null}
      <ol className="stack" aria-label={t("office.requests.list")}>
        {list.map((request) => (
          <RequestRow
            key={request.requestNo}
            request={request}
            isChosen={String(request.requestNo) === search.id}
            onOpen={() => onSearch({ ...search, id: String(request.requestNo) })}
          />
        ))}
      </ol>
      {requests.hasNextPage ? (
        <Button
          variant="default"
          loading={requests.isFetchingNextPage}
          onClick={() => void requests.fetchNextPage()}
        >
          {t("office.requests.older")}
        </Button>
      ) : null}
    </>
  );
}

interface RequestRowProps {
  readonly request: LoggedRequest;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

function RequestRow({ request, isChosen, onOpen }: RequestRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { at, duration_ms, keyName, method, path, status } = request;
  return (
    <li>
      <button type="button" className={classes.row} aria-current={isChosen} onClick={onOpen}>
        <span className={classes.status} data-good={status < 400}>
          {status}
        </span>
        <bdi dir="ltr" className="break-anywhere">
          {method} {path}
        </bdi>
        <span className={classes.when}>
          {format.day(at)} {format.timeExact(at)} ·{" "}
          {t("office.requests.duration", { number: format.number(duration_ms) })} ·{" "}
          <bdi>{keyName}</bdi>
        </span>
      </button>
    </li>
  );
}

interface RequestViewProps
  extends Pick<OfficeSectionProps, "session" | "search" | "onSearch" | "onOpen"> {
  readonly requestNo: string;
}

function RequestView(props: RequestViewProps) {
  const { t } = useTranslation();
  const { requestNo, search, onSearch } = props;
  const sandbox = sandboxOf(search);
  const ofShop = useQuery({
    ...operationQuery(requestLogOperations.get, { params: { requestNo } }),
    enabled: sandbox === undefined,
  });
  const ofSandbox = useQuery({
    ...sandboxRequestQuery(sandbox ?? "", requestNo),
    enabled: sandbox !== undefined,
  });
  const found = sandbox === undefined ? ofShop : ofSandbox;
  return (
    <>
      <BackButton
        className={classes.back}
        onClick={() => {
          const { id: _, ...rest } = search;
          onSearch(rest);
        }}
      >
        {t("office.requests.back")}
      </BackButton>
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
    <section className="stack gap-2 min-w-0" aria-labelledby="request-title">
      <h2 id="request-title" className={classes.legend} dir="ltr">
        {status} {method} {path}
      </h2>
      <p className="soft break-anywhere">
        {format.day(at)} {format.timeExact(at)} ·{" "}
        {t("office.requests.duration", { number: format.number(duration_ms) })} ·{" "}
        <bdi>{keyName}</bdi>
      </p>
      <p className="soft break-anywhere">
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
  const format = useFormat();
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
      <p className="soft break-anywhere">
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
        <p className="soft break-anywhere">
          {t("office.requests.deliveries")}{" "}
          {joinParts(
            sent.map(({ state }) => t(`office.settings.hooks.state.${state}`)),
            format.locale,
          )}{" "}
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
    <section className="stack gap-2 min-w-0">
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
    <section className="stack gap-2 min-w-0" aria-label={title}>
      <h3 className={classes.legend}>{title}</h3>
      {text === undefined ? (
        <p className="soft break-anywhere">{absent}</p>
      ) : (
        <pre className={classes.body} dir="ltr">
          {JSON.stringify(JSON.parse(text), null, 2)}
        </pre>
      )}
    </section>
  );
}
