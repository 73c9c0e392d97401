import { StartupError } from "../config/config.ts";
import { type Command, table } from "./command.ts";
import { readPin } from "./secret-input.ts";

const listCommand: Command = {
  name: "staff list",
  summary: "List the staff",
  options: {},
  needsData: true,
  async run(ctx) {
    const staff = await ctx.staff.list(ctx.accountId);
    const header = ["STAFF ID", "NAME", "ROLE", "ACTIVE"];
    const rows = staff.map(({ staffId, name, role, active }) => [
      staffId,
      name,
      role,
      active ? "yes" : "no",
    ]);
    return { text: staff.length === 0 ? "No staff yet." : table([header, ...rows]), data: staff };
  },
};

const pinCommand: Command = {
  name: "staff pin",
  summary: "Set a new PIN for a person, and unlock them",
  options: { pin: { value: "PIN", help: "4 to 8 digits, - reads it from standard input" } },
  argument: "STAFF_ID",
  needsData: true,
  async run(ctx, values, staffId) {
    if (staffId === "") throw new StartupError("staff pin needs a STAFF_ID; see staff list.");
    const pin = await readPin(values, "pin");
    const actor = { accountId: ctx.accountId, staffId: undefined };
    const member = await ctx.staff.change(actor, staffId, { pin });
    return { text: `${member.name} has a new PIN.`, data: member };
  },
};

export const staffCommands = [listCommand, pinCommand];
