import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { StartupError } from "../config/config.ts";
import type { ScopedAuthor } from "../contract/pos/actor.ts";
import { FAMILIES } from "../contract/pos/families.ts";
import {
  PROVIDER_KIND_FACTS,
  PROVIDER_KINDS,
  type UpstreamState,
  type UpstreamSyncReport,
} from "../contract/pos/upstream.ts";
import type { Context } from "../gateway/context.ts";
import { describeAmount } from "../lib/money.ts";
import {
  type StoredUpstream,
  toComparison,
  toUpstreamState,
} from "../modules/providers/upstream/index.ts";
import {
  among,
  type Command,
  ENV_OPTION,
  optional,
  type Result,
  readOption,
  required,
  scopedAuthorOf,
  scopeOf,
  table,
  type Values,
} from "./command.ts";
import { readSecret, readStandardInput } from "./secret-input.ts";

type Comparison = ReturnType<typeof toComparison>;

const PROVIDER_OPTION = {
  ...ENV_OPTION,
  provider: { value: "NAME", help: "which provider; needed if the shop has several" },
};

/**
 * Returns the provider that a command names. A shop with one provider names none.
 * @throws StartupError
 */
async function findAsked(
  ctx: Context,
  values: Values,
): Promise<ScopedAuthor & { providerId?: string }> {
  const author = scopedAuthorOf(ctx, values);
  const all = await ctx.upstream.list(author);
  const names = all.map(({ name }) => name).join(", ");
  const asked = optional(values, "provider")?.trim().toLowerCase();
  if (asked === undefined) {
    if (all.length < 2) return author;
    throw new StartupError(`This shop has several providers. Add --provider NAME: ${names}.`);
  }
  const found = all.find(
    ({ name, providerId }) => name.toLowerCase() === asked || providerId === asked,
  );
  if (found) return { ...author, providerId: found.providerId };
  const known = all.length === 0 ? "No provider is connected yet" : `The providers are ${names}`;
  throw new StartupError(`There is no provider "${values.provider}". ${known}.`);
}

/** Lists kinds by a fact. */
function listKinds(fact: "isPreview" | "needsClientId"): string {
  return PROVIDER_KINDS.filter((kind) => PROVIDER_KIND_FACTS[kind][fact]).join(", ");
}

const CONNECTION_OPTIONS = {
  kind: {
    value: PROVIDER_KINDS.join("|"),
    help: `gateway: serves /v1 (default); preview, never run against the company's service: ${listKinds("isPreview")}`,
  },
  url: { value: "URL", help: "base address, without /v1" },
  "client-id": { value: "ID", help: `client id, for ${listKinds("needsClientId")}` },
  "key-file": {
    value: "FILE",
    help: "file with the key or client secret; default is a prompt or standard input",
  },
  "allow-private": {
    value: "yes|no",
    help: "allow this machine and private networks",
  },
};

const connectCommand: Command = {
  name: "upstream connect",
  summary: "Connect a provider; it must answer first",
  options: { ...PROVIDER_OPTION, ...CONNECTION_OPTIONS },
  async run(ctx, values) {
    return connect(ctx, values, await findAsked(ctx, values));
  },
};

const addCommand: Command = {
  name: "upstream add",
  summary: "Connect a further provider beside the connected ones",
  options: {
    ...ENV_OPTION,
    name: { value: "NAME", help: "your name for the provider" },
    ...CONNECTION_OPTIONS,
  },
  async run(ctx, values) {
    const newName = required(values, "name");
    return connect(ctx, values, { ...scopedAuthorOf(ctx, values), newName });
  },
};

