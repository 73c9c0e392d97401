import { Type } from "typebox";
import { parseCreatedAtFilter } from "../../../contract/created-at-filter.ts";
import { Paged } from "../../../contract/paging.ts";
import { FAMILIES, FAMILY_FACTS, wordsOf } from "../../../contract/pos/families.ts";
import { Problem } from "../../../contract/problem.ts";
import { QrCode } from "../../../contract/v1/esims.ts";
import type { ProductFamily } from "../../../contract/v1/offers.ts";
import {
  PurchaseAccepted,
  PurchaseQuery,
  TransactionParams,
} from "../../../contract/v1/purchase-record.ts";
import { CommitCache } from "../../../db/commit-cache.ts";
import type { WriteHealth } from "../../../db/write-health.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { laneOfSubject } from "../../../jobs/job-subject.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { toLpaCode } from "../../../lib/esim-profile.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import type { ScenarioOf } from "../../../providers/simulator/scenario.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { MayCost, RequireFloor } from "../../catalog/prices/index.ts";
import type { Verifier } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import { getSettings, type SettingsService } from "../../shop/settings/index.ts";
import type { BillService } from "../billpay/index.ts";
import { drawQrCode, type EsimService } from "../esims/index.ts";
import { BrandPauseService, PROBE_JOB } from "./brand-pauses.ts";
import { PURCHASED_FAMILIES, toRecord } from "./families/index.ts";
import { NextProviders } from "./next-providers.ts";
import { PurchaseEngine } from "./purchase-engine.ts";
import { PurchaseService } from "./purchase-service.ts";
import { PurchaseVerification } from "./purchase-verification.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";

export { listPausedBrands, listPauses, PROBE_JOB } from "./brand-pauses.ts";
export { withCanonicalNumbers } from "./buyer-fields.ts";
export { findRawAnswer } from "./commit-decision.ts";
export { isShortAtProvider } from "./decision.ts";
export { LINE_FIELDS } from "./families/family.ts";
export { PURCHASED_FAMILIES } from "./families/index.ts";
export { PurchaseService } from "./purchase-service.ts";
export {
  countUnfinished,
  doubtUnfinished,
  findPurchases,
  listDelivered,
  listInDoubt,
  orderOf,
  type PurchaseOf,
  readExtras,
  type StoredPurchase,
} from "./purchase-store.ts";
export { ADVANCE_JOB, eraseDetails, sealDetails } from "./purchase-writes.ts";
export { MOVED_TO } from "./refusals.ts";
export {
  hasBeenAskedEnough,
  isBeingFoundOut,
  NO_ANSWER,
  openUntil,
  RETRY_INTERVAL_MS,
  RETRY_WINDOW_MS,
  SHORTEST_PAUSE_MS,
} from "./retry-policy.ts";
export { TimeAsked } from "./time-asked.ts";

/**
 * Maximum number of purchases advanced at a time in an environment: enough to fill a commit, but
 * not too many for a provider that answers inquiries slowly.
 */
const PURCHASES_AT_ONCE = 128;
const SETTINGS_REMEMBERED = 100;

type Settings = Awaited<ReturnType<typeof getSettings>>;

type PurchasesModuleDeps = Base & {
  bills: BillService;
  esims: EsimService;
  catalog: CatalogService;
  verifier: Verifier;
  health: WriteHealth;
  providerOf: ProviderOf;
  requireFloor: RequireFloor;
  mayCost: MayCost;
  upstream: ConstructorParameters<typeof NextProviders>[0]["upstream"];
  settings: SettingsService;
  scenarioOf?: ScenarioOf | undefined;
};

