import { Value } from "typebox/value";
import { StartupError } from "../config/config.ts";
import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import { LONGEST_SHOP_NAME, LONGEST_STAFF_NAME, NAME_PATTERN } from "../contract/pos/name.ts";
import { SHORTEST_OWNER_PIN } from "../contract/pos/pins.ts";
import {
  findLinesTrouble,
  LONGEST_RECEIPT_LINE,
  MOST_RECEIPT_LINES,
} from "../contract/pos/receipt-text.ts";
import { MOST_IDLE_MINUTES, type PosSettings } from "../contract/pos/settings.ts";
import { LANGUAGES, Rate, STARTING_PRICES } from "../contract/pos/setup.ts";
import { findTimeZone, LATEST_DAY_START } from "../contract/pos/shop-day.ts";
import {
  LONGEST_TENDER_NAME,
  MOST_TENDERS,
  type ShopTenderInput,
  type ShopTenders,
  ShopTendersInput,
} from "../contract/pos/shop-tenders.ts";
import { tenderName } from "../contract/pos/tender-words.ts";
import { TENDER_KINDS, type TenderKind } from "../contract/pos/tenders.ts";
import type { Context } from "../gateway/context.ts";
import { MINUTE } from "../lib/clock.ts";
import type { SettingsChange } from "../modules/shop/settings/index.ts";
import {
  ANY_ENVIRONMENT,
  among,
  authorOf,
  type Command,
  optional,
  type Result,
  readOption,
  readText,
  required,
  scopeOf,
  table,
  upTo,
  type Values,
} from "./command.ts";
import { readPin } from "./secret-input.ts";

const RATE_RULE = "a decimal number such as 7.75";
/** `face-value` or `suggested`. */
const PRICES = STARTING_PRICES.map((name) => name.toLowerCase().replace("_", "-"));
const NAME = new RegExp(NAME_PATTERN, "u");

export const setupCommand: Command = {
  name: "setup",
  summary: "Set up the shop, like the till's first start",
  options: {
    shop: { value: "NAME", help: "the shop's name" },
    currency: { value: "CODE", help: "currency of its customers, ISO 4217" },
    rate: {
      value: "N",
      help: "units of it for one of the wallet's currency (default: a reference rate)",
    },
    prices: {
      value: PRICES.join("|"),
      help: "face values and prices to pay in cash, or the provider's suggested prices (default: face-value)",
    },
    "time-zone": { value: "ZONE", help: "time zone of its days (default: the machine's)" },
    language: { value: LANGUAGES.join("|"), help: "language of the till and its receipts" },
    "owner-name": { value: "NAME", help: "name of the owner" },
    "owner-pin": {
      value: "PIN",
      help: `${SHORTEST_OWNER_PIN} to 8 digits, - reads it from standard input`,
    },
  },
  needsShop: false,
  async run(ctx, values) {
    const shopName = checkName(required(values, "shop"), "shop", LONGEST_SHOP_NAME);
    const ownerName = optional(values, "owner-name");
    const rate = readOption(values, "rate", RATE_RULE, readRate);
    const languages = `one of ${LANGUAGES.join(", ")}`;
    const timeZone = optional(values, "time-zone");
    const owner = await ctx.shop.setUp(ctx.accountId, {
      shopName,
      currency: required(values, "currency").toUpperCase(),
      language: readText("language", required(values, "language"), languages, among(LANGUAGES)),
      ownerPin: await readPin(values, "owner-pin", SHORTEST_OWNER_PIN),
      ...(ownerName !== undefined && {
        ownerName: checkName(ownerName, "owner-name", LONGEST_STAFF_NAME),
      }),
      ...(rate !== undefined && { rate }),
      prices: readOption(values, "prices", PRICES.join(" or "), readPrices) ?? "FACE_VALUE",
      ...(timeZone !== undefined && { timeZone }),
    });
    const shop = await ctx.shop.get(ctx.accountId);
    return {
      text: `${shop.name} is set up in ${shop.currency} (rate ${shop.rate}), in the time zone ${shop.timeZone}. ${owner.name} can sign in.`,
      data: {
        shopName: shop.name,
        currency: shop.currency,
        rate: shop.rate,
        timeZone: shop.timeZone,
        owner,
      },
    };
  },
};

function checkName(name: string, option: string, longest: number): string {
  if (NAME.test(name) && [...name].length <= longest) return name;
  throw new StartupError(`--${option} must be 1 to ${longest} visible characters on one line.`);
}

function readPrices(text: string): (typeof STARTING_PRICES)[number] | undefined {
  return STARTING_PRICES[PRICES.indexOf(text)];
}