async function connect(
  ctx: Context,
  values: Values,
  place: ScopedAuthor & { providerId?: string; newName?: string },
): Promise<Result> {
  const { providerId, newName, ...author } = place;
  const baseUrl = required(values, "url");
  const yesOrNo = readOption(values, "allow-private", "yes or no", among(["yes", "no"]));
  const allowPrivate = yesOrNo === "yes";
  const kinds = PROVIDER_KINDS.join(" or ");
  const kind = readOption(values, "kind", kinds, among(PROVIDER_KINDS)) ?? "gateway";
  const clientId = optional(values, "client-id");
  const label = PROVIDER_KIND_FACTS[kind].needsClientId ? "Client secret" : "Key";
  const key = await readKey(values, label);
  const typed = { kind, baseUrl, key, clientId, allowPrivate };
  const balance = toComparison(
    await ctx.upstream.connect(author, { ...typed, providerId, newName }),
  );
  const { text } = describe(balance);
  const catalog =
    "Connected. Tillgate fetches the catalog now, or at its next start, and sells nothing through the gateway before that; upstream status shows the catalog.";
  return { text: `${catalog}\n${text}`, data: balance };
}

const listCommand: Command = {
  name: "upstream list",
  summary: "List the shop's providers with their state and last known balance",
  options: ENV_OPTION,
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const all = await ctx.upstream.list(scope);
    const rows = all.map((stored) => ({
      name: stored.name,
      kind: stored.kind,
      url: stored.baseUrl,
      state: describeState(stored),
      balance: stored.balance?.available,
    }));
    if (rows.length === 0) return { text: "No provider is connected.", data: rows };
    const unit = await ctx.upstream.getWalletUnit(scope);
    const lines = rows.map(({ name, kind, url, state, balance }) => [
      name,
      state,
      balance === undefined ? "" : describeAmount(balance, unit),
      kind,
      url,
    ]);
    return { text: table([["NAME", "STATE", "BALANCE", "KIND", "URL"], ...lines]), data: rows };
  },
};

function describeState({ keySealed, pausedAt, replacedAt }: StoredUpstream): string {
  if (keySealed === undefined) return "disconnected";
  if (pausedAt !== undefined) return "paused";
  return replacedAt === undefined ? "connected" : "no catalog";
}

const renameCommand: Command = {
  name: "upstream rename",
  summary: "Give a provider another name",
  options: { ...PROVIDER_OPTION, name: { value: "NAME", help: "new name" } },
  async run(ctx, values) {
    const name = required(values, "name");
    await ctx.upstream.rename(await findAsked(ctx, values), name);
    return { text: `The provider is called ${name.trim()}.`, data: { name: name.trim() } };
  },
};

const pauseCommand: Command = {
  name: "upstream pause",
  summary: "Sell nothing new through a provider; accepted purchases continue",
  options: PROVIDER_OPTION,
  async run(ctx, values) {
    await ctx.upstream.pause(await findAsked(ctx, values), true);
    return { text: "Paused: its offers are not sold.", data: { paused: true } };
  },
};

const resumeCommand: Command = {
  name: "upstream resume",
  summary: "Sell through a paused provider again",
  options: PROVIDER_OPTION,
  async run(ctx, values) {
    await ctx.upstream.pause(await findAsked(ctx, values), false);
    return { text: "Resumed: its offers are sold.", data: { paused: false } };
  },
};

/** @throws StartupError */
async function readKey(values: Values, label: "Key" | "Client secret"): Promise<string> {
  const key = await readOrAsk(values, "key-file", label);
  if (key !== "") return key;
  const name = label.toLowerCase();
  throw new StartupError(`The ${name} is required: from standard input, or with --key-file.`);
}

const testCommand: Command = {
  name: "upstream test",
  summary: "Fetch the connected gateway's balance and compare it with the wallet",
  options: PROVIDER_OPTION,
  async run(ctx, values) {
    return describe(toComparison(await ctx.upstream.test(await findAsked(ctx, values))));
  },
};

