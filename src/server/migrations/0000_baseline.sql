-- The whole schema of version 0.2.0, in the order in which its parts refer to each other.
--
-- A new database is made by this file and the migrations after it. A database of version 0.1.0 has the same
-- tables already, column by column in this order: it is recognised, and this file is not run on it (see
-- platform/database/first-history.ts). So this file does not change any more; every change is a new migration.
--
-- Tables are defined in src/server/schema, where their columns are explained. What Drizzle does not know is
-- defined only here: functions, triggers, the sequence of the protocols, and the extension. Names are without
-- a schema, since a backup is loaded into a schema of its own with this same file.

-- ---------------------------------------------------------------------------------------------------------
-- Clock, protocols, search in names
-- ---------------------------------------------------------------------------------------------------------

-- The product's clock: the database's now() plus an offset that is 0 outside tests (set by the connection).
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT now() + coalesce(nullif(current_setting('balcao.clock_offset', true), ''), '0')::interval $$;

-- Six digits a day for protocols; a sequence has no gaps to wait for and no row to lock.
CREATE SEQUENCE conversation_protocol MINVALUE 0 MAXVALUE 999999 CYCLE;

-- Parts of names, numbers and addresses are found by an index.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What `fold` in shared/text makes of each tag, in the same order.
CREATE FUNCTION folded_tags(tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    array_agg(lower(regexp_replace(normalize(tag, NFD), '[\u0300-\u036f]', '', 'g')) ORDER BY n), '{}')
    FROM unnest(tags) WITH ORDINALITY AS t (tag, n)
$$;

-- ---------------------------------------------------------------------------------------------------------
-- People: accounts, permissions, sessions, the second factor
-- ---------------------------------------------------------------------------------------------------------

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  name text NOT NULL,
  role text NOT NULL DEFAULT 'operator',
  is_active boolean NOT NULL DEFAULT true,
  is_blocked boolean NOT NULL DEFAULT false,
  failed_login_attempts integer NOT NULL DEFAULT 0,
  last_login_attempt_at timestamptz,
  locked_until timestamptz,
  lock_count integer NOT NULL DEFAULT 0,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  is_away boolean NOT NULL DEFAULT false,
  login_locked_at timestamptz,
  must_change_password boolean NOT NULL DEFAULT false,
  totp_secret_encrypted text,
  totp_confirmed_at timestamptz,
  totp_last_step integer,
  number_ids integer[],
  CONSTRAINT users_role CHECK (role in ('admin', 'supervisor', 'operator')),
  CONSTRAINT users_attempts CHECK (failed_login_attempts between 0 and 3)
);
CREATE UNIQUE INDEX users_username_living ON users (lower(username)) WHERE deleted_at is null;
CREATE UNIQUE INDEX users_email_living ON users (lower(email)) WHERE deleted_at is null;

-- Overrides the defaults of the role; contains all flags.
CREATE TABLE user_permissions (
  user_id integer PRIMARY KEY,
  flags jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT user_permissions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE TABLE sessions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash text NOT NULL,
  user_id integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  last_seen_at timestamptz NOT NULL DEFAULT app_now(),
  ended_at timestamptz,
  user_agent text,
  address text,
  confirmed_at timestamptz NOT NULL DEFAULT app_now(),
  must_enroll boolean NOT NULL DEFAULT false,
  CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash),
  CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX sessions_user ON sessions (user_id);

-- One-time codes that replace one of the telephone. Their hashes are keyed, because forty bits could be
-- enumerated.
CREATE TABLE recovery_codes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL,
  code_hash text NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT recovery_codes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX recovery_codes_code ON recovery_codes (user_id, code_hash);

-- Browsers that need no code for 30 days, by the SHA-256 of their cookie.
CREATE TABLE trusted_devices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL,
  token_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT trusted_devices_token_hash_unique UNIQUE (token_hash),
  CONSTRAINT trusted_devices_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX trusted_devices_user ON trusted_devices (user_id);

-- The roles that must have a second factor.
CREATE TABLE second_factor_duties (
  role text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT second_factor_duties_role CHECK (role in ('admin', 'supervisor', 'operator'))
);

-- Counters of login attempts by key (address, user name, unknown user), shared by all instances.
CREATE TABLE rate_limits (
  key text PRIMARY KEY,
  count integer NOT NULL DEFAULT 0,
  window_ends_at timestamptz NOT NULL
);

-- ---------------------------------------------------------------------------------------------------------
-- The installation and its settings
-- ---------------------------------------------------------------------------------------------------------

-- A single row: the identity of the installation, and whether it is a demo.
CREATE TABLE installation (
  id integer DEFAULT 1 PRIMARY KEY,
  epoch text NOT NULL,
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  sends_paused_until timestamptz,
  file_place text,
  CONSTRAINT installation_file_place CHECK (file_place in ('disk', 's3'))
);

-- A single row; settings that it does not contain have their defaults.
CREATE TABLE system_settings (
  id integer DEFAULT 1 PRIMARY KEY,
  "values" jsonb NOT NULL DEFAULT '{}'::jsonb,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT app_now()
);

-- ---------------------------------------------------------------------------------------------------------
-- Live events, presence, background work
-- ---------------------------------------------------------------------------------------------------------

