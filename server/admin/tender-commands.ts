import { Value } from "typebox/value";
import { StartupError } from "../config/config.ts";
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
import { type Command, optional, type Result, required, table, type Values } from "./command.ts";

const listCommand: Command = {
  name: "settings tenders",
  summary: "List the tenders in the order of the counter",
  options: {},
  needsData: true,
  async run(ctx) {
    return describe(ctx, await ctx.shopTenders.get(ctx.accountId));
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
  needsData: true,
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
  needsData: true,
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
  return describe(ctx, await ctx.shopTenders.save({ accountId, staffId: undefined }, input));
}

/** @throws StartupError */
function readKind(values: Values): TenderKind | undefined {
  const value = optional(values, "kind");
  const kind = TENDER_KINDS.find((one) => one !== "CASH" && one.toLowerCase() === value);
  if (value === undefined || kind) return kind;
  throw new StartupError(`--kind must be card or other, not "${value}".`);
}

/** @throws StartupError */
function readSwitch(values: Values, name: string): boolean | undefined {
  const value = optional(values, name);
  if (value === undefined || value === "on" || value === "off") {
    return value === undefined ? value : value === "on";
  }
  throw new StartupError(`--${name} must be on or off, not "${value}".`);
}

/** @throws StartupError */
function readPlace(values: Values): number | undefined {
  const value = optional(values, "place");
  const place = Number(value);
  if (value === undefined || (/^\d{1,2}$/.test(value) && place >= 1 && place <= MOST_TENDERS)) {
    return value === undefined ? value : place;
  }
  throw new StartupError(`--place must be 1 to ${MOST_TENDERS}, not "${value}".`);
}

async function describe(ctx: Context, { list, revision }: ShopTenders): Promise<Result> {
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