const statusCommand: Command = {
  name: "upstream status",
  summary: "Show the connected gateway and its last known state, without a request",
  options: PROVIDER_OPTION,
  async run(ctx, values) {
    const asked = await findAsked(ctx, values);
    const data = toUpstreamState(await ctx.upstream.getStatus(asked));
    const lines = [
      data.connected ? `Connected to ${data.baseUrl}.` : "No gateway is connected.",
      ...(data.balance ? [describe(data.balance).text] : []),
      ...describeCatalog(data),
      ...(data.fault ? [`${data.fault.at}: ${data.fault.message}`] : []),
    ];
    return { text: lines.join("\n"), data };
  },
};

function describeCatalog({ connected, syncedAt, sync, syncFailure }: UpstreamState): string[] {
  if (syncedAt === undefined) {
    if (syncFailure) return [`${syncFailure.at}: no catalog yet: ${syncFailure.message}`];
    return connected ? ["Its catalog is not fetched yet."] : [];
  }
  const fetched = `Catalog of ${syncedAt}.`;
  const notes = sync ? describeNotes(sync) : [];
  if (!syncFailure) return [fetched, ...notes];
  return [
    fetched,
    ...notes,
    `${syncFailure.at}: the old catalog stays in use: ${syncFailure.message}`,
  ];
}

const disconnectCommand: Command = {
  name: "upstream disconnect",
  summary: "Disconnect the gateway and delete its key; nothing more is sold through it",
  options: PROVIDER_OPTION,
  async run(ctx, values) {
    await ctx.upstream.disconnect(await findAsked(ctx, values));
    return { text: "Disconnected.", data: { connected: false } };
  },
};

const syncCommand: Command = {
  name: "upstream sync",
  summary: "Fetch the connected gateway's catalog and promotions now",
  options: PROVIDER_OPTION,
  async run(ctx, values) {
    const data = await ctx.upstreamSync.sync(await findAsked(ctx, values));
    return { text: describeSync(data), data };
  },
};

function describeSync({ sections, ...notes }: UpstreamSyncReport): string {
  const rows = Object.entries(sections).map(([section, { added, changed, removed }]) => [
    section,
    `${added}`,
    `${changed}`,
    `${removed}`,
  ]);
  const lines = [table([["SECTION", "ADDED", "CHANGED", "REMOVED"], ...rows])];
  return [...lines, ...describeNotes(notes)].join("\n");
}

function describeNotes(notes: Omit<UpstreamSyncReport, "sections">): string[] {
  const { leftOut, leftOutCount, unread = [], deviations = [] } = notes;
  return [
    ...unread.map(({ part, reason }) => `${part} could not be read and is unchanged: ${reason}`),
    ...(leftOutCount > 0 ? [`${leftOutCount} cannot be sold and were omitted:`, ...leftOut] : []),
    ...deviations.map(({ what, count }) => `${what} (${count})`),
  ];
}

const hookCommand: Command = {
  name: "upstream hook",
  summary: "Create an address for the gateway's webhooks and print its path, once",
  options: PROVIDER_OPTION,
  async run(ctx, values) {
    const { providerId, ...author } = await findAsked(ctx, values);
    const { path } = await ctx.upstreamHooks.open(author, undefined, providerId);
    return { text: path, data: { path } };
  },
};

const hookSecretCommand: Command = {
  name: "upstream secret",
  summary: "Store the secret with which the gateway signs its webhooks",
  options: {
    ...PROVIDER_OPTION,
    "secret-file": {
      value: "FILE",
      help: "file with the secret; default is a prompt or standard input",
    },
  },
  async run(ctx, values) {
    const secret = await readOrAsk(values, "secret-file", "Secret");
    const { providerId, ...author } = await findAsked(ctx, values);
    await ctx.upstreamHooks.setSecret(author, secret, providerId);
    return { text: "Its webhooks are accepted.", data: { listening: true } };
  },
};

function describe(balance: Comparison): Result {
  const { upstream, others, available, held, difference } = balance;
  const money = (amount: number) => describeAmount(amount, balance);
  const text = [
    `Its balance is ${money(upstream)};${others === undefined ? "" : ` the other providers have ${money(others)};`} your wallet has ${money(available)}, and ${money(held)} held for unfinished purchases:`,
    difference === 0 ? "no difference." : `a difference of ${money(difference)}.`,
  ].join(" ");
  return { text, data: balance };
}

