import { useMutation, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  type Approval,
  type ApprovalInput,
  approvalOperations,
  readFacts,
} from "../../../../server/contract/pos/approvals.ts";
import { type Need, writeNeeds } from "../../../../server/contract/pos/rights.ts";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormButtons } from "../../../components/form.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { LatePinField } from "../../../components/late-pin-field.ts";
import { Loading } from "../../../components/loading.tsx";
import { Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import {
  ApprovalContext,
  type ApprovalRequest,
  type Approve,
} from "../../../lib/approval-context.ts";
import { factWords, needFigure, needWords } from "../../../lib/approval-words.ts";
import { findByKey } from "../../../lib/find-by-key.ts";
import { initialsOf } from "../../../lib/initials.ts";
import { meaningOf } from "../../../lib/key-edge.ts";
import { signOf } from "../../../lib/key-meaning.ts";
import { Listeners } from "../../../lib/listeners.ts";
import { newId } from "../../../lib/new-id.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { readPin, SHORTEST_PIN } from "../../../lib/pin.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./approval-dialog.module.css";

interface Asked {
  readonly request: ApprovalRequest;
  readonly answer: (approvalId: string | undefined) => void;
}

/** The open approval request, if any. A new request refuses the previous one. */
class OpenApproval {
  #asked: Asked | undefined;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;

  readonly ask: Approve = (request) => {
    this.#asked?.answer(undefined);
    return new Promise((answer) => this.#set({ request, answer }));
  };

  /**
   * Ends the open request.
   * @param approvalId undefined if the approval was refused
   */
  readonly answer = (approvalId: string | undefined): void => {
    this.#asked?.answer(approvalId);
    this.#set(undefined);
  };

  readonly request = (): ApprovalRequest | undefined => this.#asked?.request;

  #set(asked: Asked | undefined): void {
    this.#asked = asked;
    this.#listeners.notify();
  }
}

function approversQuery(needs: readonly Need[]) {
  return operationQuery(approvalOperations.listApprovers, { query: { needs: writeNeeds(needs) } });
}

function sendApproval(input: ApprovalInput): Promise<Approval> {
  return call(approvalOperations.approve, { body: input });
}

/**
 * Allows any screen to request an approval, one at a time. Locking the till refuses the open
 * request.
 */
export function ApprovalProvider({ children }: { readonly children: ReactNode }) {
  const [open] = useState(() => new OpenApproval());
  const request = useSyncExternalStore(open.subscribe, open.request);
  useEffect(() => () => open.answer(undefined), [open]);
  return (
    <ApprovalContext value={open.ask}>
      {children}
      {request ? <ApprovalDialog request={request} onAnswer={open.answer} /> : null}
    </ApprovalContext>
  );
}

interface ApprovalDialogProps {
  readonly request: ApprovalRequest;
  readonly onAnswer: (approvalId: string | undefined) => void;
}

function ApprovalDialog({ request, onAnswer }: ApprovalDialogProps) {
  const { t } = useTranslation();
  const approvers = useQuery(approversQuery(request.needs));
  const people = approvers.data?.list ?? [];
  const [chosen, setChosen] = useState<string>();
  const person = people.length === 1 ? people[0] : people.find(({ staffId }) => staffId === chosen);
  return (
    <Dialog
      opened
      onClose={() => onAnswer(undefined)}
      title={t(person ? "approval.titleFor" : "approval.title", { name: person?.name ?? "" })}
    >
      <div className="stack gap-4">
        <NeedList request={request} />
        {approvers.isPending && !troubleOf(approvers) ? <Loading heights={["3.5rem"]} /> : null}
        {approvers.isSuccess && people.length === 0 ? (
          <Notice tone="wait">{t("approval.nobody")}</Notice>
        ) : null}
        {people.length > 1 ? (
          <ApproverFaces people={people} chosen={person?.staffId} onChoose={setChosen} />
        ) : null}
        <QueryTrouble query={approvers} />
        {person ? (
          <PinForm key={person.staffId} person={person} request={request} onAnswer={onAnswer} />
        ) : null}
      </div>
    </Dialog>
  );
}

function NeedList({ request }: { readonly request: ApprovalRequest }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: unit } = useQuery(statusQuery());
  const { needs, allowed } = request;
  const [first] = needs;
  if (!unit || !first) {
    return null;
  }
  const facts = factWords(readFacts(request.facts) ?? {}, { t, format, unit });
  return (
    <div className="stack gap-1">
      <ul>
        {needs.map((need) => (
          <li key={need.right} className="size-label strong">
            {needWords(need, t, format, unit)}
          </li>
        ))}
      </ul>
      {first.asked !== undefined && allowed !== undefined && Number.isFinite(allowed) ? (
        <p className="soft">
          {t("approval.allowed", {
            figure: needFigure({ right: first.right, asked: allowed }, format, unit),
          })}
        </p>
      ) : null}
      <dl className={classes.facts}>
        {facts.map(({ name, label, value }) => (
          <Fragment key={name}>
            <dt className="soft">{label}</dt>
            <dd className="medium">
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

interface PinFormProps extends ApprovalDialogProps {
  readonly person: StaffName;
}

function PinForm({ person, request, onAnswer }: PinFormProps) {
  const { t } = useTranslation();
  const [pin, setPin] = useState("");
  // Keeps the id, so that a repeated request after a lost response is the same approval.
  const [approvalId] = useState(newId);
  const approval = useMutation({
    mutationFn: () =>
      sendApproval({
        approvalId,
        staffId: person.staffId,
        pin,
        rights: [...request.needs],
        subject: request.subject,
        requestDigest: request.requestDigest,
        facts: request.facts,
      }),
    onSuccess: () => onAnswer(approvalId),
    onError: () => setPin(""),
  });
  return (
    <Form
      className="stack gap-4"
      onSubmit={() => {
        if (pin.length >= SHORTEST_PIN && !approval.isPending) {
          approval.mutate();
        }
      }}
    >
      <LatePinField
        data-autofocus
        autoFocus
        label={t("approval.pin", { name: person.name })}
        value={pin}
        onChange={(event) => setPin(readPin(event.currentTarget.value))}
        autoComplete="off"
      />
      {approval.error ? <ApprovalTrouble error={approval.error} person={person} /> : null}
      <FormButtons
        onCancel={() => onAnswer(undefined)}
        loading={approval.isPending}
        disabled={pin.length < SHORTEST_PIN}
      >
        {t("approval.submit")}
      </FormButtons>
    </Form>
  );
}

interface ApproverFacesProps {
  readonly people: readonly StaffName[];
  readonly chosen: string | undefined;
  readonly onChoose: (staffId: string) => void;
}

/** List of approvers. A digit, the first letter of a name or a tap chooses a person. */
function ApproverFaces({ people, chosen, onChoose }: ApproverFacesProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <fieldset
      ref={list}
      className={classes.faces}
      aria-label={t("approval.who")}
      onKeyDown={(event) => {
        const key = signOf(meaningOf(event.nativeEvent));
        const found = key === undefined ? undefined : findByKey(people, key, chosen);
        if (found) {
          event.preventDefault();
          onChoose(found.staffId);
        }
      }}
    >
      {people.map(({ staffId, name }, index) => (
        <button
          key={staffId}
          type="button"
          data-autofocus={index === 0 ? true : undefined}
          aria-pressed={staffId === chosen}
          className={classes.face}
          onClick={() => onChoose(staffId)}
        >
          <span className={classes.initials} aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className={classes.name}>{name}</span>
          {index < 9 ? <KeyCap>{index + 1}</KeyCap> : null}
        </button>
      ))}
    </fieldset>
  );
}