const getCommand: Command = {
  name: "settings get",
  summary: "Show the settings of one environment or both",
  options: { env: { value: "test|live", help: "only this environment" } },
  async run(ctx, values) {
    const environment = environmentOf(ctx, values);
    return describe(ctx, await ctx.settings.getAll(ctx.accountId), environment);
  },
};

const setCommand: Command = {
  name: "settings set",
  summary: "Change the settings",
  options: {
    env: { value: "test|live", help: "environment of --queue" },
    queue: { value: "on|off", help: "retry recoverable provider errors for 24 hours" },
    lookup: { value: "on|off", help: "phone lookup for API keys, in both environments" },
    "idle-lock": { value: "MINUTES", help: "lock an idle till; 0 is never" },
    "keep-pins": {
      value: "DAYS",
      help: "erase PINs and codes that long after the sale; 0 is never",
    },
    "keep-numbers": {
      value: "DAYS",
      help: "erase customers' numbers that long after the sale; 0 is never",
    },
    "time-zone": { value: "ZONE", help: "time zone of the shop's day" },
    "day-starts-at": {
      value: "HH:MM",
      help: "start of the shop's day, 00:00 to 06:00 in half hours",
    },
    "cash-step": {
      value: "UNITS",
      help: "round cash to this many minor units; 0 is no rounding",
    },
    "receipt-address": { value: "LINES", help: "address on receipts, | between lines" },
    "receipt-support": { value: "LINES", help: "customer support on receipts, | between lines" },
    rate: {
      value: "N",
      help: "exchange rate: units of the shop's currency for one of the wallet's",
    },
    "till-environment": {
      value: "test|live",
      help: "environment of the tills; lists missing requirements",
    },
  },
  needsShop: false,
  async run(ctx, values) {
    const queueEnabled = readSwitch(values, "queue");
    const lookupEnabled = readSwitch(values, "lookup");
    const minutes = `0 to ${MOST_IDLE_MINUTES} minutes`;
    const idleLockMinutes = readOption(values, "idle-lock", minutes, upTo(MOST_IDLE_MINUTES));
    const keepDetailsDays = readDays(values, "keep-pins");
    const keepNumbersDays = readDays(values, "keep-numbers");
    const zone = "a time zone such as America/Guatemala";
    const timeZone = readOption(values, "time-zone", zone, findTimeZone);
    const dayStartsAt = readDayStart(values, "day-starts-at");
    const cashStep = readCashStep(values);
    const address = readLines(values, "receipt-address");
    const support = readLines(values, "receipt-support");
    const receipt = { ...(address && { address }), ...(support && { support }) };
    const ofAccount: SettingsChange = {
      ...(lookupEnabled !== undefined && { lookupEnabled }),
      ...(idleLockMinutes !== undefined && { idleLockMinutes }),
      ...(keepDetailsDays !== undefined && { keepDetailsDays }),
      ...(keepNumbersDays !== undefined && { keepNumbersDays }),
      ...(timeZone !== undefined && { timeZone }),
      ...(dayStartsAt !== undefined && { dayStartsAt }),
      ...(cashStep !== undefined && { cashStep }),
      ...((address ?? support) && { receipt }),
    };
    const rate = readOption(values, "rate", RATE_RULE, readRate);
    const to = readOption(values, "till-environment", ANY_ENVIRONMENT, among(ENVIRONMENTS));
    const isNothing = [queueEnabled, rate, to].every((value) => value === undefined);
    const changesAccount = Object.keys(ofAccount).length > 0;
    if (isNothing && !changesAccount) throw new StartupError(NOTHING_GIVEN);
    const changesMore = changesAccount || queueEnabled !== undefined || rate !== undefined;
    // A command changes everything or nothing. The switch of the environment could fail after other
    // changes.
    if (to && changesMore) throw new StartupError("--till-environment takes a command of its own.");
    const environment = environmentOf(ctx, values);
    const change = ofAccount;
    if (queueEnabled !== undefined) change[scopeOf(ctx, values).environment] = { queueEnabled };
    const author = authorOf(ctx);
    if (rate !== undefined) await ctx.shop.setRate(author, rate);
    const settings = await ctx.settings.change({ accountId: ctx.accountId }, change);
    const readiness = to && (await ctx.tillEnvironment.switch(author, to));
    const { text, data } = await describe(ctx, settings, environment);
    const warnings = readiness?.checks.filter(({ passed }) => !passed) ?? [];
    return { text: [text, ...warnings.map(({ message }) => `Note: ${message}`)].join("\n"), data };
  },
};