-- The log of changes, written in the transaction that makes them. Readers follow the pair (tx, seq): neither
-- alone is safe, since a transaction with a later id may contain an earlier seq.
CREATE TABLE events (
  seq bigserial PRIMARY KEY,
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  type text NOT NULL,
  user_id integer,
  conversation_id integer,
  message_id integer,
  data jsonb,
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX events_position ON events (tx, seq);
CREATE INDEX events_created ON events (created_at);

-- One row per open socket, refreshed by its process; stale rows are ignored. Times are those of now().
CREATE TABLE presence (
  connection_id text PRIMARY KEY,
  process_id text NOT NULL,
  user_id integer NOT NULL,
  connected_at timestamptz NOT NULL DEFAULT now(),
  heartbeat_at timestamptz NOT NULL DEFAULT now(),
  last_input_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX presence_process ON presence (process_id);

-- Short periodic tasks, each run by one instance at a time. Times are those of now().
CREATE TABLE jobs (
  name text PRIMARY KEY,
  lease_until timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);

-- Runs of background jobs, with their progress. The queue itself belongs to pg-boss, in a schema of its own.
CREATE TABLE job_runs (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  state text NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  step text,
  done bigint NOT NULL DEFAULT 0,
  total bigint,
  started_by integer,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  started_at timestamptz,
  heartbeat_at timestamptz,
  cancel_requested_at timestamptz,
  finished_at timestamptz,
  error text,
  stalled integer NOT NULL DEFAULT 0,
  CONSTRAINT job_runs_state CHECK (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  CONSTRAINT job_runs_started_by_users_id_fk FOREIGN KEY (started_by) REFERENCES users (id)
);
CREATE INDEX job_runs_of_name ON job_runs (name, created_at);

-- ---------------------------------------------------------------------------------------------------------
-- The audit log
-- ---------------------------------------------------------------------------------------------------------

-- Who did what. The triggers below refuse every change of a row but its sealing, and every deletion.
CREATE TABLE audit_logs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer,
  action text NOT NULL,
  resource_type text NOT NULL,
  resource_id text,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  role text,
  session_id integer,
  origin text,
  outcome text NOT NULL DEFAULT 'done',
  repeats integer NOT NULL DEFAULT 1,
  repeat_key text,
  personal_hash text,
  "position" integer,
  hash text,
  CONSTRAINT audit_logs_outcome CHECK (outcome in ('done', 'refused')),
  CONSTRAINT audit_logs_sealed CHECK (("position" is null) = (hash is null)),
  CONSTRAINT audit_logs_counted CHECK ("position" is null or repeat_key is null)
);
CREATE INDEX audit_logs_created ON audit_logs (created_at, id);
CREATE INDEX audit_logs_group ON audit_logs (split_part(action, '.', 1), created_at, id);
CREATE INDEX audit_logs_user ON audit_logs (user_id, created_at, id);
CREATE INDEX audit_logs_resource ON audit_logs (resource_type, resource_id, created_at, id);
CREATE INDEX audit_logs_refused ON audit_logs (created_at, id) WHERE outcome = 'refused';
CREATE UNIQUE INDEX audit_logs_position ON audit_logs ("position");
CREATE INDEX audit_logs_unsealed ON audit_logs (id) WHERE "position" is null;
CREATE UNIQUE INDEX audit_logs_repeat ON audit_logs (repeat_key) WHERE repeat_key is not null;

-- The values of a row that concern a person. When they are erased, salt and values are gone, and the hash in
-- the sealed row stays.
CREATE TABLE audit_personal (
  log_id integer PRIMARY KEY,
  salt text,
  "values" jsonb,
  erased_by integer,
  CONSTRAINT audit_personal_erased CHECK (("values" is null) = (erased_by is not null)),
  CONSTRAINT audit_personal_salt CHECK (("values" is null) = (salt is null)),
  CONSTRAINT audit_personal_log_id_audit_logs_id_fk FOREIGN KEY (log_id) REFERENCES audit_logs (id),
  CONSTRAINT audit_personal_erased_by_audit_logs_id_fk FOREIGN KEY (erased_by) REFERENCES audit_logs (id)
);
CREATE INDEX audit_personal_address ON audit_personal (("values" ->> 'address'), log_id);

-- A single row: the last place of the chain and its hash, so that a cut end is found.
CREATE TABLE audit_head (
  id integer DEFAULT 1 PRIMARY KEY,
  "position" integer NOT NULL,
  hash text NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT audit_head_single CHECK (id = 1)
);

INSERT INTO audit_head ("position", hash) VALUES (0, repeat('0', 64));

-- A single row: what the last check of the chain has found.
CREATE TABLE audit_checks (
  id integer DEFAULT 1 PRIMARY KEY,
  checked_at timestamptz NOT NULL DEFAULT app_now(),
  "position" integer NOT NULL,
  breaks integer NOT NULL,
  first_position integer,
  first_fault text,
  CONSTRAINT audit_checks_single CHECK (id = 1)
);

-- Rows are only added. Until it is sealed a row may count repetitions; then nothing of it changes any more.
CREATE FUNCTION audit_logs_kept() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  movable constant text[] := '{position,hash,repeats,repeat_key}';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.position IS NULL AND to_jsonb(OLD) - movable = to_jsonb(NEW) - movable THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'audit_logs: rows are only added' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER audit_logs_kept BEFORE UPDATE OR DELETE ON audit_logs
  FOR EACH ROW EXECUTE FUNCTION audit_logs_kept();
CREATE TRIGGER audit_logs_not_emptied BEFORE TRUNCATE ON audit_logs
  FOR EACH STATEMENT EXECUTE FUNCTION audit_logs_kept();

-- ---------------------------------------------------------------------------------------------------------
-- Companies and contacts
-- ---------------------------------------------------------------------------------------------------------

CREATE TABLE companies (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  phone text,
  responsible_name text,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now()
);

-- Companies that somebody has declared to be different: they are not suggested as one. The smaller id is the
-- first.
CREATE TABLE company_distinctions (
  first_id integer NOT NULL,
  second_id integer NOT NULL,
  declared_by integer NOT NULL,
  declared_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT company_distinctions_first_id_second_id_pk PRIMARY KEY (first_id, second_id),
  CONSTRAINT company_distinctions_order CHECK (first_id < second_id),
  CONSTRAINT company_distinctions_first_id_companies_id_fk FOREIGN KEY (first_id)
    REFERENCES companies (id) ON DELETE CASCADE,
  CONSTRAINT company_distinctions_second_id_companies_id_fk FOREIGN KEY (second_id)
    REFERENCES companies (id) ON DELETE CASCADE,
  CONSTRAINT company_distinctions_declared_by_users_id_fk FOREIGN KEY (declared_by) REFERENCES users (id)
);
CREATE INDEX company_distinctions_second ON company_distinctions (second_id);

CREATE TABLE contact_categories (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  description text,
  priority integer NOT NULL DEFAULT 1,
  color text NOT NULL DEFAULT '#6b7280',
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT contact_categories_priority CHECK (priority between 1 and 10),
  CONSTRAINT contact_categories_color CHECK (color ~* '^#[0-9a-f]{6}$')
);
CREATE UNIQUE INDEX contact_categories_name ON contact_categories (lower(name));

-- The names and tags as they are searched are computed by the database, so that no writer can forget them.
CREATE TABLE contacts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  phone text,
  email text,
  tags text[] NOT NULL DEFAULT '{}',
  category text NOT NULL DEFAULT 'general',
  notes text,
  company_id integer,
  is_active boolean NOT NULL DEFAULT true,
  is_blocked boolean NOT NULL DEFAULT false,
  avatar_url text,
  avatar_updated_at timestamptz,
  has_gateway_name boolean NOT NULL DEFAULT false,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  gateway_named_at timestamptz,
  name_folded text GENERATED ALWAYS AS (lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '',
    'g'))) STORED NOT NULL,
  tags_folded text[] GENERATED ALWAYS AS (folded_tags(tags)) STORED NOT NULL,
  erased_at timestamptz,
  CONSTRAINT contacts_phone_digits CHECK (phone ~ '^[0-9]{8,15}$'),
  CONSTRAINT contacts_company_id_companies_id_fk FOREIGN KEY (company_id)
    REFERENCES companies (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX contacts_phone_living ON contacts (phone) WHERE deleted_at is null;
CREATE INDEX contacts_company ON contacts (company_id);
CREATE INDEX contacts_name_folded ON contacts USING gin (name_folded gin_trgm_ops);
CREATE INDEX contacts_phone_searched ON contacts USING gin (phone gin_trgm_ops);
CREATE INDEX contacts_email_searched ON contacts USING gin (email gin_trgm_ops);
CREATE INDEX contacts_tags ON contacts USING gin (tags_folded);
CREATE INDEX contacts_by_name ON contacts (name_folded, id) WHERE deleted_at is null;
CREATE INDEX contacts_by_category ON contacts (lower(category), name_folded, id) WHERE deleted_at is null;

-- The same person may write from a phone number and from a LID; both lead to one contact.
CREATE TABLE contact_identities (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contact_id integer NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  jid text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT contact_identities_value UNIQUE (kind, value),
  CONSTRAINT contact_identities_kind CHECK (kind in ('phone', 'lid')),
  CONSTRAINT contact_identities_contact_id_contacts_id_fk FOREIGN KEY (contact_id)
    REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX contact_identities_contact ON contact_identities (contact_id);

-- Merges by hand, which can be undone for a day.
CREATE TABLE contact_merges (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kept_id integer NOT NULL,
  merged_id integer NOT NULL,
  merged_by integer NOT NULL,
  merged_at timestamptz NOT NULL DEFAULT app_now(),
  undone_at timestamptz,
  undo jsonb NOT NULL,
  CONSTRAINT contact_merges_kept_id_contacts_id_fk FOREIGN KEY (kept_id)
    REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT contact_merges_merged_id_contacts_id_fk FOREIGN KEY (merged_id)
    REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT contact_merges_merged_by_users_id_fk FOREIGN KEY (merged_by) REFERENCES users (id)
);
CREATE INDEX contact_merges_merged_at ON contact_merges (merged_at);

-- Contacts that an administrator has declared to be two persons: they are neither suggested nor merged.
CREATE TABLE contact_distinctions (
  first_id integer NOT NULL,
  second_id integer NOT NULL,
  declared_by integer NOT NULL,
  declared_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT contact_distinctions_first_id_second_id_pk PRIMARY KEY (first_id, second_id),
  CONSTRAINT contact_distinctions_order CHECK (first_id < second_id),
  CONSTRAINT contact_distinctions_first_id_contacts_id_fk FOREIGN KEY (first_id)
    REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT contact_distinctions_second_id_contacts_id_fk FOREIGN KEY (second_id)
    REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT contact_distinctions_declared_by_users_id_fk FOREIGN KEY (declared_by) REFERENCES users (id)
);
CREATE INDEX contact_distinctions_second ON contact_distinctions (second_id);

-- Files of contacts, and how far each is. A row is inserted before its file and deleted after it.
CREATE TABLE contact_imports (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file_name text NOT NULL,
  stored_name text NOT NULL,
  size_bytes bigint NOT NULL,
  format text NOT NULL,
  encoding text,
  has_bom boolean NOT NULL,
  separator text,
  headers text[] NOT NULL,
  samples text[] NOT NULL,
  first_rows jsonb NOT NULL,
  total_rows integer NOT NULL,
  mapping jsonb NOT NULL,
  mapping_from timestamptz,
  known_rows integer,
  known text NOT NULL DEFAULT 'update',
  state text NOT NULL DEFAULT 'read',
  run_id uuid,
  actor jsonb,
  may_create_companies boolean NOT NULL DEFAULT false,
  uploaded_by integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  started_at timestamptz,
  ended_at timestamptz,
  resumed_at timestamptz,
  resumed_rows integer NOT NULL DEFAULT 0,
  done_line integer NOT NULL DEFAULT 0,
  done_rows integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  kept integer NOT NULL DEFAULT 0,
  errors integer NOT NULL DEFAULT 0,
  undone_line integer,
  undone_rows integer NOT NULL DEFAULT 0,
  deleted integer NOT NULL DEFAULT 0,
  restored integer NOT NULL DEFAULT 0,
  CONSTRAINT contact_imports_stored_name_unique UNIQUE (stored_name),
  CONSTRAINT contact_imports_state CHECK (state in ('read', 'running', 'stopped', 'failed', 'done', 'undoing',
    'undone')),
  CONSTRAINT contact_imports_known CHECK (known in ('update', 'skip')),
  CONSTRAINT contact_imports_uploaded_by_users_id_fk FOREIGN KEY (uploaded_by) REFERENCES users (id)
);
CREATE INDEX contact_imports_created ON contact_imports (created_at, id);

-- What became of the rows of a file, by line; a row that changed nothing is only counted. Contacts are not
-- referenced: a check for each of 100,000 rows would take as long as the rows.
CREATE TABLE contact_import_rows (
  import_id integer NOT NULL,
  line integer NOT NULL,
  outcome text NOT NULL,
  contact_id integer,
  before jsonb,
  after jsonb,
  cells jsonb,
  field text,
  value text,
  error text,
  CONSTRAINT contact_import_rows_import_id_line_pk PRIMARY KEY (import_id, line),
  CONSTRAINT contact_import_rows_outcome CHECK (outcome in ('created', 'updated', 'error')),
  CONSTRAINT contact_import_rows_import_id_contact_imports_id_fk FOREIGN KEY (import_id)
    REFERENCES contact_imports (id) ON DELETE CASCADE
);
CREATE INDEX contact_import_rows_errors ON contact_import_rows (import_id, field, line)
  WHERE outcome = 'error';

-- What persons have asked for by the LGPD, art. 18: without a value of theirs. Kept forever, so that a
-- restore or an import does not bring back who was anonymized.
CREATE TABLE privacy_requests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  contact_id integer NOT NULL,
  user_id integer NOT NULL,
  proof jsonb NOT NULL,
  fingerprints text[] NOT NULL DEFAULT '{}',
  echoes_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT privacy_requests_kind CHECK (kind in ('export', 'anonymize')),
  CONSTRAINT privacy_requests_contact_id_contacts_id_fk FOREIGN KEY (contact_id) REFERENCES contacts (id),
  CONSTRAINT privacy_requests_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX privacy_requests_created ON privacy_requests (created_at, id);
CREATE INDEX privacy_requests_contact ON privacy_requests (contact_id);
CREATE INDEX privacy_requests_fingerprints ON privacy_requests USING gin (fingerprints);

-- ---------------------------------------------------------------------------------------------------------
-- The gateway: numbers and webhooks
-- ---------------------------------------------------------------------------------------------------------

-- A connected number: one row per instance of the gateway. All other tables reference it as instance_id.
CREATE TABLE evolution_api_config (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_name text NOT NULL,
  api_key_encrypted text NOT NULL,
  api_key_hint text NOT NULL,
  base_url text NOT NULL,
  webhook_url text,
  is_active boolean NOT NULL DEFAULT true,
  status text NOT NULL DEFAULT 'disconnected',
  owner_jid text,
  profile_name text,
  last_connected_at timestamptz,
  webhook_secret_encrypted text,
  webhook_secret_before_encrypted text,
  instance_token_encrypted text,
  webhook_set_at timestamptz,
  pace_per_second double precision NOT NULL DEFAULT 10,
  next_send_at timestamptz NOT NULL DEFAULT now(),
  next_automatic_at timestamptz NOT NULL DEFAULT now(),
  failures integer NOT NULL DEFAULT 0,
  breaker_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  webhook_secret_pending_encrypted text,
  swept_until timestamptz,
  sweep_lease_until timestamptz,
  troubled_at timestamptz,
  linking_at timestamptz,
  code_encrypted text,
  code_at timestamptz,
  code_count integer NOT NULL DEFAULT 0,
  closed_reason text,
  closed_at timestamptz,
  looked_back_at timestamptz,
  silent_since timestamptz,
  restarted_at timestamptz,
  is_restart_failed boolean NOT NULL DEFAULT false,
  own_settings jsonb NOT NULL DEFAULT '{}'::jsonb,
  deleted_at timestamptz,
  CONSTRAINT evolution_api_config_instance_name_unique UNIQUE (instance_name),
  CONSTRAINT evolution_api_config_status CHECK (status in ('open', 'connecting', 'close', 'unreachable',
    'unauthorized', 'disconnected')),
  CONSTRAINT evolution_api_config_closed_reason CHECK (closed_reason in ('codes', 'phone', 'us', 'banned',
    'replaced')),
  CONSTRAINT evolution_api_config_pace CHECK (pace_per_second > 0)
);

-- A single row: what of the first steps of an installation was left out, and when they ended.
CREATE TABLE first_steps (
  id integer DEFAULT 1 PRIMARY KEY,
  is_message_skipped boolean NOT NULL DEFAULT false,
  is_team_skipped boolean NOT NULL DEFAULT false,
  done_at timestamptz
);

-- A single row: the webhooks that were refused, until none is for a while.
CREATE TABLE webhook_refusals (
  id integer DEFAULT 1 PRIMARY KEY,
  count integer NOT NULL,
  since timestamptz NOT NULL DEFAULT app_now(),
  last_at timestamptz NOT NULL DEFAULT app_now()
);

-- Webhook bodies as received, without the gateway's key, before they are processed.
CREATE TABLE webhook_inbox (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer,
  instance_name text NOT NULL,
  event text NOT NULL,
  dedupe_key text NOT NULL,
  lane text NOT NULL,
  payload jsonb NOT NULL,
  received_at timestamptz NOT NULL DEFAULT app_now(),
  processed_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  not_before timestamptz NOT NULL DEFAULT now(),
  dead_reason text,
  CONSTRAINT webhook_inbox_dedupe UNIQUE (instance_name, dedupe_key),
  CONSTRAINT webhook_inbox_instance_id_evolution_api_config_id_fk FOREIGN KEY (instance_id)
    REFERENCES evolution_api_config (id)
);
CREATE INDEX webhook_inbox_lanes ON webhook_inbox (lane, id)
  WHERE processed_at is null and dead_reason is null and instance_id is not null;
CREATE INDEX webhook_inbox_oldest ON webhook_inbox (id)
  WHERE processed_at is null and dead_reason is null and instance_id is not null and id > 0;
CREATE INDEX webhook_inbox_dead ON webhook_inbox (id) WHERE dead_reason is not null;
CREATE INDEX webhook_inbox_received ON webhook_inbox (received_at);

-- The queue is read from its old end, over the rows that are done: they are cleared away by their number, not
-- by their part of the table.
ALTER TABLE webhook_inbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- ---------------------------------------------------------------------------------------------------------
-- Conversations and messages
-- ---------------------------------------------------------------------------------------------------------

CREATE TABLE conversations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL,
  contact_id integer NOT NULL,
  protocol text NOT NULL,
  assigned_user_id integer,
  status text NOT NULL DEFAULT 'waiting',
  sub_status text NOT NULL DEFAULT 'FILA',
  waiting_for text NOT NULL DEFAULT 'operator',
  waiting_since timestamptz,
  priority text NOT NULL DEFAULT 'normal',
  initiated_by text NOT NULL DEFAULT 'contact',
  disable_auto_close boolean NOT NULL DEFAULT false,
  pre_attendance_stage text,
  started_at timestamptz NOT NULL DEFAULT app_now(),
  completed_at timestamptz,
  last_activity_at timestamptz NOT NULL DEFAULT app_now(),
  satisfaction integer,
  notes text,
  message_count integer NOT NULL DEFAULT 0,
  last_message_id integer,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  is_history boolean NOT NULL DEFAULT false,
  contact_message_count integer NOT NULL DEFAULT 0,
  receipt_message_id integer,
  inactivity_warned_at timestamptz,
  rating_asked_at timestamptz,
  receipt_due_id integer,
  CONSTRAINT conversations_protocol_unique UNIQUE (protocol),
  CONSTRAINT conversations_status CHECK (status in ('waiting', 'active', 'completed')),
  CONSTRAINT conversations_sub_status CHECK (sub_status in ('FILA', 'OPERADOR')),
  CONSTRAINT conversations_waiting_for CHECK (waiting_for in ('operator', 'client')),
  CONSTRAINT conversations_priority CHECK (priority in ('low', 'normal', 'high')),
  CONSTRAINT conversations_initiated_by CHECK (initiated_by in ('contact', 'operator')),
  CONSTRAINT conversations_pre_attendance_stage CHECK (pre_attendance_stage in ('waiting_option', 'cancelled',
    'attended')),
  CONSTRAINT conversations_satisfaction CHECK (satisfaction between 1 and 5),
  CONSTRAINT conversations_completed_at CHECK ((status = 'completed') = (completed_at is not null)),
  CONSTRAINT conversations_protocol CHECK (protocol ~ '^[0-9]{14}$'),
  CONSTRAINT conversations_instance_id_evolution_api_config_id_fk FOREIGN KEY (instance_id)
    REFERENCES evolution_api_config (id),
  CONSTRAINT conversations_contact_id_contacts_id_fk FOREIGN KEY (contact_id) REFERENCES contacts (id),
  CONSTRAINT conversations_assigned_user_id_users_id_fk FOREIGN KEY (assigned_user_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX conversations_one_open ON conversations (contact_id, instance_id)
  WHERE status <> 'completed';
CREATE INDEX conversations_open ON conversations (started_at, id) WHERE status <> 'completed';
CREATE INDEX conversations_queue ON conversations (started_at, id)
  WHERE status <> 'completed' and sub_status = 'FILA' and waiting_for = 'operator';
CREATE INDEX conversations_completed ON conversations (completed_at, id) WHERE status = 'completed';
CREATE INDEX conversations_archived ON conversations (completed_at, id)
  WHERE status = 'completed' and pre_attendance_stage is distinct from 'waiting_option' and
    pre_attendance_stage is distinct from 'cancelled';
CREATE INDEX conversations_rating_asked ON conversations (contact_id) WHERE rating_asked_at is not null;
CREATE INDEX conversations_assigned ON conversations (assigned_user_id) WHERE status <> 'completed';
CREATE INDEX conversations_contact ON conversations (contact_id);
CREATE INDEX conversations_receipt_due ON conversations (id) WHERE receipt_due_id is not null;

CREATE TABLE messages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id integer NOT NULL,
  instance_id integer NOT NULL,
  sender_id integer,
  sender_type text NOT NULL,
  content text NOT NULL,
  message_type text NOT NULL DEFAULT 'text',
  file_name text,
  file_url text,
  file_mime_type text,
  file_size bigint,
  whatsapp_message_id text,
  client_message_id text,
  quoted_whatsapp_id text,
  quoted_content text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  delivery_status text,
  failure_reason text,
  response_ms bigint,
  edited_at timestamptz,
  deleted_at timestamptz,
  sort_at timestamptz NOT NULL,
  sent_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  version integer NOT NULL DEFAULT 1,
  is_pinned boolean NOT NULL DEFAULT false,
  pin_changed_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  is_edit_time_exact boolean NOT NULL DEFAULT true,
  CONSTRAINT messages_whatsapp_id UNIQUE (instance_id, whatsapp_message_id),
  CONSTRAINT messages_client_id UNIQUE (conversation_id, client_message_id),
  CONSTRAINT messages_sender_type CHECK (sender_type in ('contact', 'user')),
  CONSTRAINT messages_type CHECK (message_type in ('text', 'image', 'video', 'audio', 'document', 'sticker',
    'contact', 'location', 'poll', 'call', 'unsupported', 'event', 'view_tracking', 'warning_auto',
    'operator_initiated_warning', 'queue_notification', 'queue_position', 'queue_welcome')),
  CONSTRAINT messages_delivery_status CHECK (delivery_status in ('pending', 'sending', 'unknown', 'failed',
    'sent', 'delivered', 'read', 'played')),
  CONSTRAINT messages_contact_has_no_sender CHECK (sender_type = 'user' or sender_id is null),
  CONSTRAINT messages_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT messages_instance_id_evolution_api_config_id_fk FOREIGN KEY (instance_id)
    REFERENCES evolution_api_config (id),
  CONSTRAINT messages_sender_id_users_id_fk FOREIGN KEY (sender_id) REFERENCES users (id)
);
CREATE INDEX messages_order ON messages (conversation_id, sort_at, id);
CREATE INDEX messages_by_operators ON messages (conversation_id, id)
  WHERE sender_id is not null and delivery_status is not null;
CREATE INDEX messages_by_phone ON messages (conversation_id, sent_at, id)
  WHERE metadata ->> 'origin' in ('phone', 'api') or metadata #>> '{call,outcome}' = 'answered';
CREATE INDEX messages_response ON messages (sort_at, response_ms) WHERE response_ms is not null;
CREATE INDEX messages_recovered ON messages (created_at) WHERE metadata ? 'recovered';

-- What a foreign key from last_message_id would do with ON DELETE SET NULL, but that would look through all
-- conversations for each deleted message.
CREATE FUNCTION forget_last_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET last_message_id = NULL
   WHERE id = OLD.conversation_id AND last_message_id = OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER last_message_forgotten AFTER DELETE ON messages
  FOR EACH ROW EXECUTE FUNCTION forget_last_message();

-- Earlier contents of edited messages.
CREATE TABLE message_versions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id integer NOT NULL,
  content text NOT NULL,
  replaced_at timestamptz NOT NULL DEFAULT app_now(),
  said_at timestamptz,
  is_time_exact boolean NOT NULL DEFAULT true,
  CONSTRAINT message_versions_message_id_messages_id_fk FOREIGN KEY (message_id)
    REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX message_versions_message ON message_versions (message_id);

CREATE TABLE message_reactions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id integer NOT NULL,
  sender text NOT NULL,
  emoji text NOT NULL,
  reacted_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT message_reactions_one UNIQUE (message_id, sender),
  CONSTRAINT message_reactions_sender CHECK (sender in ('contact', 'user')),
  CONSTRAINT message_reactions_message_id_messages_id_fk FOREIGN KEY (message_id)
    REFERENCES messages (id) ON DELETE CASCADE
);

-- The current choice of each side in a poll. An empty choice is stored too, so that an older vote that
-- arrives late has no effect.
CREATE TABLE message_votes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id integer NOT NULL,
  sender text NOT NULL,
  options text[] NOT NULL,
  voted_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT message_votes_one UNIQUE (message_id, sender),
  CONSTRAINT message_votes_sender CHECK (sender in ('contact', 'user')),
  CONSTRAINT message_votes_message_id_messages_id_fk FOREIGN KEY (message_id)
    REFERENCES messages (id) ON DELETE CASCADE
);

