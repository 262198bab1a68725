import type pg from 'pg'
import { ourTables, type SchemaState } from '#server/platform/database/migrate.ts'
import { jobSchemaFault } from '#server/platform/jobs/job-schema.ts'
import { quoted } from './trouble.ts'

/** The properties of a server and the rights that we have on it. */
export interface Facts {
  /** As `server_version_num`: 150018. */
  version: number
  /** `'15.18 (Debian 15.18-0+deb12u1)'` */
  versionText: string
  /** Of the database. */
  encoding: string
  isStandby: boolean
  isReadOnly: boolean
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  role: string
  database: string
  canCreateSchema: boolean
  canCreateTables: boolean
  /** The value in effect, to compare with what the connection requested. */
  timezone: string
  /** `'30s'` */
  statementTimeout: string
  isEncrypted: boolean
}

export async function readFacts(client: pg.ClientBase): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_version_num')::int as "version",
            current_setting('server_version') as "versionText",
            current_setting('server_encoding') as "encoding",
            pg_is_in_recovery() as "isStandby",
            current_setting('transaction_read_only')::bool as "isReadOnly",
            current_setting('fsync') as "fsync",
            current_setting('full_page_writes') as "fullPageWrites",
            current_setting('synchronous_commit') as "synchronousCommit",
            current_user::text as "role",
            current_database()::text as "database",
            has_database_privilege(current_database(), 'CREATE') as "canCreateSchema",
            coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'CREATE')
                     and has_schema_privilege(to_regnamespace('public')::oid, 'USAGE'),
                     false) as "canCreateTables",
            current_setting('timezone') as "timezone",
            current_setting('statement_timeout') as "statementTimeout",
            coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted"`,
  )
  if (!rows[0]) throw new Error('the server tells nothing of itself')
  return rows[0]
}

const oldest = 15
const newestTried = 18

/** Explains in one line why the server cannot be used and what to do; undefined when it can. Pure. */
export function serverFault(facts: Facts): string | undefined {
  const { database, role } = facts
  if (facts.version < oldest * 10_000)
    return (
      `O PostgreSQL é ${facts.versionText}, e o Balcão precisa do ${oldest} ao ${newestTried}: ` +
      'atualize o servidor.'
    )
  if (facts.timezone !== 'UTC' || facts.statementTimeout !== '30s')
    return (
      'Algo entre o Balcão e o PostgreSQL (um PgBouncer?) descarta os ajustes da sessão: aponte ' +
      'DATABASE_URL direto para o PostgreSQL.'
    )
  if (facts.isStandby)
    return 'O PostgreSQL é uma réplica, que não aceita escrita: aponte DATABASE_URL para o servidor primário.'
  if (facts.isReadOnly)
    return (
      `O banco ${quoted(database)} está só para leitura: ` +
      `ALTER DATABASE ${quoted(database)} SET default_transaction_read_only = off; (ou o mesmo no ` +
      'usuário ou no servidor).'
    )
  if (facts.encoding !== 'UTF8')
    return (
      `O banco ${quoted(database)} está em ${facts.encoding}, e o Balcão precisa de UTF8: use outro, ` +
      `CREATE DATABASE balcao OWNER ${quoted(role)} ENCODING 'UTF8' TEMPLATE template0;`
    )
  if (facts.fsync !== 'on' || facts.fullPageWrites !== 'on')
    return 'O PostgreSQL está com fsync ou full_page_writes desligado e pode perder mensagens: ligue os dois.'
  return undefined
}

/** Problems that do not prevent the use of the server. Pure. */
export function serverWarnings(facts: Facts): string[] {
  return facts.version >= (newestTried + 1) * 10_000
    ? [`PostgreSQL ${facts.versionText} is newer than those tried with Balcão (${oldest} to ${newestTried})`]
    : []
}

/** Describes a missing right, with the statement that grants it; undefined when none is missing. */
export async function rightsFault(
  client: pg.ClientBase,
  facts: Facts,
  state: Pick<SchemaState, 'isEmpty' | 'isPending'>,
  extensions: readonly string[],
): Promise<string | undefined> {
  const { database, role } = facts
  if (state.isPending && !(facts.canCreateSchema && facts.canCreateTables)) {
    const grants = [
      ...(facts.canCreateSchema ? [] : [`GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(role)};`]),
      ...(facts.canCreateTables ? [] : [`GRANT USAGE, CREATE ON SCHEMA public TO ${quoted(role)};`]),
    ]
    return (
      `${quoted(role)} não pode criar as tabelas: no banco ${quoted(database)}, como superusuário ` +
      `ou dono, ${grants.join(' ')}`
    )
  }
  return (
    (await tableFault(client, facts, state)) ??
    (await jobSchemaFault(client)) ??
    extensionFault(client, facts, extensions)
  )
}

/**
 * Describes tables with another owner, as after a restore by the superuser: they can be used, but not
 * migrated.
 */
async function tableFault(
  client: pg.ClientBase,
  { role }: Facts,
  state: Pick<SchemaState, 'isEmpty' | 'isPending'>,
): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = to_regnamespace('public') and c.relname = any($1)
        and not pg_has_role(c.relowner, 'USAGE')
        and ($2 or not (has_table_privilege(c.oid, 'SELECT') and has_table_privilege(c.oid, 'INSERT')
                        and has_table_privilege(c.oid, 'UPDATE') and has_table_privilege(c.oid, 'DELETE')))
      order by c.relname`,
    [ourTables, state.isPending],
  )
  const first = rows[0]?.name
  if (!first) return undefined
  const more = rows.length > 1 ? ` (e assim as outras ${rows.length - 1})` : ''
  return (
    `As tabelas são de outro dono: como superusuário, ALTER TABLE public.${quoted(first)} OWNER ` +
    `TO ${quoted(role)};${more}`
  )
}

async function extensionFault(
  client: pg.ClientBase,
  { database, role }: Facts,
  extensions: readonly string[],
): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string; isAvailable: boolean; canCreate: boolean }>(
    `select n.name, a.name is not null as "isAvailable",
            (select rolsuper from pg_roles where rolname = current_user)
              or (coalesce(v.trusted, false)
                and has_database_privilege(current_database(), 'CREATE')) as "canCreate"
       from unnest($1::text[]) as n(name)
       left join pg_available_extensions a on a.name = n.name
       left join pg_available_extension_versions v on v.name = a.name and v.version = a.default_version
      where not exists (select 1 from pg_extension e where e.extname = n.name)
      order by n.name`,
    [extensions],
  )
  const absent = rows.filter((row) => !row.isAvailable).map((row) => row.name)
  if (absent.length > 0)
    return `Ao PostgreSQL faltam as extensões ${absent.join(', ')}: instale nele o pacote postgresql-contrib.`
  const creates = rows.filter((row) => !row.canCreate).map((row) => `CREATE EXTENSION ${quoted(row.name)};`)
  if (creates.length > 0)
    return (
      `${quoted(role)} não pode criar extensões: como superusuário, no banco ${quoted(database)}, ` +
      `${creates.join(' ')}`
    )
  return undefined
}

/**
 * Why no installation may begin in a database: it is another program's. One that began there before goes on,
 * and what extensions have made is nobody's.
 */
export async function foreignTablesFault(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class c
      where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'f')
        and not exists (select from pg_depend d
                         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by relname limit 4`,
  )
  if (rows.length === 0) return undefined
  const names = rows.map(({ name }, n) => (n < 3 ? name : '…')).join(', ')
  return (
    `O banco tem tabelas de outro programa (${names}): crie um banco só para o Balcão e ponha o nome dele ` +
    'em DATABASE_URL.'
  )
}
