import { type SQL, sql } from 'drizzle-orm'
import { chainStart, contentOf, hashOf } from '#server/audit/chain.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'

/** What somebody with all rights of the database may do to the log, and where it must be found. */
export interface Tampering {
  kind: string
  /** Changes the tables. @returns the position that the verifier must name */
  apply(db: Db, random: Random, end: number): Promise<number>
}

/** A column of audit_logs or audit_personal. */
export interface Column extends Record<string, unknown> {
  table: string
  name: string
  type: string
}

export const readColumns = (db: Db) =>
  rows<Column>(
    db,
    sql`select table_name as table, column_name as name, data_type as type from information_schema.columns
         where table_schema = 'public' and table_name in ('audit_logs', 'audit_personal')`,
  )

/** Whoever owns the tables can take away what protects them. */
export async function takeProtectionAway(db: Db): Promise<void> {
  await db.execute(sql`do $$
    declare one record;
    begin
      for one in select conrelid::regclass as place, conname from pg_constraint
                  where conrelid in ('audit_logs'::regclass, 'audit_personal'::regclass)
                    and contype in ('c', 'f')
      loop execute format('alter table %s drop constraint %I', one.place, one.conname); end loop;
    end $$`)
  await db.execute(sql`alter table audit_logs disable trigger user`)
  await db.execute(sql`alter table audit_logs alter column id drop identity`)
  await db.execute(sql`drop index audit_logs_position`)
}

const from1 = (random: Random, end: number) => 1 + Math.floor(random() * end)

/** Another value of a column, by its type. */
function otherValue({ name, type }: Column): SQL {
  const column = sql.identifier(name)
  switch (type) {
    case 'integer':
      return sql`coalesce(${column}, 0) + 1000000`
    case 'jsonb':
      return sql`coalesce(${column}, '{}') || '{"tampered": 1}'`
    case 'timestamp with time zone':
      return sql`${column} + interval '1 microsecond'`
    default:
      return sql`coalesce(${column}, '') || 'x'`
  }
}

const at = (position: number) => sql`(select id from audit_logs where position = ${position})`

/** Edits one column of one row. */
export function editOf(column: Column): Tampering {
  const { table, name } = column
  return {
    kind: `edit ${table}.${name}`,
    async apply(db, random, end) {
      const key = table === 'audit_logs' ? 'id' : 'log_id'
      for (;;) {
        const position = from1(random, end)
        const changed = await rows(
          db,
          sql`update ${sql.identifier(table)} set ${sql.identifier(name)} = ${otherValue(column)}
               where ${sql.identifier(key)} = ${at(position)} returning 1`,
        )
        // Not every row has personal values.
        if (changed.length > 0) return position
      }
    },
  }
}

async function readRow(db: Db, position: number): Promise<{ id: number; hash: string }> {
  const [row] = await rows<{ id: number; hash: string }>(
    db,
    sql`select id, hash from audit_logs where position = ${position}`,
  )
  if (!row) throw new Error(`no row at ${position}`)
  return row
}

const remove = async (db: Db, which: SQL) => {
  await db.execute(sql`delete from audit_personal where log_id in (select id from audit_logs where ${which})`)
  await db.execute(sql`delete from audit_logs where ${which}`)
}

const copyTo = (db: Db, source: number, position: number) =>
  db.execute(
    sql`insert into audit_logs (id, user_id, role, session_id, origin, action, resource_type, resource_id,
                                outcome, repeats, details, personal_hash, created_at, position, hash)
        select (select max(id) + 1 from audit_logs), user_id, role, session_id, origin, action, resource_type,
               resource_id, outcome, repeats, details, null, created_at, ${position}, hash
          from audit_logs where position = ${source}`,
  )

/** Two different places, the lower one first. */
function twoOf(random: Random, end: number): [number, number] {
  for (;;) {
    const [a, b] = [from1(random, end), from1(random, end)]
    if (a !== b) return a < b ? [a, b] : [b, a]
  }
}

