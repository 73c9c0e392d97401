export interface ReleaseNotes {
  /** `YYYY-MM-DD`; undefined before the release. */
  readonly date: string | undefined;
  readonly text: string;
}

/** @throws Error if the version has no heading or an empty section */
export function readReleaseNotes(changelog: string, version: string): ReleaseNotes {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((one) => one.startsWith(`${version} (`));
  if (part === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version} (…)".`);
  const [heading = "", ...lines] = part.split("\n");
  const text = lines.join("\n").trim();
  if (text === "") throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  const inBrackets = /\((.*)\)$/.exec(heading)?.[1] ?? "";
  if (inBrackets === "unreleased") return { date: undefined, text };
  if (!/^\d{4}-\d{2}-\d{2}$/.test(inBrackets)) {
    throw new Error(`CHANGELOG.md dates ${version} as "${inBrackets}": YYYY-MM-DD or unreleased.`);
  }
  return { date: inBrackets, text };
}