-- Updates that arrived before their message, stored until it arrives.
CREATE TABLE pending_updates (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL,
  whatsapp_message_id text NOT NULL,
  kind text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT pending_updates_kind CHECK (kind in ('delivery', 'edit', 'delete', 'reaction', 'vote', 'pin')),
  CONSTRAINT pending_updates_instance_id_evolution_api_config_id_fk FOREIGN KEY (instance_id)
    REFERENCES evolution_api_config (id)
);
CREATE INDEX pending_updates_message ON pending_updates (instance_id, whatsapp_message_id);

-- The sends that were undone. The browser may repeat one to which it has received no answer, and it must not
-- be sent after all.
CREATE TABLE undone_sends (
  conversation_id integer NOT NULL,
  client_message_id text NOT NULL,
  undone_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT undone_sends_conversation_id_client_message_id_pk PRIMARY KEY (conversation_id, client_message_id),
  CONSTRAINT undone_sends_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE
);

-- Messages that were deleted here with their conversation. The gateway may report them again, by an echo, a
-- sweep of its record or a new sync, and they must not reappear.
CREATE TABLE forgotten_messages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL,
  whatsapp_message_id text,
  message_id integer NOT NULL,
  contact_id integer NOT NULL,
  message_type text NOT NULL,
  content text NOT NULL,
  file_name text,
  forgotten_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT forgotten_messages_whatsapp_id UNIQUE (instance_id, whatsapp_message_id),
  CONSTRAINT forgotten_messages_instance_id_evolution_api_config_id_fk FOREIGN KEY (instance_id)
    REFERENCES evolution_api_config (id),
  CONSTRAINT forgotten_messages_contact_id_contacts_id_fk FOREIGN KEY (contact_id) REFERENCES contacts (id)
);
CREATE INDEX forgotten_messages_in_flight ON forgotten_messages (contact_id) WHERE whatsapp_message_id is null;