export function createPurchasesModule(deps: PurchasesModuleDeps) {
  const { verifier, esims, health } = deps;
  const brandPauses = new BrandPauseService(deps);
  // Each answer of an unavailable provider reads the setting.
  const remembered = new CommitCache<Settings>(deps.watch, SETTINGS_REMEMBERED);
  const engine = new PurchaseEngine({
    ...deps,
    async isQueueEnabled(reader, scope) {
      const read = () => getSettings(reader, scope);
      const of = `${scope.accountId}/${scope.environment}`;
      const settings = await remembered.get(of, read, deps.watch.stampOfTurn());
      return settings?.queueEnabled ?? false;
    },
    nextProviders: new NextProviders(deps),
    verification: new PurchaseVerification({ ...deps, verifier }),
    whenWritable: () => health.whenWritable(),
  });
  const purchases = new PurchaseService({ ...deps, starter: engine });
  return {
    services: { purchases, brandPauses, engine },
    jobs: [
      {
        kind: ADVANCE_JOB,
        run: (subject) => engine.advance(subject),
        laneOf: laneOfSubject,
        concurrency: PURCHASES_AT_ONCE,
      },
      { kind: PROBE_JOB, run: (subject) => brandPauses.runProbe(subject) },
    ],
    v1(app) {
      registerPurchaseRoutes(app, purchases);
      registerQrCodeRoutes(app, { purchases, esims });
    },
    pos: (app) => registerBrandPauseRoutes(app, brandPauses),
    recover: () => engine.recover(),
    release: () => engine.stop(),
  } satisfies Module;
}

async function registerBrandPauseRoutes(app: App, pauses: BrandPauseService): Promise<void> {
  const { brandPauseOperations } = await import("../../../contract/pos/brands.ts");
  async function view(scope: Parameters<BrandPauseService["list"]>[0]) {
    const list = await pauses.list(scope);
    return {
      list: list.map(({ brand, pausedSince, pausedByHand }) => ({
        brand,
        pausedSince: toTimestamp(pausedSince),
        byHand: pausedByHand,
      })),
    };
  }

  handle(app, brandPauseOperations.list, ({ actor, query }) =>
    view({ accountId: actor.accountId, environment: query.environment }),
  );

  handle(app, brandPauseOperations.pause, async ({ actor, params, query }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: query.environment };
    await pauses.pause(author, params.brand);
    return view(author);
  });

  handle(app, brandPauseOperations.resume, async ({ actor, params, query }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: query.environment };
    await pauses.resume(author, params.brand);
    return view(author);
  });
}

/** Codes that every purchase may have (rules#error-statuses). */
const REFUSALS = [
  "OFFER_NOT_FOUND",
  "OFFER_DISABLED",
  "DUPLICATE_TRANSACTION_ID",
  "PROVIDER_NOT_CONFIGURED",
  "INSUFFICIENT_FUNDS",
] as const;

const ANSWER = "The purchase was stored; with validateOnly, its quote";

/** rules#purchase-accepted */
function registerPurchaseRoutes(app: App, purchases: PurchaseService): void {
  for (const family of FAMILIES) registerFamily(app, purchases, family);
}

function toFilter({ createdAt, updatedAt, status }: Omit<PurchaseQuery, "_limit" | "_offset">) {
  return {
    ...(createdAt !== undefined && { createdAt: parseCreatedAtFilter(createdAt) }),
    ...(updatedAt !== undefined && { updatedAt: parseCreatedAtFilter(updatedAt, "updatedAt") }),
    ...(status !== undefined && { status }),
  };
}

