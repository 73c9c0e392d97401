import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import { readTimeAhead } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Claimant } from "../../../db/claimant.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readAhead } from "../../../db/group-memory.ts";
import { REPEATABLE } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { MINUTE } from "../../../lib/clock.ts";
import type { Provider, ProviderAnswer, ProviderOf } from "../../../providers/provider.ts";
import type { ScenarioOf } from "../../../providers/simulator/scenario.ts";
import { findSupply } from "../../../providers/supply.ts";
import {
  isFinal,
  refOf,
  StaleTransition,
  subjectOf,
  type TransactionRef,
} from "../../books/transactions/index.ts";
import { InsufficientFunds } from "../../books/wallet/index.ts";
import type { Base } from "../../module.ts";
import { findEsim, isEsimGone } from "../esims/index.ts";
import { AcceptedPurchases } from "./accepted-purchases.ts";
import { admitToBrand, isBrandOpen, readBrandAhead } from "./brand-pauses.ts";
import {
  commitDecision,
  fundsShort,
  holdCost,
  readForDecision,
  recordDeviations,
  StartedNote,
} from "./commit-decision.ts";
import { decide } from "./decide.ts";
import {
  answersOf,
  type Decision,
  type EventOf,
  failure,
  type Next,
  type NextProvider,
  type PurchaseEvent,
  type Sender,
  type Write,
} from "./decision.ts";
import { MoveRefused, type NextProviders, type StartElsewhere } from "./next-providers.ts";
import {
  findPurchase,
  findUnlogged,
  listInterrupted,
  type StoredPurchase,
} from "./purchase-store.ts";
import type { PurchaseVerification } from "./purchase-verification.ts";
import { ADVANCE_JOB, type NewPurchase } from "./purchase-writes.ts";
import { DISCONNECTED, findMovingRefusal } from "./refusals.ts";
import { isFromFuture, RETRY_INTERVAL_MS, windowEnd } from "./retry-policy.ts";
import { inquireAbout, SendingClaims, Submissions } from "./submissions.ts";
import { TimeAsked } from "./time-asked.ts";

/** Maximum delay of the next step of a purchase that stays in memory. */
const KEPT_MS = MINUTE;

export interface PurchaseEngineDeps extends Pick<Base, "db" | "transactor" | "clock" | "log"> {
  /** Undefined if no other process uses the database. */
  claimant: Claimant | undefined;
  providerOf: ProviderOf;
  verification: PurchaseVerification;
  nextProviders: NextProviders;
  /** rules#purchase-retry */
  isQueueEnabled(db: Db, scope: Scope): Promise<boolean>;
  whenWritable(): Promise<void>;
  /** Undefined outside a sandbox. */
  scenarioOf?: ScenarioOf | undefined;
}

/**
 * Executes the decisions of decide.ts: passes an event to `decide`, commits the decision in one
 * transaction, and then submits or inquires. The answer is the next event. `advance` handles a
 * durable job, and may run at any time and any number of times. An attempt is on disk before it is
 * sent.
 */
export class PurchaseEngine {
  readonly #deps: PurchaseEngineDeps;
  readonly #submissions: Submissions;
  readonly #accepted: AcceptedPurchases;
  readonly #timeAsked: TimeAsked;
  readonly #claims: SendingClaims | undefined;
  /** First attempts that are on the disk, and wait for their provider. */
  readonly #starting = new Set<Promise<void>>();
  #isStopped = false;