-- Messages to send, each exactly once. Within a conversation the ids follow the order of the commits, since
-- an insert takes the conversation's lock.
CREATE TABLE outbox (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL,
  conversation_id integer NOT NULL,
  message_id integer NOT NULL,
  priority integer NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'pending',
  not_before timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  tries integer NOT NULL DEFAULT 0,
  first_attempt_at timestamptz,
  unknown_since timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  is_recorded boolean NOT NULL DEFAULT true,
  CONSTRAINT outbox_message_id_unique UNIQUE (message_id),
  CONSTRAINT outbox_state CHECK (state in ('pending', 'sending', 'unknown', 'sent', 'failed', 'cancelled')),
  CONSTRAINT outbox_instance_id_evolution_api_config_id_fk FOREIGN KEY (instance_id)
    REFERENCES evolution_api_config (id),
  CONSTRAINT outbox_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT outbox_message_id_messages_id_fk FOREIGN KEY (message_id)
    REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX outbox_todo ON outbox (instance_id, priority, id) WHERE state = 'pending';
CREATE INDEX outbox_open ON outbox (conversation_id, id) WHERE state in ('pending', 'sending', 'unknown');
CREATE INDEX outbox_doubtful ON outbox (id) WHERE state in ('sending', 'unknown');

-- How far each person has read, across all of their devices.
CREATE TABLE conversation_reads (
  user_id integer NOT NULL,
  conversation_id integer NOT NULL,
  last_message_id integer NOT NULL,
  contact_message_count integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT conversation_reads_user_id_conversation_id_pk PRIMARY KEY (user_id, conversation_id),
  CONSTRAINT conversation_reads_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id),
  CONSTRAINT conversation_reads_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE INDEX conversation_reads_conversation ON conversation_reads (conversation_id);

-- The text that a person has begun to write, across all of their devices.
CREATE TABLE conversation_drafts (
  user_id integer NOT NULL,
  conversation_id integer NOT NULL,
  content text NOT NULL,
  quoted_message_id integer,
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT conversation_drafts_user_id_conversation_id_pk PRIMARY KEY (user_id, conversation_id),
  CONSTRAINT conversation_drafts_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id),
  CONSTRAINT conversation_drafts_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT conversation_drafts_quoted_message_id_messages_id_fk FOREIGN KEY (quoted_message_id)
    REFERENCES messages (id) ON DELETE SET NULL
);
CREATE INDEX conversation_drafts_conversation ON conversation_drafts (conversation_id);
CREATE INDEX conversation_drafts_quoted ON conversation_drafts (quoted_message_id);

