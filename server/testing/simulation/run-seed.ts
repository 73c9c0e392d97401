import { simulate } from "./simulation.ts";
import { makeTemplateShop } from "./template-shop.ts";

/** `npm run simulate -- SEED`: runs one seed, and prints its trace and errors. */
const seed = Number(process.argv[2]);
if (!Number.isSafeInteger(seed)) {
  process.stderr.write("Usage: npm run simulate -- SEED\n");
  process.exitCode = 2;
} else {
  const template = await makeTemplateShop();
  const { trace, faults } = await simulate(seed, template);
  await template.remove();
  process.stdout.write(`${[...trace, "", ...faults, `${faults.length} errors`].join("\n")}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