  constructor(deps: PurchaseEngineDeps) {
    this.#deps = deps;
    const { claimant } = deps;
    this.#claims = claimant && new SendingClaims({ ...deps, claimant });
    this.#accepted = new AcceptedPurchases(deps.transactor);
    this.#timeAsked = new TimeAsked(deps.clock);
    this.#submissions = new Submissions({
      ...deps,
      claims: this.#claims,
      answered: async (purchase, answer, isAlone) => {
        const now = this.#deps.clock.now();
        const queueOn = await this.#isQueueOn(purchase, answer);
        await this.#take(purchase, { kind: "answered", answer, isAlone, queueOn, now });
      },
    });
    deps.transactor.onCommit((_written, notes) => {
      for (const note of notes) if (note instanceof StartedNote) this.#sendFirst(note.purchase);
    });
  }

  /**
   * Runs jobs that are far in the future because the clock was moved back. Ignores attempts of
   * other processes.
   */
  async recover(): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    for (const ref of await listInterrupted(db, clock.now() + RETRY_INTERVAL_MS)) {
      await transactor.transact(ref.accountId, async (tx) => {
        await this.#claims?.takeUp(tx, ref);
        await enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(ref), runAt: clock.now() });
      });
    }
  }

  get waiting(): number {
    return this.#submissions.waiting + this.#starting.size;
  }

  async idle(): Promise<void> {
    await Promise.all(this.#starting);
    await this.#submissions.idle();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#starting);
    await this.#submissions.stop();
  }

  /**
   * Returns whether the first attempt can be stored with the acceptance of a purchase. With several
   * processes, a claim of the attempt would start before its purchase is stored.
   */
  async mayStart({ offer, extras, ...ref }: NewPurchase): Promise<boolean> {
    const { accountId, environment } = ref;
    if (this.#claims || this.#isStopped || extras.iccid !== undefined) return false;
    const { obstacle, isWalletEmpty, brandPause_ms } = this.#deps.scenarioOf?.(ref) ?? {};
    if (obstacle || isWalletEmpty || brandPause_ms !== undefined) return false;
    const providerId = findSupply(offer)?.providerId;
    // The purchase's job reports the error.
    const provider = this.#deps.providerOf({ accountId, environment, providerId });
    return (await provider.catch(() => undefined)) !== undefined;
  }

  /** Returns whether neither the shop's own system nor a pause of the brand delays a purchase. */
  async isAdmitted(tx: Tx, purchase: StoredPurchase): Promise<boolean> {
    const need = await this.#deps.verification.needFor(tx, purchase);
    return need === "NONE" && isBrandOpen(tx, purchase);
  }

  #sendFirst(purchase: StoredPurchase): void {
    // The next start queries the provider.
    if (this.#isStopped) return;
    const { transactionId } = purchase.transaction;
    const sending = this.#follow(purchase, { do: "submit", isAlone: true })
      .catch((error: unknown) => {
        // The job at the deadline queries the provider.
        this.#deps.log.error({ err: error, transactionId }, "a purchase could not be sent");
      })
      .then(() => void this.#starting.delete(sending));
    this.#starting.add(sending);
  }

  async advance(subject: string): Promise<void> {
    const kept = this.#accepted.take(subject);
    let accepted = kept && isFromFuture(kept, this.#deps.clock.now()) ? undefined : kept;
    for (let more = true; more; ) {
      const purchase = accepted ?? (await this.#find(refOf(subject)));
      accepted = undefined;
      try {
        more = purchase !== undefined && (await this.#look(purchase));
      } catch (error) {
        // An answer that arrived before this step has changed the purchase, which must be read
        // again.
        if (!(error instanceof StaleTransition)) throw error;
      }
    }
  }

  /** Reads the log only if a decision depends on it. */
  async #find(ref: TransactionRef): Promise<StoredPurchase | undefined> {
    const { db, clock } = this.#deps;
    const found = await findUnlogged(db, ref);
    return found && isFromFuture(found, clock.now()) ? findPurchase(db, ref) : found;
  }

  /** @returns whether the following step can be performed at once */
  async #look(purchase: StoredPurchase): Promise<boolean> {
    const { clock, log } = this.#deps;
    const { environment, transactionId, status } = purchase.transaction;
    log.debug({ transactionId, environment, status }, "taking a purchase on");
    if (isFinal(status)) return false;
    if (status === "ACCEPTED" || status === "PENDING") return this.#start(purchase);
    const isIntervalOver = this.#timeAsked.isIntervalOver(subjectOf(purchase.transaction));
    const sender = await this.#senderOf(purchase);
    return this.#take(purchase, { kind: "due", sender, isIntervalOver, now: clock.now() });
  }

  async #start(purchase: StoredPurchase): Promise<boolean> {
    const obstacle = await this.#obstacleTo(purchase);
    const startAt = (move?: StartElsewhere) => this.#startAt(purchase, obstacle, move);
    try {
      return await this.#deps.nextProviders.retryShort(purchase.transaction, startAt);
    } catch (short) {
      if (!(short instanceof InsufficientFunds)) throw short;
      const refuse = (provider: string) =>
        this.#carryOut(purchase, fundsShort(purchase, this.#deps.clock.now(), { short, provider }));
      return this.#deps.nextProviders.startElsewhere(purchase, { startAt, refuse });
    }
  }

  /**
   * Reads verifier, brand and wallet in the transaction that holds the cost.
   * @param move the provider at which the purchase starts instead of its own
   * @throws InsufficientFunds if only the provider's part of the wallet is too small; MoveRefused
   */
  async #startAt(
    accepted: StoredPurchase,
    obstacle: TransactionError | undefined,
    move?: StartElsewhere,
  ): Promise<boolean> {
    const { transactor, clock, nextProviders, verification: asks } = this.#deps;
    const { accountId } = accepted.transaction;
    const scenario = this.#deps.scenarioOf?.(accepted.transaction);
    const hold = async (tx: Tx) => {
      const now = clock.now();
      const purchase = move
        ? await nextProviders.replace(tx, accepted, { ...move, at: now })
        : accepted;
      const verification = obstacle ? "NONE" : await asks.needFor(tx, purchase);
      const { brandPause_ms } = scenario ?? {};
      const resumesAt = purchase.transaction.createdAt + (brandPause_ms ?? 0);
      const isPaused = brandPause_ms !== undefined && now < resumesAt;
      const brand = obstacle ? "OPEN" : await this.#admit(tx, purchase, { isPaused, now });
      const begun = decide(purchase, { kind: "started", obstacle, verification, brand, now });
      const decided =
        begun.next.do === "hold"
          ? decide(purchase, await this.#holdCost(tx, purchase, { now, moved: move?.moved }))
          : begun;
      const written = await this.#write(tx, purchase, decided.write);
      if (isPaused && resumesAt < windowEnd(purchase)) {
        const subject = subjectOf(purchase.transaction);
        await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt: resumesAt });
      }
      return { committed: written, decision: decided };
    };
    const ahead = (tx: Tx) =>
      readAhead(
        readTimeAhead(tx, accepted.transaction),
        asks.readAhead(tx, accepted),
        readBrandAhead(tx, accepted),
      );
    const { committed, decision } = await transactor.transact(accountId, hold, {
      ...REPEATABLE,
      ahead: obstacle || move ? undefined : ahead,
    });
    return this.#follow(committed, decision.next);
  }

  async #admit(
    tx: Tx,
    purchase: StoredPurchase,
    { isPaused, now }: { isPaused: boolean; now: number },
  ): Promise<"OPEN" | "PAUSED" | "PROBED"> {
    return isPaused ? "PAUSED" : admitToBrand(tx, purchase, now);
  }

  async #holdCost(
    tx: Tx,
    purchase: StoredPurchase,
    start: { now: number; moved: string | undefined },
  ): Promise<PurchaseEvent> {
    const isEmpty = this.#deps.scenarioOf?.(purchase.transaction)?.isWalletEmpty ?? false;
    return isEmpty ? fundsShort(purchase, start.now) : holdCost(tx, purchase, start);
  }

  async #take(purchase: StoredPurchase, heard: PurchaseEvent): Promise<boolean> {
    const event = await this.#deps.nextProviders.nameShort(purchase, heard);
    const isAnswer = event.kind === "answered" || event.kind === "inquired";
    for (const following of isAnswer ? await this.#listFollowing(purchase, event) : []) {
      try {
        const moving = { ...event, following } as PurchaseEvent;
        return await this.#deps.nextProviders.retryShort(purchase.transaction, () =>
          this.#carryOut(purchase, moving),
        );
      } catch (error) {
        const { transactionId } = purchase.transaction;
        if (!(error instanceof MoveRefused || error instanceof InsufficientFunds)) throw error;
        const { name } = following;
        this.#deps.log.info({ err: error, transactionId, name }, "a purchase does not move");
      }
    }
    return this.#carryOut(purchase, event);
  }

  /** Lists the providers that are tried after a refusal, without cost for other events. */
  async #listFollowing(
    purchase: StoredPurchase,
    event: EventOf<"answered"> | EventOf<"inquired">,
  ): Promise<readonly NextProvider[]> {
    const isSettled = event.kind === "answered" ? event.isAlone : event.isOver;
    const refusal = findMovingRefusal(purchase, { ...event, isSettled });
    return refusal ? this.#deps.nextProviders.list(purchase, refusal) : [];
  }

  async #carryOut(purchase: StoredPurchase, event: PurchaseEvent): Promise<boolean> {
    const decision = decide(purchase, event);
    const { write, next } = decision;
    if (event.kind === "due" && next.do === "inquire") this.#submissions.abandon(purchase);
    const committed = await this.#commit(purchase, event, decision);
    const isCounted = event.kind === "inquired" && write?.attempt?.unknownFor_ms !== undefined;
    if (isCounted) this.#timeAsked.begin(subjectOf(purchase.transaction));
    return this.#follow(committed, next);
  }

  async #commit(
    purchase: StoredPurchase,
    event: PurchaseEvent,
    { write }: Decision,
  ): Promise<StoredPurchase> {
    const { transactor, log } = this.#deps;
    const { accountId, environment, transactionId } = purchase.transaction;
    const answers = answersOf(event);
    for (const { kind: answer } of answers) {
      const { attempts } = purchase;
      log.info({ transactionId, environment, attempts, answer }, "a provider answered");
    }
    const deviating = answers.filter(({ deviations = [] }) => deviations.length > 0);
    if (!write && deviating.length === 0) return purchase;
    const provider = deviating.length > 0 ? (await this.#providerOf(purchase))?.name : undefined;
    const writeAll = async (tx: Tx) => {
      const written = await this.#write(tx, purchase, write);
      for (const answer of deviating) {
        await recordDeviations(tx, purchase, answer, { provider, at: event.now, log });
      }
      return written;
    };
    const own = write && this.#own(write);
    const ahead = own && ((tx: Tx) => readForDecision(tx, purchase, own));
    const written = await transactor.transact(accountId, writeAll, { ...REPEATABLE, ahead });
    if (deviating.length === 0) this.#keepUntilDue(written, write?.lookAt);
    return written;
  }

  /** Keeps a purchase that its provider works on. Another process may advance it instead. */
  #keepUntilDue(purchase: StoredPurchase, lookAt = Infinity): void {
    const isSoon = lookAt - this.#deps.clock.now() <= KEPT_MS;
    if (isSoon && purchase.attemptState === "WORKING" && !this.#claims) {
      this.#accepted.keep(purchase);
    }
  }

  async #write(
    tx: Tx,
    purchase: StoredPurchase,
    write: Write | undefined,
  ): Promise<StoredPurchase> {
    if (!write) return purchase;
    const { clock, claimant, nextProviders } = this.#deps;
    const { following } = write;
    if (following) await nextProviders.require(tx, purchase, { following, at: clock.now() });
    // Uses the current time: a decision may wait for other commits, and stored times never
    // decrease.
    const by = { now: clock.now(), sender: claimant?.owner };
    return commitDecision(tx, purchase, this.#own(write), by);
  }

  /** In a sandbox, only a scenario pauses a brand. */
  #own(write: Write): Write {
    const { brand: _brand, ...others } = write;
    return this.#deps.scenarioOf ? others : write;
  }

  async #follow(purchase: StoredPurchase, next: Next): Promise<boolean> {
    const { clock, verification } = this.#deps;
    const { transaction } = purchase;
    const subject = subjectOf(transaction);
    if (isFinal(transaction.status)) this.#timeAsked.forget(subject);
    switch (next.do) {
      case "look":
        return true;
      case "verify":
        await verification.ask(purchase);
        return false;
      case "submit": {
        this.#timeAsked.begin(subject);
        const provider = await this.#providerOf(purchase);
        if (!provider) return this.#take(purchase, await this.#noteClosed(purchase, next.isAlone));
        this.#submissions.send(provider, purchase, next.isAlone);
        return false;
      }
      case "inquire": {
        const { isOver } = next;
        const answer = await this.#inquire(purchase);
        const queueOn = await this.#isQueueOn(purchase, answer);
        const asked_ms = this.#timeAsked.since(subject);
        const now = clock.now();
        return this.#take(purchase, { kind: "inquired", answer, isOver, queueOn, asked_ms, now });
      }
      case "confirm": {
        const { refusal } = next;
        const answer = await this.#inquire(purchase);
        const queueOn = await this.#isQueueOn(purchase, refusal);
        const now = clock.now();
        return this.#take(purchase, { kind: "confirmed", refusal, answer, queueOn, now });
      }
      case "await-deadline":
        await this.#claims?.noteUnanswered(transaction);
        return false;
      case "hold":
      case "rest":
        return false;
    }
  }

  /** Nothing was sent, so the purchase may move or wait. */
  async #noteClosed(purchase: StoredPurchase, isAlone: boolean): Promise<EventOf<"answered">> {
    const queueOn = await this.#isQueueOn(purchase, DISCONNECTED);
    const now = this.#deps.clock.now();
    return { kind: "answered", answer: DISCONNECTED, isAlone, queueOn, now };
  }

  async #inquire(purchase: StoredPurchase): Promise<ProviderAnswer | undefined> {
    const provider = await this.#providerOf(purchase);
    return provider && inquireAbout(this.#deps, provider, purchase);
  }

  /** Returns the provider of the purchase (rules#provider-of-purchase). */
  #providerOf({ transaction, supply }: StoredPurchase): Promise<Provider | undefined> {
    const { accountId, environment } = transaction;
    const providerId = supply?.providerId;
    return this.#deps.providerOf({ accountId, environment, providerId });
  }

  async #senderOf(purchase: StoredPurchase): Promise<Sender> {
    if (purchase.attemptState !== "SENT") return { state: "GONE" };
    if (this.#submissions.has(purchase)) return { state: "HERE" };
    return (await this.#claims?.find(purchase.transaction)) ?? { state: "GONE" };
  }

  async #isQueueOn(purchase: StoredPurchase, answer: ProviderAnswer | undefined): Promise<boolean> {
    const { db, isQueueEnabled } = this.#deps;
    if (answer?.kind !== "recoverable" && answer?.kind !== "not-received") return false;
    if (this.#deps.scenarioOf?.(purchase.transaction)?.isQueueOff) return false;
    return isQueueEnabled(db, purchase.transaction);
  }

  /** Returns whether the purchase's provider is connected, or else another one can sell it. */
  async #hasProvider(purchase: StoredPurchase): Promise<boolean> {
    if (await this.#providerOf(purchase)) return true;
    const refused = await this.#noteClosed(purchase, true);
    return (await this.#listFollowing(purchase, refused)).length > 0;
  }

  async #obstacleTo(purchase: StoredPurchase): Promise<TransactionError | undefined> {
    const staged = this.#deps.scenarioOf?.(purchase.transaction)?.obstacle;
    if (staged === "PROVIDER_NOT_CONFIGURED" || !(await this.#hasProvider(purchase))) {
      return failure("PROVIDER_NOT_CONFIGURED", "No provider is connected.");
    }
    if (staged === "ICCID_NOT_FOUND") {
      return failure("ICCID_NOT_FOUND", "The eSIM of this plan was not bought here.");
    }
    return findEsimObstacle(this.#deps.db, purchase);
  }
}

/** Returns why the provider cannot add a plan to the eSIM that the purchase names. */
async function findEsimObstacle(
  db: Db,
  { transaction, extras, supply }: StoredPurchase,
): Promise<TransactionError | undefined> {
  const { iccid } = extras;
  if (iccid === undefined) return undefined;
  const esim = await findEsim(db, transaction, iccid);
  if (!esim) return failure("ICCID_NOT_FOUND", `There is no eSIM ${iccid}.`);
  if (esim.providerId !== supply?.providerId) {
    return failure("ICCID_NOT_FOUND", `The eSIM ${iccid} belongs to another provider.`);
  }
  if (await isEsimGone(db, transaction, esim)) {
    return failure("ICCID_NOT_FOUND", `The eSIM ${iccid} was refunded: it takes no plan.`);
  }
  return undefined;
}