-- A client's rating of a completed conversation, from 1 to 5.
CREATE TABLE conversation_ratings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id integer NOT NULL,
  contact_id integer NOT NULL,
  operator_id integer,
  service_rating integer NOT NULL,
  operator_rating integer NOT NULL,
  feedback text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT conversation_ratings_conversation_id_unique UNIQUE (conversation_id),
  CONSTRAINT conversation_ratings_service CHECK (service_rating between 1 and 5),
  CONSTRAINT conversation_ratings_operator CHECK (operator_rating between 1 and 5),
  CONSTRAINT conversation_ratings_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT conversation_ratings_contact_id_contacts_id_fk FOREIGN KEY (contact_id) REFERENCES contacts (id),
  CONSTRAINT conversation_ratings_operator_id_users_id_fk FOREIGN KEY (operator_id) REFERENCES users (id)
);
CREATE INDEX conversation_ratings_contact ON conversation_ratings (contact_id);

-- Conversations whose clients are informed of their position in the queue.
CREATE TABLE queue_pending_conversations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id integer NOT NULL,
  contact_id integer NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT app_now(),
  processed_at timestamptz,
  told_position integer,
  told_at timestamptz,
  CONSTRAINT queue_pending_conversations_conversation_id_unique UNIQUE (conversation_id),
  CONSTRAINT queue_pending_conversations_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT queue_pending_conversations_contact_id_contacts_id_fk FOREIGN KEY (contact_id)
    REFERENCES contacts (id)
);

