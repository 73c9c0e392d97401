/**
 * Checks that the subjects of commits after SINCE have at most 72 characters, so that lists of
 * commits show them in full. Passes without a history, as in an archive or a shallow clone.
 */
import { spawnSync } from "node:child_process";

const SINCE = "2026-11-29T08:30:00Z";
const MAX_CHARACTERS = 72;

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

const isComplete = git("rev-parse", "--is-shallow-repository") === "false";
const log = isComplete
  ? git("log", "--no-merges", `--since=${SINCE}`, "--format=%h %s", "HEAD")
  : undefined;
if (log === undefined) {
  console.log("commit subjects: not checked, because the history is incomplete");
} else {
  const commits = log.split("\n").filter(Boolean);
  const complaints = commits.flatMap((commit) => {
    const [hash = "", ...words] = commit.split(" ");
    const subject = words.join(" ");
    const characters = Array.from(subject).length;
    return characters <= MAX_CHARACTERS
      ? []
      : [`${hash} has ${characters} characters, ${MAX_CHARACTERS} at most: "${subject}".`];
  });
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) {
    console.error(
      "Remedy: shorten the subject with git rebase -i, reword; the reason belongs in the body.",
    );
  } else {
    console.log(`commit subjects: ${commits.length} commits`);
  }
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