/** Reads a secret from the file of an option. Without the option, asks for it. */
async function readOrAsk(values: Values, option: string, label: string): Promise<string> {
  const file = optional(values, option);
  const text = file === undefined ? await askForSecret(label) : await readSecret(file, option);
  return text.trim();
}

async function askForSecret(label: string): Promise<string> {
  if (!process.stdin.isTTY) return readStandardInput();
  process.stderr.write(`${label}: `);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return await prompt.question("");
  } finally {
    prompt.close();
    process.stderr.write("\n");
  }
}

const orderCommand: Command = {
  name: "upstream order",
  summary: "Show or set which provider sells a product that several offer",
  options: {
    ...ENV_OPTION,
    brand: { value: "CODE", help: "only for this brand" },
    country: { value: "CODE", help: "only for this country" },
    family: { value: FAMILIES.join("|"), help: "only for this family" },
    providers: {
      value: "NAMES",
      help: "names, the preferred first, separated by commas; or cheapest",
    },
  },
  async run(ctx, values) {
    const scope = scopeOf(ctx, values);
    const asked = optional(values, "providers");
    if (asked !== undefined) {
      const [brand, country] = [optional(values, "brand"), optional(values, "country")];
      const family = readOption(values, "family", FAMILIES.join(" or "), among(FAMILIES));
      const target = { brand, country, family };
      const providers = asked === "cheapest" ? [] : await readProviders(ctx, values, asked);
      await ctx.providerOrders.setOrder(scopedAuthorOf(ctx, values), target, providers);
    }
    const routing = await ctx.providerOrders.read(scope);
    const names = new Map(
      (await ctx.upstream.list(scope)).map(({ providerId, name }) => [providerId, name]),
    );
    const lines = routing.orders.map(({ providers, ...target }) => {
      const where = Object.values(target).join(" ") || "all products";
      const order = providers.map((id) => names.get(id) ?? id).join(", ");
      return `${where}: ${order || "cheapest"}`;
    });
    const joined = Object.entries(routing.joined).map(([one, as]) => `${one} is sold as ${as}`);
    const text = [...lines, ...joined].join("\n");
    return { text: text || "Each product is sold by the cheapest provider.", data: routing };
  },
};

/** @throws StartupError */
async function readProviders(ctx: Context, values: Values, text: string): Promise<string[]> {
  const all = await ctx.upstream.list(scopeOf(ctx, values));
  return text.split(",").map((part) => {
    const name = part.trim().toLowerCase();
    const found = all.find((one) => one.name.toLowerCase() === name || one.providerId === name);
    if (found) return found.providerId;
    const names = all.map((one) => one.name).join(", ");
    throw new StartupError(`There is no provider "${part.trim()}". The providers are ${names}.`);
  });
}

const joinCommand: Command = {
  name: "upstream join",
  summary: "Sell a provider's brand as another brand, or separate it again",
  options: {
    ...ENV_OPTION,
    brand: { value: "CODE", help: "brand of the later provider" },
    as: { value: "CODE", help: "brand under which it is sold; separates it if missing" },
  },
  async run(ctx, values) {
    const [brand, as] = [required(values, "brand"), optional(values, "as")];
    await ctx.providerOrders.join(scopedAuthorOf(ctx, values), brand, as);
    const text =
      as === undefined ? `${brand} is a brand of its own.` : `${brand} is sold as ${as}.`;
    return { text, data: { brand, ...(as !== undefined && { as }) } };
  },
};

export const upstreamCommands = [
  connectCommand,
  addCommand,
  listCommand,
  renameCommand,
  pauseCommand,
  resumeCommand,
  testCommand,
  syncCommand,
  statusCommand,
  disconnectCommand,
  hookCommand,
  hookSecretCommand,
  orderCommand,
  joinCommand,
];