-- What a client wrote before they chose whether to be attended.
CREATE TABLE pre_attendance_temp (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id integer NOT NULL,
  contact_id integer NOT NULL,
  conversation_id integer NOT NULL,
  phone_number text,
  contact_name text NOT NULL,
  original_message jsonb NOT NULL DEFAULT '[]'::jsonb,
  stage text NOT NULL DEFAULT 'waiting_option',
  created_at timestamptz NOT NULL DEFAULT app_now(),
  last_message_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT pre_attendance_temp_conversation_id_unique UNIQUE (conversation_id),
  CONSTRAINT pre_attendance_temp_stage CHECK (stage in ('waiting_option', 'cancelled')),
  CONSTRAINT pre_attendance_temp_instance_id_evolution_api_config_id_fk FOREIGN KEY (instance_id)
    REFERENCES evolution_api_config (id),
  CONSTRAINT pre_attendance_temp_contact_id_contacts_id_fk FOREIGN KEY (contact_id) REFERENCES contacts (id),
  CONSTRAINT pre_attendance_temp_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX pre_attendance_temp_waiting ON pre_attendance_temp (contact_id, instance_id)
  WHERE stage = 'waiting_option';
CREATE INDEX pre_attendance_temp_created ON pre_attendance_temp (created_at);

-- ---------------------------------------------------------------------------------------------------------
-- Files
-- ---------------------------------------------------------------------------------------------------------

-- Files of the file store: a row is inserted before its file and deleted after it.
CREATE TABLE files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  message_id integer,
  size_bytes bigint NOT NULL,
  mime_type text NOT NULL,
  sha256 text NOT NULL,
  is_passing boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  contact_id integer,
  is_quick_response boolean NOT NULL DEFAULT false,
  user_id integer,
  is_erased boolean NOT NULL DEFAULT false,
  CONSTRAINT files_name_unique UNIQUE (name),
  CONSTRAINT files_message_id_unique UNIQUE (message_id),
  CONSTRAINT files_contact_id_unique UNIQUE (contact_id),
  CONSTRAINT files_user_id_unique UNIQUE (user_id),
  CONSTRAINT files_message_id_messages_id_fk FOREIGN KEY (message_id)
    REFERENCES messages (id) ON DELETE SET NULL,
  CONSTRAINT files_contact_id_contacts_id_fk FOREIGN KEY (contact_id)
    REFERENCES contacts (id) ON DELETE SET NULL,
  CONSTRAINT files_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX files_ownerless ON files (created_at)
  WHERE (message_id is null and contact_id is null and user_id is null and not is_quick_response) or
    is_passing;

-- Files of clients that are still to be fetched from the gateway.
CREATE TABLE media_fetches (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id integer NOT NULL,
  not_before timestamptz NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT media_fetches_message_id_unique UNIQUE (message_id),
  CONSTRAINT media_fetches_message_id_messages_id_fk FOREIGN KEY (message_id)
    REFERENCES messages (id) ON DELETE CASCADE
);
CREATE INDEX media_fetches_todo ON media_fetches (not_before, id);

-- ---------------------------------------------------------------------------------------------------------
-- Search in the archive
-- ---------------------------------------------------------------------------------------------------------

-- The words of the completed conversations. A long conversation has several parts: each has the places of
-- its own words, and the words of the whole conversation without places.
CREATE TABLE conversation_search (
  conversation_id integer NOT NULL,
  part smallint NOT NULL,
  completed_at timestamptz NOT NULL,
  assigned_user_id integer,
  contact_id integer NOT NULL,
  first_message_id integer,
  last_message_id integer,
  words tsvector NOT NULL,
  CONSTRAINT conversation_search_conversation_id_part_pk PRIMARY KEY (conversation_id, part),
  CONSTRAINT conversation_search_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT conversation_search_assigned_user_id_users_id_fk FOREIGN KEY (assigned_user_id)
    REFERENCES users (id),
  CONSTRAINT conversation_search_contact_id_contacts_id_fk FOREIGN KEY (contact_id) REFERENCES contacts (id)
);
CREATE INDEX conversation_search_words ON conversation_search USING gin (words) WITH (fastupdate = false);
CREATE INDEX conversation_search_completed ON conversation_search (completed_at, conversation_id);
CREATE INDEX conversation_search_contact ON conversation_search (contact_id);

-- Conversations whose words have changed. Without a unique index, so that no transaction waits for another
-- here.
CREATE TABLE search_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id integer NOT NULL,
  due_at timestamptz NOT NULL DEFAULT app_now()
);

