import { StartupError } from "../config/config.ts";
import { type Command, optional } from "./command.ts";

const portsCommand: Command = {
  name: "printers ports",
  summary: "Show the ports that receipts may be sent to beside 9100 to 9109, or set them",
  options: { allow: { value: "PORTS", help: "such as 4000,9200; none takes them all away" } },
  needsData: true,
  async run(ctx, values) {
    const given = optional(values, "allow");
    const { accountId, printers } = ctx;
    const ports =
      given === undefined
        ? await printers.listPorts(accountId)
        : await printers.allowPorts(accountId, readPorts(given));
    const beside = ports.length > 0 ? ` and ${ports.join(", ")}` : "";
    return { text: `Receipts may be sent to the ports 9100 to 9109${beside}.`, data: { ports } };
  },
};

/** @throws StartupError naming the option */
function readPorts(text: string): number[] {
  if (text === "none") return [];
  const ports = text.split(",").map((one) => (/^\d{1,5}$/.test(one) ? Number(one) : 0));
  if (ports.every((port) => port >= 1 && port <= 65_535) && ports.length <= 20) return ports;
  throw new StartupError(`--allow must be at most 20 ports such as 4000,9200, not "${text}".`);
}

export const printerCommands = [portsCommand];