const NOTHING_GIVEN =
  "--queue, --lookup, --idle-lock, --keep-pins, --keep-numbers, --time-zone, --day-starts-at, --cash-step, --receipt-address, --receipt-support, --rate or --till-environment is required.";

function readRate(text: string): string | undefined {
  return Value.Check(Rate, text) ? text : undefined;
}

/** @throws StartupError */
function readSwitch(values: Values, name: string): boolean | undefined {
  return readOption(values, name, "on or off", (text) => {
    return text === "on" || text === "off" ? text === "on" : undefined;
  });
}

/** @throws StartupError */
function readCashStep(values: Values): number | undefined {
  return readOption(values, "cash-step", "0 to 100000 smallest units", upTo(100_000));
}

/** @throws StartupError */
function readDays(values: Values, name: string): number | undefined {
  return readOption(values, name, "0 to 9999 days", upTo(9_999));
}

/** @throws StartupError */
function readDayStart(values: Values, name: string): number | undefined {
  return readOption(values, name, "00:00 to 06:00 in half hours", (text) => {
    const { hours, minutes } = /^(?<hours>0\d):(?<minutes>00|30)$/.exec(text)?.groups ?? {};
    const start = Number(hours) * 60 + Number(minutes);
    return start <= LATEST_DAY_START ? start : undefined;
  });
}

/**
 * Reads lines of text. An empty text removes the stored lines.
 * @throws StartupError
 */
function readLines(values: Values, name: string): string[] | undefined {
  const value = optional(values, name);
  if (value === undefined) return undefined;
  const lines = value
    .split("|")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const trouble = findLinesTrouble(lines);
  if (trouble === undefined) return lines;
  const rule = `at most ${MOST_RECEIPT_LINES} lines of at most ${LONGEST_RECEIPT_LINE} characters`;
  throw new StartupError(
    `--${name} must be ${rule}, with | between them${trouble === "unfit" ? ", all of them visible" : ""}.`,
  );
}

/** @throws StartupError */
function environmentOf(ctx: Context, values: Values): Environment | undefined {
  return values.env === undefined ? undefined : scopeOf(ctx, values).environment;
}

function formatTime(minutes: number): string {
  return new Date(minutes * MINUTE).toISOString().slice(11, 16);
}

async function describe(
  ctx: Context,
  settings: PosSettings,
  environment: Environment | undefined,
): Promise<Result> {
  const shop = await ctx.shop.find(ctx.accountId);
  const keepDetailsDays = await ctx.settings.getKeepDetailsDays(ctx.accountId);
  const { environments, ...ofAccount } = settings;
  const {
    lookupEnabled,
    idleLockMinutes,
    timeZone,
    dayStartsAt = 0,
    keepNumbersDays = 0,
    cashStep = 0,
    receipt,
  } = ofAccount;
  const account = [
    `lookup ${onOff(lookupEnabled)}`,
    `idle lock ${idleLockMinutes === 0 ? "off" : `after ${idleLockMinutes} min`}`,
    `PINs and codes kept ${keepDetailsDays === 0 ? "for good" : `${keepDetailsDays} days`}`,
    `customers' numbers kept ${keepNumbersDays === 0 ? "for good" : `${keepNumbersDays} days`}`,
    `time zone ${timeZone}`,
    `day from ${formatTime(dayStartsAt)}`,
    `cash ${cashStep === 0 ? "not rounded" : `rounded to ${cashStep} smallest units`}`,
    `receipt address ${receipt.address.join(" | ") || "none"}`,
    `receipt support ${receipt.support.join(" | ") || "none"}`,
    ...(shop
      ? [`rate ${shop.rate} ${shop.currency}`, `tills sell in ${shop.tillEnvironment}`]
      : []),
  ];
  const ofShop = shop && { rate: shop.rate, tillEnvironment: shop.tillEnvironment };
  if (environment === undefined) {
    const queues = ENVIRONMENTS.map(
      (each) => `${each}: queue ${onOff(environments[each].queueEnabled)}`,
    );
    return { text: [...queues, ...account].join("\n"), data: { ...settings, ...ofShop } };
  }
  const { queueEnabled } = environments[environment];
  return {
    text: [`queue ${onOff(queueEnabled)}`, ...account].join("\n"),
    data: { queueEnabled, ...ofAccount, ...ofShop },
  };
}

function onOff(enabled: boolean): string {
  return enabled ? "on" : "off";
}

export const settingsCommands = [getCommand, setCommand];