-- A change of what is searched in a completed conversation, in the transaction of the change.
CREATE FUNCTION note_search_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'conversations' THEN
      INSERT INTO search_due (conversation_id) VALUES (NEW.id);
    WHEN 'messages' THEN
      INSERT INTO search_due (conversation_id)
      SELECT id FROM conversations WHERE id = NEW.conversation_id AND status = 'completed';
    WHEN 'contacts' THEN
      INSERT INTO search_due (conversation_id)
      SELECT id FROM conversations WHERE contact_id = NEW.id AND status = 'completed';
    WHEN 'companies' THEN
      INSERT INTO search_due (conversation_id)
      SELECT v.id FROM conversations v JOIN contacts c ON c.id = v.contact_id
       WHERE c.company_id = NEW.id AND v.status = 'completed';
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER search_due_of_new AFTER INSERT ON conversations
  FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION note_search_due();
CREATE TRIGGER search_due_of_conversation AFTER UPDATE ON conversations
  FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION note_search_due();
CREATE TRIGGER search_due_of_message
  AFTER UPDATE OF content, file_name, message_type, deleted_at, metadata, conversation_id
  ON messages FOR EACH ROW
  WHEN (OLD.content IS DISTINCT FROM NEW.content OR OLD.file_name IS DISTINCT FROM NEW.file_name
        OR OLD.message_type IS DISTINCT FROM NEW.message_type OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at
        OR OLD.metadata IS DISTINCT FROM NEW.metadata OR OLD.conversation_id IS DISTINCT FROM NEW.conversation_id)
  EXECUTE FUNCTION note_search_due();
CREATE TRIGGER search_due_of_contact AFTER UPDATE OF name, tags, company_id ON contacts FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.tags IS DISTINCT FROM NEW.tags
        OR OLD.company_id IS DISTINCT FROM NEW.company_id)
  EXECUTE FUNCTION note_search_due();
CREATE TRIGGER search_due_of_company AFTER UPDATE OF name ON companies FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION note_search_due();

-- ---------------------------------------------------------------------------------------------------------
-- The assistant
-- ---------------------------------------------------------------------------------------------------------

-- A single row: the agent that answers clients who wait, and the server that helps operators.
CREATE TABLE gpt_maker_config (
  id integer DEFAULT 1 PRIMARY KEY,
  agent_id text NOT NULL DEFAULT '',
  agent_name text NOT NULL DEFAULT '',
  api_token_encrypted text,
  api_token_hint text NOT NULL DEFAULT '',
  is_active boolean NOT NULL DEFAULT false,
  auto_response boolean NOT NULL DEFAULT false,
  auto_response_delay integer NOT NULL DEFAULT 2000,
  fallback_to_human boolean NOT NULL DEFAULT true,
  max_retries integer NOT NULL DEFAULT 3,
  answers_since timestamptz,
  help_base_url text NOT NULL DEFAULT '',
  help_model text NOT NULL DEFAULT '',
  help_key_encrypted text,
  help_key_hint text NOT NULL DEFAULT '',
  can_summarize boolean NOT NULL DEFAULT false,
  can_suggest boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT gpt_maker_config_single CHECK (id = 1),
  CONSTRAINT gpt_maker_config_delay CHECK (auto_response_delay >= 0),
  CONSTRAINT gpt_maker_config_retries CHECK (max_retries >= 1)
);

-- How far the agent has come in a conversation.
CREATE TABLE assistant_turns (
  conversation_id integer PRIMARY KEY,
  answered_message_id integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  not_before timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  claim integer NOT NULL DEFAULT 0,
  is_off boolean NOT NULL DEFAULT false,
  ended text,
  CONSTRAINT assistant_turns_ended CHECK (ended in ('asked_person', 'failed')),
  CONSTRAINT assistant_turns_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE
);

-- ---------------------------------------------------------------------------------------------------------
-- Reports
-- ---------------------------------------------------------------------------------------------------------

-- What the reports know of a conversation besides its own row. Computed from the messages by a worker, so it
-- may be deleted and computed again. Times are in milliseconds: by the clock, and, as open_…, within the
-- hours of the settings.
CREATE TABLE conversation_facts (
  conversation_id integer PRIMARY KEY,
  started_at timestamptz NOT NULL,
  first_reply_at timestamptz,
  first_reply_ms bigint,
  open_first_reply_ms bigint,
  queue_ms bigint,
  open_queue_ms bigint,
  handling_ms bigint,
  open_handling_ms bigint,
  ended_by text,
  CONSTRAINT conversation_facts_ended_by CHECK (ended_by in ('person', 'inactivity', 'blocked', 'anonymized')),
  CONSTRAINT conversation_facts_conversation_id_conversations_id_fk FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE INDEX conversation_facts_started ON conversation_facts (started_at);

-- Conversations whose facts have changed. Without a conversation: all, since the hours have changed.
CREATE TABLE facts_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id integer
);

-- The filters of a report that a person has kept under a name.
CREATE TABLE saved_reports (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL,
  name text NOT NULL,
  filter jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT saved_reports_name UNIQUE (user_id, name),
  CONSTRAINT saved_reports_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id)
);

-- A change of what reports count, in the transaction of the change.
CREATE FUNCTION note_facts_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'conversations' THEN
      INSERT INTO facts_due (conversation_id) VALUES (NEW.id);
    WHEN 'messages' THEN
      IF TG_OP = 'INSERT' THEN
        -- Of the replies only the first one counts.
        IF NEW.message_type = 'event' OR NOT EXISTS (
             SELECT FROM conversation_facts
              WHERE conversation_id = NEW.conversation_id AND first_reply_at <= NEW.sort_at) THEN
          INSERT INTO facts_due (conversation_id) VALUES (NEW.conversation_id);
        END IF;
      ELSE
        INSERT INTO facts_due (conversation_id) VALUES (OLD.conversation_id);
        IF TG_OP = 'UPDATE' AND NEW.conversation_id <> OLD.conversation_id THEN
          INSERT INTO facts_due (conversation_id) VALUES (NEW.conversation_id);
        END IF;
      END IF;
    WHEN 'system_settings' THEN
      INSERT INTO facts_due (conversation_id) VALUES (NULL);
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER facts_due_of_new AFTER INSERT ON conversations
  FOR EACH ROW EXECUTE FUNCTION note_facts_due();
