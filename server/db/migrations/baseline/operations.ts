import type { BaselineWords } from "./words.ts";

export function operationsTables({
  whole,
  bytes,
  numberedKey,
  tableEnd,
  keyedTableEnd,
  onlyInFile,
}: BaselineWords): string {
  return `
create table jobs (
  kind text not null,
  subject text not null,
  run_at ${whole} not null,
  attempts ${whole} not null default 0,
  last_error text,
  revision ${whole} not null default 0,
  lease_owner text,
  lease_until ${whole},
  primary key (kind, subject)
) ${keyedTableEnd};

create index jobs_due on jobs (run_at);

create table changes (
  change_id ${numberedKey},
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  topic text not null,
  subject text not null,
  changed_at ${whole} not null
) ${tableEnd};

create table commit_count (
  one ${whole} primary key check (one = 1),
  commits ${whole} not null,
  transactions ${whole} not null,
  committed_at ${whole} not null
) ${tableEnd};

${onlyInFile("insert into commit_count (one, commits, transactions, committed_at) values (1, 0, 0, 0)")}

create table write_probes (
  one ${whole} primary key check (one = 1),
  filler ${bytes} not null
) ${tableEnd};

create table storage_findings (
  finding_id ${numberedKey},
  kind text not null check (kind in ('BOOKS', 'MISSING')),
  found_at ${whole} not null,
  detail_json text not null,
  settled_at ${whole}
) ${tableEnd};

create unique index storage_findings_open on storage_findings (kind) where settled_at is null;

create table program_versions (
  entry_id ${numberedKey},
  kind text not null check (kind in ('STARTED', 'MIGRATED')),
  version text not null,
  recorded_at ${whole} not null,
  backup text,
  commits ${whole} check ((commits is null) = (backup is null))
) ${tableEnd};

create table second_backup_places (
  account_id text not null primary key references accounts,
  dir text not null,
  missing ${whole} not null,
  copied_at ${whole},
  problem_kind text check (problem_kind in ('AWAY', 'FULL', 'FAILED')),
  problem_text text,
  problem_at ${whole}
) ${keyedTableEnd};

create table recovery_kits (
  account_id text not null references accounts,
  is_draft ${whole} not null check (is_draft in (0, 1)),
  kit_id text not null,
  key_id text not null,
  made_at ${whole} not null,
  content_json text not null,
  primary key (account_id, is_draft)
) ${keyedTableEnd};

create table restore_reviews (
  account_id text not null primary key references accounts,
  restored_at ${whole} not null,
  taken_at ${whole} not null,
  returned_json text
) ${keyedTableEnd};

create table key_files (
  one ${whole} not null primary key check (one = 1),
  key_id text not null
) ${tableEnd};

create table shared_memory (
  topic text not null,
  name text not null,
  number ${whole} not null,
  content text,
  expires_at ${whole} not null,
  primary key (topic, name)
) ${keyedTableEnd};

create table exports_begun (
  one ${whole} not null primary key check (one = 1),
  number ${whole} not null
) ${tableEnd};

create table commit_marks (
  mark_id text not null primary key,
  commits ${whole} not null,
  committed_at ${whole} not null
) ${keyedTableEnd};

create table database_identity (
  one ${whole} not null primary key check (one = 1),
  identity text not null
) ${tableEnd};
`;
}