const listCommand: Command = {
  name: "settings tenders",
  summary: "List the tenders in the order of the counter",
  async run(ctx) {
    return describeTenders(ctx, await ctx.shopTenders.get(ctx.accountId));
  },
};

const DRAWER = { value: "on|off", help: "opens the cash drawer" };

const addCommand: Command = {
  name: "settings add-tender",
  summary: "Add a tender",
  options: {
    name: {
      value: "NAME",
      help: `name, at most ${LONGEST_TENDER_NAME} characters`,
    },
    kind: { value: "card|other", help: "group in totals" },
    drawer: DRAWER,
  },
  async run(ctx, values) {
    const name = required(values, "name");
    const kind = readKind(values) ?? "OTHER";
    if (optional(values, "kind") === undefined) throw new StartupError("--kind is required.");
    const opensDrawer = readSwitch(values, "drawer") ?? false;
    return save(ctx, (list) => [...list, { name, kind, opensDrawer, offered: true }]);
  },
};

const changeCommand: Command = {
  name: "settings change-tender",
  summary: "Rename, retire or move a tender",
  options: {
    tender: { value: "NAME|ID", help: "tender to change" },
    name: { value: "NAME", help: "new name" },
    kind: { value: "card|other", help: "group in totals; fixed after its first sale" },
    drawer: DRAWER,
    offered: { value: "on|off", help: "offered at the counter; off retires it" },
    place: { value: "N", help: "position at the counter, from 1" },
  },
  async run(ctx, values) {
    const which = required(values, "tender");
    const name = optional(values, "name");
    const kind = readKind(values);
    const opensDrawer = readSwitch(values, "drawer");
    const offered = readSwitch(values, "offered");
    const place = readPlace(values);
    const given = [name, kind, opensDrawer, offered, place];
    if (given.every((value) => value === undefined)) {
      throw new StartupError("--name, --kind, --drawer, --offered or --place is required.");
    }
    const language = (await ctx.shop.get(ctx.accountId)).language;
    return save(ctx, (list) => {
      const at = list.findIndex(
        (one) =>
          one.tenderId === which || tenderName(one, language).toLowerCase() === which.toLowerCase(),
      );
      const tender = list[at];
      if (!tender) throw new StartupError(`--tender: the shop has none called "${which}".`);
      const changed: ShopTenderInput = {
        ...tender,
        ...(name !== undefined && { name }),
        ...(kind !== undefined && { kind }),
        ...(opensDrawer !== undefined && { opensDrawer }),
        ...(offered !== undefined && { offered }),
      };
      return list.toSpliced(at, 1).toSpliced((place ?? at + 1) - 1, 0, changed);
    });
  },
};

/**
 * @throws StartupError
 * @throws Problem that names the field
 */
async function save(
  ctx: Context,
  change: (list: ShopTenderInput[]) => ShopTenderInput[],
): Promise<Result> {
  const { accountId } = ctx;
  const { revision, list } = await ctx.shopTenders.get(accountId);
  const wanted = change(
    list.map((tender) => {
      const { used: _, ...facts } = tender;
      return facts;
    }),
  );
  const input = { base: revision, list: wanted };
  if (wanted.length > MOST_TENDERS) {
    throw new StartupError(`There can be ${MOST_TENDERS} tenders at most.`);
  }
  if (!Value.Check(ShopTendersInput, input)) {
    throw new StartupError(
      `--name must be 1 to ${LONGEST_TENDER_NAME} visible characters, on one line.`,
    );
  }
  return describeTenders(ctx, await ctx.shopTenders.save(authorOf(ctx), input));
}

/** @throws StartupError */
function readKind(values: Values): TenderKind | undefined {
  return readOption(values, "kind", "card or other", (text) =>
    TENDER_KINDS.find((one) => one !== "CASH" && one.toLowerCase() === text),
  );
}

/** @throws StartupError */
function readPlace(values: Values): number | undefined {
  const read = upTo(MOST_TENDERS);
  return readOption(values, "place", `1 to ${MOST_TENDERS}`, (text) => read(text) || undefined);
}

async function describeTenders(ctx: Context, { list, revision }: ShopTenders): Promise<Result> {
  const { language } = await ctx.shop.get(ctx.accountId);
  const rows = list.map((tender) => [
    tenderName(tender, language),
    tender.kind.toLowerCase(),
    tender.opensDrawer ? "opens the drawer" : "",
    tender.offered ? "" : "retired",
  ]);
  return { text: table(rows), data: { revision, list } };
}

export const tenderCommands = [listCommand, addCommand, changeCommand];