export const others: readonly Tampering[] = [
  {
    kind: 'delete a row',
    async apply(db, random, end) {
      const position = from1(random, end)
      await remove(db, sql`position = ${position}`)
      return position
    },
  },
  {
    kind: 'delete a row and close the gap',
    async apply(db, random, end) {
      const position = from1(random, end - 1)
      await remove(db, sql`position = ${position}`)
      await db.execute(sql`update audit_logs set position = position - 1 where position > ${position}`)
      return position
    },
  },
  {
    kind: 'cut the end',
    async apply(db, random, end) {
      const last = end - from1(random, Math.min(50, end - 1))
      await remove(db, sql`position > ${last}`)
      return last + 1
    },
  },
  {
    kind: 'cut the end, and set the head to the wrong hash',
    async apply(db, random, end) {
      const last = end - from1(random, Math.min(50, end - 1))
      await remove(db, sql`position > ${last}`)
      await db.execute(sql`update audit_head set position = ${last}`)
      return last
    },
  },
  {
    kind: 'insert a copy at the end',
    async apply(db, random, end) {
      await copyTo(db, from1(random, end), end + 1)
      return end + 1
    },
  },
  {
    kind: 'insert a copy in between, and move the rest',
    async apply(db, random, end) {
      const position = from1(random, end)
      await db.execute(sql`update audit_logs set position = position + 1 where position >= ${position}`)
      await copyTo(db, from1(random, position), position)
      return position
    },
  },
  {
    kind: 'insert a copy beside another',
    async apply(db, random, end) {
      const position = from1(random, end)
      await copyTo(db, from1(random, end), position)
      return position
    },
  },
  {
    kind: 'let two rows change places',
    async apply(db, random, end) {
      const [a, b] = twoOf(random, end)
      await db.execute(
        sql`update audit_logs set position = case position when ${a} then ${b}::int else ${a}::int end
             where position in (${a}, ${b})`,
      )
      return a
    },
  },
  {
    kind: 'let two rows change places, with their hashes kept in place',
    async apply(db, random, end) {
      const [a, b] = twoOf(random, end)
      const [first, second] = [await readRow(db, a), await readRow(db, b)]
      await db.execute(
        sql`update audit_logs set position = case id when ${first.id} then ${b}::int else ${a}::int end,
                   hash = case id when ${first.id} then ${second.hash} else ${first.hash} end
             where id in (${first.id}, ${second.id})`,
      )
      return a
    },
  },
  {
    kind: 'swap the details of two rows',
    async apply(db, random, end) {
      for (;;) {
        const [a, b] = twoOf(random, end)
        const swapped = await rows(
          db,
          sql`update audit_logs l set details = o.details from audit_logs o
               where ((l.position = ${a} and o.position = ${b}) or (l.position = ${b} and o.position = ${a}))
                 and l.details <> o.details returning 1`,
        )
        if (swapped.length > 0) return a
      }
    },
  },
  {
    kind: 'edit a row and compute its hash anew',
    async apply(db, random, end) {
      const position = from1(random, end - 1)
      await db.execute(sql`update audit_logs set user_id = 4711 where position = ${position}`)
      await rehash(db, position, position)
      return position + 1
    },
  },
  {
    kind: 'edit a row and compute all hashes anew, but not the head',
    async apply(db, random, end) {
      const position = Math.max(1, end - from1(random, 40))
      await db.execute(sql`update audit_logs set user_id = 4711 where position = ${position}`)
      await rehash(db, position, end)
      return end
    },
  },
  {
    kind: 'unseal a row',
    async apply(db, random, end) {
      const position = from1(random, end)
      await db.execute(sql`update audit_logs set position = null, hash = null where position = ${position}`)
      return position
    },
  },
  {
    kind: 'take personal values away',
    async apply(db, random, end) {
      for (;;) {
        const position = from1(random, end)
        const gone = await rows(
          db,
          sql`delete from audit_personal where log_id = ${at(position)} returning 1`,
        )
        if (gone.length > 0) return position
      }
    },
  },
  {
    kind: 'take personal values away as if they had been erased',
    async apply(db, random, end) {
      for (;;) {
        const position = from1(random, end)
        const gone = await rows(
          db,
          sql`update audit_personal set values = null, salt = null,
                     erased_by = (select id from audit_logs where action = 'audit.erase' limit 1)
               where log_id = ${at(position)} and values is not null returning 1`,
        )
        if (gone.length > 0) return position
      }
    },
  },
  {
    kind: 'change the hash of the head',
    async apply(db, _random, end) {
      await db.execute(sql`update audit_head set hash = repeat('0', 64)`)
      return end
    },
  },
  {
    kind: 'take the head away',
    async apply(db, _random, end) {
      await db.execute(sql`delete from audit_head`)
      return end
    },
  },
]

/** Computes the hashes of these places anew, as the sealer would. */
async function rehash(db: Db, from: number, to: number): Promise<void> {
  const [before] = await rows<{ hash: string }>(
    db,
    sql`select coalesce((select hash from audit_logs where position = ${from - 1}), ${chainStart}) as hash`,
  )
  let hash = before?.hash ?? ''
  const found = await rows<{ position: number; content: string }>(
    db,
    sql`select l.position, ${contentOf} as content from audit_logs l
         where l.position between ${from} and ${to} order by l.position`,
  )
  for (const { position, content } of found) {
    hash = hashOf(hash, position, content)
    await db.execute(sql`update audit_logs set hash = ${hash} where position = ${position}`)
  }
}