CREATE TRIGGER facts_due_of_conversation
  AFTER UPDATE OF status, started_at, completed_at, initiated_by, is_history, pre_attendance_stage
  ON conversations FOR EACH ROW
  WHEN ((OLD.status, OLD.started_at, OLD.completed_at, OLD.initiated_by, OLD.is_history, OLD.pre_attendance_stage)
        IS DISTINCT FROM
        (NEW.status, NEW.started_at, NEW.completed_at, NEW.initiated_by, NEW.is_history, NEW.pre_attendance_stage))
  EXECUTE FUNCTION note_facts_due();
CREATE TRIGGER facts_due_of_new_message AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.sender_id IS NOT NULL OR NEW.message_type IN ('event', 'call') OR NEW.metadata ? 'origin')
  EXECUTE FUNCTION note_facts_due();
CREATE TRIGGER facts_due_of_message
  AFTER UPDATE OF conversation_id, sort_at, message_type, sender_id, metadata ON messages FOR EACH ROW
  WHEN ((OLD.conversation_id, OLD.sort_at, OLD.message_type, OLD.sender_id,
         OLD.metadata -> 'origin', OLD.metadata -> 'event', OLD.metadata #> '{call,outcome}')
        IS DISTINCT FROM
        (NEW.conversation_id, NEW.sort_at, NEW.message_type, NEW.sender_id,
         NEW.metadata -> 'origin', NEW.metadata -> 'event', NEW.metadata #> '{call,outcome}'))
  EXECUTE FUNCTION note_facts_due();
CREATE TRIGGER facts_due_of_deleted_message AFTER DELETE ON messages FOR EACH ROW
  WHEN (OLD.sender_id IS NOT NULL OR OLD.message_type IN ('event', 'call') OR OLD.metadata ? 'origin')
  EXECUTE FUNCTION note_facts_due();
-- The hours, and whether an answer on the phone counts.
CREATE TRIGGER facts_due_of_first_settings AFTER INSERT ON system_settings
  FOR EACH ROW EXECUTE FUNCTION note_facts_due();
CREATE TRIGGER facts_due_of_settings AFTER UPDATE OF "values" ON system_settings FOR EACH ROW
  WHEN ((OLD."values" -> 'workingHours', OLD."values" -> 'lunchBreak', OLD."values" -> 'timezone',
         OLD."values" -> 'scheduleExceptions', OLD."values" -> 'phoneAnswersCount')
        IS DISTINCT FROM
        (NEW."values" -> 'workingHours', NEW."values" -> 'lunchBreak', NEW."values" -> 'timezone',
         NEW."values" -> 'scheduleExceptions', NEW."values" -> 'phoneAnswersCount'))
  EXECUTE FUNCTION note_facts_due();

-- ---------------------------------------------------------------------------------------------------------
-- Notices
-- ---------------------------------------------------------------------------------------------------------

-- Troubles of the installation, a row for each occurrence.
CREATE TABLE notices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,
  fact jsonb NOT NULL,
  since timestamptz NOT NULL DEFAULT app_now(),
  begun_at timestamptz NOT NULL DEFAULT app_now(),
  shown_at timestamptz,
  seen_at timestamptz NOT NULL DEFAULT app_now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX notices_open ON notices (kind, subject) WHERE ended_at is null;
CREATE INDEX notices_ended ON notices (ended_at);

-- Who has put an occurrence off for a day.
CREATE TABLE notice_dismissals (
  user_id integer NOT NULL,
  notice_id integer NOT NULL,
  dismissed_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT notice_dismissals_user_id_notice_id_pk PRIMARY KEY (user_id, notice_id),
  CONSTRAINT notice_dismissals_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id),
  CONSTRAINT notice_dismissals_notice_id_notices_id_fk FOREIGN KEY (notice_id)
    REFERENCES notices (id) ON DELETE CASCADE
);
CREATE INDEX notice_dismissals_notice ON notice_dismissals (notice_id);

-- ---------------------------------------------------------------------------------------------------------
-- Maintenance
-- ---------------------------------------------------------------------------------------------------------

CREATE TABLE maintenance_backups (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  type text NOT NULL DEFAULT 'complete',
  status text NOT NULL DEFAULT 'processing',
  file_path text NOT NULL,
  size bigint,
  conversations_count integer NOT NULL DEFAULT 0,
  messages_count integer NOT NULL DEFAULT 0,
  media_files_count integer NOT NULL DEFAULT 0,
  error text,
  is_encrypted boolean NOT NULL DEFAULT false,
  is_scheduled boolean NOT NULL DEFAULT false,
  is_imported boolean NOT NULL DEFAULT false,
  proof jsonb,
  run_id uuid,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  completed_at timestamptz,
  CONSTRAINT maintenance_backups_file_path_unique UNIQUE (file_path),
  CONSTRAINT maintenance_backups_status CHECK (status in ('processing', 'completed', 'failed')),
  CONSTRAINT maintenance_backups_completed CHECK ((status = 'completed') = (completed_at is not null and size
    is not null)),
  CONSTRAINT maintenance_backups_run_id_job_runs_id_fk FOREIGN KEY (run_id)
    REFERENCES job_runs (id) ON DELETE SET NULL,
  CONSTRAINT maintenance_backups_created_by_users_id_fk FOREIGN KEY (created_by) REFERENCES users (id)
);
CREATE INDEX maintenance_backups_created ON maintenance_backups (created_at, id);

-- What the runs work on and bring about; their progress is in job_runs.
CREATE TABLE maintenance_runs (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  backup_id integer,
  step text,
  step_at timestamptz,
  error text,
  plan jsonb,
  cleanup jsonb,
  retention jsonb,
  CONSTRAINT maintenance_runs_kind CHECK (kind in ('backup', 'preview', 'restore', 'cleanup', 'retention')),
  CONSTRAINT maintenance_runs_id_job_runs_id_fk FOREIGN KEY (id) REFERENCES job_runs (id) ON DELETE CASCADE,
  CONSTRAINT maintenance_runs_backup_id_maintenance_backups_id_fk FOREIGN KEY (backup_id)
    REFERENCES maintenance_backups (id) ON DELETE SET NULL
);
CREATE INDEX maintenance_runs_backup ON maintenance_runs (backup_id);

-- A single row; without it nothing is scheduled.
CREATE TABLE maintenance_plans (
  id integer DEFAULT 1 PRIMARY KEY,
  plan jsonb NOT NULL,
  backup_day text,
  retention_day text,
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT maintenance_plans_single CHECK (id = 1)
);

-- Files that a restore has put into the file store, until it is over: without a row in files, they are
-- removed.
CREATE TABLE restored_files (
  name text PRIMARY KEY,
  run_id uuid NOT NULL
);
