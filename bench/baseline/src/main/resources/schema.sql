create table if not exists account (
    api_key text primary key,
    balance bigint not null,
    reserved bigint not null default 0,
    check (balance >= 0 and reserved >= 0 and reserved <= balance));
create table if not exists report (
    id uuid primary key,
    api_key text not null,
    idempotency_key text,
    body jsonb not null,
    webhook_url text,
    status text not null,
    reserved bigint not null,
    charged bigint,
    row_count bigint,
    file_size bigint,
    sha256 text,
    created timestamptz not null default now(),
    ended timestamptz,
    unique (api_key, idempotency_key));
create index if not exists report_of_account on report (api_key, created desc, id);
create table if not exists credit_ledger (
    report uuid not null,
    kind text not null,
    credits bigint not null,
    at timestamptz not null default now(),
    primary key (report, kind));

-- As db-scheduler's documentation has it.
create table if not exists scheduled_tasks (
    task_name text not null,
    task_instance text not null,
    task_data bytea,
    execution_time timestamptz not null,
    picked boolean not null,
    picked_by text,
    last_success timestamptz,
    last_failure timestamptz,
    consecutive_failures int,
    last_heartbeat timestamptz,
    version bigint not null,
    priority smallint,
    primary key (task_name, task_instance));
create index if not exists execution_time_idx on scheduled_tasks (execution_time);
create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat);

insert into account (api_key, balance) values ('bench-key', 1000000000000) on conflict do nothing;