function registerFamily(app: App, purchases: PurchaseService, family: ProductFamily): void {
  const { input, record, quote, buying, refusals } = PURCHASED_FAMILIES[family];
  const { path: section, tag, name, words } = FAMILY_FACTS[family];
  const path = `/${section}/purchases`;
  const tags = [tag];

  app.get(
    path,
    {
      schema: {
        operationId: `list${name}Purchases`,
        summary: `List ${wordsOf(family)} purchases`,
        tags,
        querystring: PurchaseQuery,
        response: answers(Paged(record)),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, ...query } = request.query;
      const page = { limit, offset };
      const found = await purchases.list(clientOf(request), family, toFilter(query), page);
      return { ...page, total: found.total, list: found.list.map(toRecord) };
    },
  );

  app.post(
    path,
    {
      schema: {
        operationId: `create${name}Purchase`,
        summary: buying,
        description:
          "Validates the request and answers with the transaction's status. Poll the purchase by its id until it is DONE or FAILED. With `validateOnly`, makes the same checks, buys nothing and answers with the quote.",
        tags,
        body: input,
        response: answers(Type.Union([PurchaseAccepted, quote], { description: ANSWER }), [
          ...REFUSALS,
          ...refusals,
        ]),
      },
    },
    (request) => {
      const { validateOnly = false, ...wanted } = request.body as { validateOnly?: boolean };
      const client = clientOf(request);
      return validateOnly
        ? purchases.quote(client, family, wanted)
        : purchases.buy(client, family, wanted);
    },
  );

  app.get(
    `${path}/:transactionId`,
    {
      schema: {
        operationId: `get${name}Purchase`,
        summary: `Get ${words} purchase`,
        tags,
        params: TransactionParams,
        response: answers(record),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      return toRecord(await purchases.get(clientOf(request), family, transactionId));
    },
  );
}

/** Registers `/esim/purchases/{transactionId}/qrcode` (rules#esim-qr-code). */
function registerQrCodeRoutes(
  app: App,
  { purchases, esims }: { purchases: PurchaseService; esims: EsimService },
): void {
  app.get(
    "/esim/purchases/:transactionId/qrcode",
    {
      schema: {
        operationId: "getEsimQrCode",
        summary: "Get the QR code of an eSIM",
        description:
          "A PNG file, or with `Accept: application/json` the same in base64. NOT_FOUND once the eSIM was refunded.",
        tags: ["eSIM"],
        params: TransactionParams,
        response: {
          ...answers(QrCode, ["QRCODE_NOT_READY"]),
          200: {
            description: "The code that a phone scans: LPA:1$smdpAddress$activationCode",
            content: {
              "image/png": { schema: Type.String({ format: "binary" }) },
              "application/json": { schema: QrCode },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { transactionId } = request.params;
      const { fulfilment, withheld } = await purchases.get(
        clientOf(request),
        "ESIM",
        transactionId,
      );
      if (!fulfilment?.esim) {
        throw new Problem("QRCODE_NOT_READY", `The purchase ${transactionId} is not done.`);
      }
      if (withheld !== undefined) {
        throw new Problem("QRCODE_NOT_READY", `The code of ${transactionId} is not kept any more.`);
      }
      const lpaCode = toLpaCode(fulfilment.esim);
      if (lpaCode === undefined) {
        throw new Problem(
          "QRCODE_NOT_READY",
          `The provider delivered ${transactionId} without a code that a phone can read. Ask the provider for it.`,
        );
      }
      await esims.requireLeft(clientOf(request), fulfilment.esim.iccid);
      reply.header("vary", "Accept");
      const png = await drawQrCode(lpaCode);
      if (wantsJson(request.headers.accept)) {
        return reply.type("application/json").send({ imageBase64: png.toString("base64") });
      }
      return reply.type("image/png").send(png as never);
    },
  );
}

/**
 * Returns whether the client prefers JSON (RFC 9110, 12.5.1). Of equally preferred types, the first
 * counts.
 */
function wantsJson(accept = ""): boolean {
  const ranges = accept.split(",").map((range, place) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { type, quality: Number(quality), place };
  });
  const best = (...types: string[]) =>
    types.flatMap((type) => ranges.find((range) => range.type === type) ?? [])[0];
  const json = best("application/json", "application/*", "*/*");
  const png = best("image/png", "image/*", "*/*");
  if (!json || json.type === "*/*" || !(json.quality > 0)) return false;
  if (!png || json.quality > png.quality) return true;
  return json.quality === png.quality && (png.type === "*/*" || json.place < png.place);
}
