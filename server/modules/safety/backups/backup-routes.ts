import type { FastifyRequest } from "fastify";
import { backupOperations } from "../../../contract/pos/backups.ts";
import { Problem } from "../../../contract/problem.ts";
import { isLoopback } from "../../../http/addresses.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Place } from "../../../lib/place.ts";
import type { BackupDesk } from "./backup-desk.ts";
import type { FirstRestore } from "./first-restore.ts";
import type { RecoveryDesk } from "./recovery-desk.ts";
import type { SecondBackupPlace } from "./second-place.ts";

interface Deps {
  desk: BackupDesk;
  recovery: RecoveryDesk;
  secondPlace: SecondBackupPlace;
  sessions: {
    confirm(
      who: { accountId: string; staffId: string },
      pin: string,
      place: Place,
    ): Promise<string | undefined>;
  };
}

export function registerBackupRoutes(
  app: App,
  { desk, recovery, secondPlace, sessions }: Deps,
): void {
  handle(app, backupOperations.list, ({ actor }) => desk.view(actor.staffId));

  handle(app, backupOperations.work, async ({ actor: { accountId, staffId }, body }) => {
    await desk.begin({ accountId, staffId }, body);
    return desk.view(staffId);
  });

  handle(app, backupOperations.askRestore, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    const { accountId, staffId } = actor;
    await desk.askRestore({ accountId, staffId }, body);
    return desk.view(staffId);
  });

  handle(app, backupOperations.withdrawRestore, async ({ actor: { accountId, staffId } }) => {
    await desk.withdrawRestore({ accountId, staffId });
    return desk.view(staffId);
  });

  handle(app, backupOperations.setSecond, async ({ actor: { accountId, staffId }, body }) => {
    await secondPlace.set({ accountId, staffId }, body.dir);
    return desk.view(staffId);
  });

  handle(app, backupOperations.removeSecond, async ({ actor: { accountId, staffId } }) => {
    await secondPlace.remove({ accountId, staffId });
    return desk.view(staffId);
  });

  handle(app, backupOperations.makeKit, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    const { accountId, staffId } = actor;
    return recovery.makeKit({ accountId, staffId });
  });

  handle(app, backupOperations.confirmKit, async ({ actor: { accountId, staffId }, body }) => {
    await recovery.confirmKit({ accountId, staffId }, body.kitId);
    return desk.view(staffId);
  });

  handle(app, backupOperations.review, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    const { accountId, staffId } = actor;
    await recovery.confirmAccess({ accountId, staffId }, body);
    return desk.view(staffId);
  });
}

/**
 * Registers the restore operations of a new machine. Accepts only requests from this machine,
 * because nobody can sign in before set-up.
 */
export function registerFirstRestoreRoutes(app: App, restore: FirstRestore): void {
  handle(app, backupOperations.find, async ({ body, request }) => {
    await requireOwnMachine(request, restore);
    return restore.find(body.path);
  });

  handle(app, backupOperations.upload, async ({ body, request }) => {
    await requireOwnMachine(request, restore);
    const { number = 0, at, content } = body;
    return restore.upload({ number, at }, Buffer.from(content, "base64"));
  });

  handle(app, backupOperations.look, async ({ body, request }) => {
    await requireOwnMachine(request, restore);
    return restore.look(body);
  });

  handle(app, backupOperations.restoreFirst, async ({ body, request, reply }) => {
    await requireOwnMachine(request, restore);
    const restored = await restore.restore(body);
    // Restarts the gateway after the browser has received the response.
    reply.raw.once("close", () => restore.openAgain());
    return restored;
  });
}

async function requireOwnMachine(request: FastifyRequest, restore: FirstRestore): Promise<void> {
  const { remoteAddress = "" } = request.socket;
  if (!isLoopback(request.ip) || !isLoopback(remoteAddress)) {
    throw new Problem(
      "FORBIDDEN",
      "Restore the shop on the machine that Tillgate runs on, or with `tillgate restore`.",
    );
  }
  await restore.requireNoShop();
}
