import { keyOperations, type PosKey } from "../../../contract/pos/keys.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import type { App } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { ApiKey, KeyService } from "./key-service.ts";

/** Registers the operations on API keys. They cover both environments, regardless of the till's. */
export function registerKeyRoutes(app: App, keys: KeyService): void {
  handle(app, keyOperations.list, async ({ actor }) => {
    const list = await keys.list(actor.accountId);
    return { list: list.toReversed().map(toPosKey) };
  });

  handle(app, keyOperations.create, async (call) => {
    const { actor, body } = call;
    const { accountId, staffId } = actor;
    const { environment, name, allowedAddresses = [], ...limits } = body;
    if (environment === "live") await requireOwnPin(call);
    const author = { accountId, staffId, environment };
    const allowed = allowedAddresses.length > 0 ? allowedAddresses : undefined;
    const { keyId, key: secret } = await keys.create(author, tidyName(name), {
      ...limits,
      allowedAddresses: allowed,
    });
    const made = (await keys.list(accountId)).find((one) => one.keyId === keyId);
    if (!made) throw new Error("the created key is missing in the list");
    return { key: toPosKey(made), secret };
  });

  handle(app, keyOperations.revoke, async (call) => {
    const { accountId, staffId } = call.actor;
    const { keyId } = call.params;
    const key = (await keys.list(accountId)).find((one) => one.keyId === keyId);
    if (key?.environment === "live") await requireOwnPin(call);
    await keys.revoke({ accountId, staffId }, keyId);
    return {};
  });
}

function toPosKey(key: ApiKey): PosKey {
  const { accountId: _account, allowedAddresses, scopes, ...facts } = key;
  const { createdAt, expiresAt, lastUsedAt, revokedAt, ...rest } = facts;
  return {
    ...rest,
    ...(allowedAddresses && { allowedAddresses }),
    scopes: [...scopes],
    createdAt: toTimestamp(createdAt),
    ...(expiresAt !== undefined && { expiresAt: toTimestamp(expiresAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: toTimestamp(lastUsedAt) }),
    ...(revokedAt !== undefined && { revokedAt: toTimestamp(revokedAt) }),
  };
}
