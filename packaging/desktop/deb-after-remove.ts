import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

const SAYS_WHERE = `
case "$1" in
remove | purge)
  echo "The data of each user's shop is still in ~/.local/share/tillgate."
  ;;
esac
`;

/** Writes electron-builder's removal script with an added message about the shop's data folder. */
export async function writeAfterRemove(file: string): Promise<string> {
  const packer = createRequire(import.meta.resolve("electron-builder"));
  const own = packer.resolve("app-builder-lib/templates/linux/after-remove.tpl");
  await writeFile(file, (await readFile(own, "utf8")).trimEnd() + SAYS_WHERE);
  return file;
}
