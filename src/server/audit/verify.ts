import { sql } from 'drizzle-orm'
import type { FaultKind } from '#shared/text/audit/fault-texts.ts'
import { type Database, type Db, inSnapshot, rows } from '#server/platform/database/db.ts'
import { chainStart, contentOf, hashOf } from './chain.ts'

export interface Break {
  /** In the chain. */
  position: number
  /** Of the row; null when there is none. */
  id: number | null
  kind: FaultKind
  /** The last place, where several rows are missing. */
  to?: number
}

export interface ChainHead {
  position: number
  hash: string
}

export interface Verified {
  /** Number of sealed rows that are there. */
  sealed: number
  /** Number of rows that wait for their place. */
  unsealed: number
  /** Number of rows whose personal values were erased, as the log says. */
  erased: number
  /**
   * Number of rows that are more than ten minutes older than one before them: the machine's clock was set
   * back, or a row was added afterwards.
   */
  outOfTime: number
  /** The end that was kept; undefined when it is gone. */
  head: ChainHead | undefined
  breaks: number
}

const batchSize = 2000
/** Whoever writes rows by hand need not begin with 1. */
const lowest = -2_147_483_648
/** No transaction of the product takes that long. */
const longestMs = 10 * 60_000

interface Row extends Record<string, unknown> {
  id: number
  position: number
  hash: string
  content: string
  createdMs: number
  isCounting: boolean
  personal: 'none' | 'same' | 'erased' | 'changed' | 'missing' | 'added'
}

/** Compares the personal values in the database, which writes JSON as it did when the row was recorded. */
const personalState = sql`case
  when l.personal_hash is null then case when p.log_id is null then 'none' else 'added' end
  when p.log_id is null then 'missing'
  when p.values is not null then
    case when p.erased_by is null
              and encode(sha256(convert_to(p.salt || p.values::text, 'UTF8')), 'hex') = l.personal_hash
         then 'same' else 'changed' end
  when p.salt is null
       and exists (select from audit_logs e where e.id = p.erased_by and e.action = 'audit.erase'
                      and e.details -> 'rows' @> to_jsonb(l.id)) then 'erased'
  else 'missing' end`

const readBatch = (db: Db, after: { position: number; id: number }) =>
  rows<Row>(
    db,
    sql`select l.id, l.position, l.hash, ${contentOf} as content, l.repeat_key is not null as "isCounting",
               (extract(epoch from l.created_at) * 1000)::float8 as "createdMs", ${personalState} as personal
          from audit_logs l left join audit_personal p on p.log_id = l.id
         where (l.position, l.id) > (${after.position}, ${after.id})
         order by l.position, l.id limit ${batchSize}`,
  )

/**
 * Walks the chain from its first row to its end, as the database is at one moment, a batch at a time.
 * @param onBreak called for every break, in the order of the chain
 * @param noted the place and hash of an end that was noted outside of the database
 */
export async function verifyChain(
  database: Database,
  onBreak: (found: Break) => void,
  noted?: ChainHead,
): Promise<Verified> {
  return inSnapshot(database, (db) => walkChain(db, onBreak, noted))
}

/** The same in an open transaction. */
export async function walkChain(
  db: Db,
  onBreak: (found: Break) => void,
  noted?: ChainHead,
): Promise<Verified> {
  const [head] = await rows<ChainHead & Record<string, unknown>>(
    db,
    sql`select position, hash from audit_head where id = 1`,
  )
  const [waiting] = await rows<{ unsealed: number }>(
    db,
    sql`select count(*)::int as unsealed from audit_logs where position is null`,
  )
  let [sealed, erased, outOfTime, breaks, latestMs] = [0, 0, 0, 0, 0]
  const report = (position: number, id: number | null, kind: FaultKind, to?: number) => {
    breaks++
    onBreak({ position, id, kind, ...(to !== undefined && { to }) })
  }
  /** The row before, with the hash that it has, so that one change is one break. */
  let last = { position: 0, id: 0, hash: chainStart }
  const visit = (row: Row) => {
    sealed++
    const { position, id, hash, content, personal } = row
    if (position === last.position) report(position, id, 'doubled')
    else if (position > last.position + 1) report(last.position + 1, null, 'missing', position - 1)
    else if (row.isCounting || hashOf(last.hash, position, content) !== hash) report(position, id, 'changed')
    if (personal === 'erased') erased++
    else if (personal !== 'same' && personal !== 'none') report(position, id, `personal ${personal}`)
    if (head && position > head.position) report(position, id, 'beyond')
    if (noted?.position === position && noted.hash !== hash) report(position, id, 'noted')
    if (row.createdMs < latestMs - longestMs) outOfTime++
    latestMs = Math.max(latestMs, row.createdMs)
    last = { position, id, hash }
  }
  let read = { position: lowest, id: 0 }
  for (let batch = await readBatch(db, read); batch.length > 0; batch = await readBatch(db, read)) {
    for (const row of batch) visit(row)
    read = batch.at(-1) ?? read
  }
  if (!head) report(last.position, null, 'head')
  else if (head.position > last.position) report(last.position + 1, null, 'missing', head.position)
  else if (head.position === last.position && head.hash !== last.hash) report(head.position, last.id, 'head')
  if (noted && noted.position > Math.max(last.position, head?.position ?? 0))
    report(last.position + 1, null, 'missing', noted.position)
  return { sealed, unsealed: waiting?.unsealed ?? 0, erased, outOfTime, head, breaks }
}
