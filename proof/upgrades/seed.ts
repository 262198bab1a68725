import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { sealRows } from '#server/audit/audit.ts'
import type { Database } from '#server/platform/database/db.ts'
import { listOurTables } from '#server/platform/database/migrate.ts'
import { hashToken, openSecrets } from '#server/platform/secrets.ts'
import { hashPassword } from '#server/users/sign-in/passwords.ts'
import { type Column, complete, readColumns } from './rows/complete.ts'
import { type Era, fileUses, type FileUse, type Row, type Rows, type StoredFile } from './rows/era.ts'
import { admin, peopleRows } from './rows/people.ts'
import { talkRows } from './rows/talks.ts'

/** Of the session of an operator that goes on over the upgrade. */
export const operatorToken = 'the-token-of-an-operator-who-stays-signed-in'

/** A database with rows in all of its tables, and the data folder beside it. */
export interface Seeded {
  files: Era['files']
  /** What the rows leave out: tables without a row, columns without a value. */
  left: string[]
}

/** Fills the tables of an installation that nobody has used yet, as in the middle of its work. */
export async function seed(database: Database, dataDir: string): Promise<Seeded> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    const files = writeFiles(dataDir)
    const columns = await readColumns(client, await listOurTables(client))
    await insertAll(client, await rowsOf(client, columns, await eraOf(dataDir, files)), columns)
    await setSequences(client)
    const isOfToday = columns.some(({ table, name }) => table === 'audit_logs' && name === 'instance_id')
    if (!isOfToday) await seal(client)
    await client.query('commit')
    if (isOfToday) while ((await sealRows(database)) > 0);
    return { files, left: await listLeft(client, columns) }
  } finally {
    client.release()
  }
}

/** Gives the rows of the audit log their places in the chain, as the program of version 0.1.0 did. */
async function seal(client: pg.PoolClient): Promise<void> {
  const due = await client.query<{ id: number; content: string }>(
    `select l.id, jsonb_build_array(l.id, l.user_id, l.role, l.session_id, l.origin, l.action,
       l.resource_type, l.resource_id, l.outcome, l.repeats, l.details, l.personal_hash,
       to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text as content
       from audit_logs l where l.position is null and l.repeat_key is null order by l.id`,
  )
  let hash = '0'.repeat(64)
  for (const [n, { id, content }] of due.rows.entries()) {
    hash = createHash('sha256')
      .update(`${hash}\n${n + 1}\n${content}`)
      .digest('hex')
    await client.query('update audit_logs set position = $1, hash = $2 where id = $3', [n + 1, hash, id])
  }
  await client.query('update audit_head set position = $1, hash = $2 where id = 1', [due.rows.length, hash])
}

let password: Promise<string> | undefined

async function eraOf(dataDir: string, files: Era['files']): Promise<Era> {
  const now = Date.now()
  const { encrypt } = openSecrets(undefined, dataDir)
  return {
    ago: (minutes) => new Date(now - minutes * 60_000).toISOString(),
    passwordHash: await (password ??= hashPassword(admin.password)),
    encrypt,
    files,
    tokenHash: hashToken(operatorToken),
  }
}

/** Files with random bytes, where the program looks for them. */
function writeFiles(dataDir: string): Era['files'] {
  const write = (use: FileUse): [FileUse, StoredFile] => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(3000)])
    const name = randomBytes(24).toString('base64url')
    const folder = join(dataDir, 'uploads', name.slice(0, 2))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), bytes)
    return [use, { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }]
  }
  return Object.fromEntries(fileUses.map(write)) as Era['files']
}

async function rowsOf(client: pg.ClientBase, columns: readonly Column[], era: Era): Promise<Rows> {
  const all = { ...complete({ ...peopleRows(era), ...talkRows(era) }, columns, era) }
  // The log has a hash over the values, as PostgreSQL writes them.
  for (const { log_id: id, salt, values } of all['audit_personal'] ?? []) {
    const { rows } = await client.query<{ hash: string }>(
      `select encode(sha256(convert_to($1 || $2::jsonb::text, 'UTF8')), 'hex') as hash`,
      [salt ?? '', JSON.stringify(values)],
    )
    const logs = all['audit_logs'] ?? []
    all['audit_logs'] = logs.map((row) => (row['id'] === id ? { ...row, personal_hash: rows[0]?.hash } : row))
  }
  return all
}

/** Inserts the rows, each table after those that it refers to. */
async function insertAll(client: pg.ClientBase, rows: Rows, columns: readonly Column[]): Promise<void> {
  const refersTo = Map.groupBy(
    columns.filter(({ table, refersTo: to }) => to !== null && to !== table),
    ({ table }) => table,
  )
  let waiting = Object.keys(rows)
  while (waiting.length > 0) {
    const ready = waiting.filter(
      (table) => !refersTo.get(table)?.some(({ refersTo: to }) => waiting.includes(to ?? '')),
    )
    if (ready.length === 0) throw new Error(`these tables refer to each other: ${waiting.join(', ')}`)
    for (const table of ready) for (const row of rows[table] ?? []) await insert(client, table, row)
    waiting = waiting.filter((table) => !ready.includes(table))
  }
}

async function insert(client: pg.ClientBase, table: string, row: Row): Promise<void> {
  const list = Object.keys(row)
    .filter((column) => row[column] !== undefined)
    .map((column) => `"${column}"`)
    .join(', ')
  await client.query(
    `insert into "${table}" (${list}) overriding system value
     select ${list} from jsonb_populate_record(null::"${table}", $1::jsonb)`,
    [JSON.stringify(row)],
  )
}

/** The ids of the rows were given; the next ones go on from there. */
async function setSequences(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select t.relname as table, a.attname as column, s.oid::regclass::text as sequence
       from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
       join pg_class t on t.oid = d.refobjid
       join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
      where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  )
  for (const { table, column, sequence } of rows)
    await client.query(
      `select setval($1, max("${column}")) from "${table}" having max("${column}") is not null`,
      [sequence],
    )
}

/** Tables without a row, and columns in which no row has a value. */
async function listLeft(client: pg.ClientBase, columns: readonly Column[]): Promise<string[]> {
  const left: string[] = []
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    const names = own.map(({ name }) => name)
    const { rows } = await client.query<Record<string, string>>(
      `select count(*) as "*", ${names.map((column) => `count("${column}") as "${column}"`).join(', ')}
         from "${table}"`,
    )
    const counts = rows[0] ?? {}
    if (counts['*'] === '0') left.push(`${table} has no row`)
    else for (const column of names) if (counts[column] === '0') left.push(`${table}.${column} has no value`)
  }
  return left
}
