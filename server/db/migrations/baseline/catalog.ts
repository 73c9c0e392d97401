import type { BaselineWords } from "./words.ts";

export function catalogTables({
  whole,
  bytes,
  tableEnd,
  guard,
  keyedTableEnd,
}: BaselineWords): string {
  return `
create table catalogs (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  version ${whole} not null,
  source text not null,
  updated_at ${whole} not null,
  generation ${whole} not null default 1,
  choices ${whole} not null default 0,
  primary key (account_id, environment)
) ${keyedTableEnd};

create table catalog_generations (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation ${whole} not null,
  import_id text,
  written_by text,
  written_until ${whole},
  primary key (account_id, environment, generation)
) ${keyedTableEnd};

create table brands (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation ${whole} not null,
  brand text not null,
  brand_name text not null,
  detail_json text not null,
  checksum ${whole},
  primary key (account_id, environment, generation, brand)
) ${tableEnd};

create table offers (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation ${whole} not null,
  offer_id text not null,
  product_type text not null,
  brand text not null,
  country text not null,
  offer_json text not null,
  created_at ${whole} not null,
  updated_at ${whole} not null,
  checksum ${whole},
  primary key (account_id, environment, generation, offer_id),
  foreign key (account_id, environment, generation, brand) references "brands"
) ${tableEnd};

create index offers_by_brand on offers (account_id, environment, generation, brand);

create table promos (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation ${whole} not null,
  promo_id text not null,
  promo_json text not null,
  created_at ${whole} not null,
  checksum ${whole},
  primary key (account_id, environment, generation, promo_id)
) ${tableEnd};

create table brand_logos (
  account_id text not null references accounts,
  brand text not null,
  digest text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  width ${whole} not null,
  height ${whole} not null,
  content ${bytes} not null,
  primary key (account_id, brand)
) ${keyedTableEnd};

create table offer_switches (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  sequence ${whole} not null check (sequence > 0),
  target_json text not null,
  enabled ${whole} not null check (enabled in (0, 1)),
  offers ${whole} not null,
  staff_id text,
  switched_at ${whole} not null,
  undone_at ${whole},
  primary key (account_id, environment, sequence)
) ${keyedTableEnd};

create table pinned_offers (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  product_type text not null,
  position ${whole} not null,
  offer_id text not null,
  primary key (account_id, environment, product_type, position)
) ${keyedTableEnd};

create table catalog_updates (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  sequence ${whole} not null,
  at ${whole} not null,
  action text not null,
  source text not null,
  staff_id text,
  version ${whole},
  added ${whole} not null,
  changed ${whole} not null,
  removed ${whole} not null,
  failure text,
  primary key (account_id, environment, sequence)
) ${keyedTableEnd};

create table catalog_imports (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  import_id text not null,
  name text not null,
  bytes ${whole} not null,
  checked_at ${whole} not null,
  base_version ${whole} not null,
  difference_json text not null,
  content ${bytes} not null,
  primary key (account_id, environment)
) ${keyedTableEnd};

create table catalog_uploads (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  import_id text not null,
  name text not null,
  bytes ${whole} not null,
  received_bytes ${whole} not null check (received_bytes between 0 and bytes),
  state text not null check (state in ('RECEIVING', 'CHECKING', 'FAULTY', 'SAME', 'WRITING', 'DONE',
    'FAILED')),
  outcome_json text not null,
  staff_id text,
  touched_at ${whole} not null,
  primary key (account_id, environment)
) ${keyedTableEnd};

create table catalog_upload_parts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  import_id text not null,
  first_byte ${whole} not null,
  content ${bytes} not null,
  primary key (account_id, environment, import_id, first_byte)
) ${keyedTableEnd};

create table waiting_catalogs (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  key_sealed text not null,
  fetched_at ${whole} not null,
  difference_json text not null,
  content ${bytes} not null,
  primary key (account_id, environment)
) ${keyedTableEnd};

create table price_lists (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  version ${whole} not null check (version > 0),
  list_json text not null,
  starts_at ${whole} not null,
  saved_at ${whole} not null,
  staff_id text,
  note text not null,
  checksum ${whole},
  primary key (account_id, environment, version)
) ${tableEnd};

${guard({
  name: "price_lists_never_change",
  event: "before update of list_json, starts_at, saved_at, staff_id, note",
  table: "price_lists",
  message: "a saved price list never changes",
})}

create table price_losses (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  rule_id text not null,
  lost ${whole} not null check (lost >= 0),
  checksum ${whole},
  primary key (account_id, environment, rule_id)
) ${tableEnd};
`;
}
