import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'

/**
 * Wants the words of sounds that clients have just sent, if all are to be transcribed. Call it in the
 * transaction that writes the messages; they are looked at once they have their files.
 */
export async function wantTranscriptions(db: Db, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  await db.execute(
    sql`insert into transcriptions (message_id)
        select w.id from unnest(${sql.param(messageIds)}::int[]) w (id)
         where exists (select from gpt_maker_config c
                        where c.id = 1 and c.can_transcribe and c.transcribes_all)
        on conflict do nothing`,
  )
}

/**
 * Wants the words of a sound for somebody who asks for them: a failed one once more, before those that nobody
 * asked for.
 */
export async function askForTranscription(db: Db, messageId: number): Promise<void> {
  await db.execute(
    sql`insert into transcriptions as t (message_id, is_asked) values (${messageId}, true)
        on conflict (message_id) do update
          set is_asked = true,
              state = case when t.state = 'failed' then 'waiting' else t.state end,
              attempts = case when t.state = 'failed' then 0 else t.attempts end,
              not_before = case when t.state = 'failed' then now() else t.not_before end,
              reason = null
        where t.state <> 'done'`,
  )
}

/** A sound that one worker has claimed. */
export interface ClaimedSound extends Record<string, unknown> {
  messageId: number
  claim: number
  /** How often it was claimed, with this one. */
  attempts: number
}

/** In a state in which a worker may take it, of a row 't'. */
const isDue = sql`((t.state = 'waiting' and t.not_before <= now())
  or (t.state = 'running' and t.lease_until <= now()))`

/**
 * Claims the sound with a file that has waited longest, those that somebody asked for first. After the lease
 * another worker may claim it; then the answer to this claim no longer counts.
 */
export async function claimSound(db: Db, leaseMs: number): Promise<ClaimedSound | undefined> {
  const [claimed] = await rows<ClaimedSound>(
    db,
    sql`update transcriptions set state = 'running', attempts = attempts + 1, claim = claim + 1,
               lease_until = now() + ${leaseMs} * interval '1 millisecond'
         where id = (select t.id from transcriptions t
                      where t.state in ('waiting', 'running') and ${isDue}
                        and exists (select from files f where f.message_id = t.message_id)
                      order by t.is_asked desc, t.not_before, t.id limit 1 for update of t skip locked)
        returning message_id as "messageId", claim, attempts`,
  )
  return claimed
}

/** Sounds that wait for a file that nobody fetches any more. */
export async function listWithoutFile(db: Db, limit: number): Promise<number[]> {
  const found = await rows<{ messageId: number }>(
    db,
    sql`select t.message_id as "messageId" from transcriptions t
         where t.state in ('waiting', 'running') and ${isDue}
           and not exists (select from files f where f.message_id = t.message_id)
           and not exists (select from media_fetches f where f.message_id = t.message_id)
         limit ${limit}`,
  )
  return found.map(({ messageId }) => messageId)
}

/** Sounds that wait. */
export async function listWaiting(db: Db, limit: number): Promise<number[]> {
  const found = await rows<{ messageId: number }>(
    db,
    sql`select t.message_id as "messageId" from transcriptions t
         where t.state in ('waiting', 'running') and ${isDue} limit ${limit}`,
  )
  return found.map(({ messageId }) => messageId)
}

/** Tries a claimed sound again later, after about so long. */
export async function postponeSound(
  db: Db,
  { messageId, claim }: Pick<ClaimedSound, 'messageId' | 'claim'>,
  { waitMs, isUncounted = false }: { waitMs: number; isUncounted?: boolean },
): Promise<void> {
  await db.execute(
    sql`update transcriptions set state = 'waiting', lease_until = null,
               attempts = attempts - ${isUncounted ? 1 : 0},
               not_before = now() + ${waitMs} * (0.8 + 0.4 * random()) * interval '1 millisecond'
         where message_id = ${messageId} and claim = ${claim} and state = 'running'`,
  )
}

/** Frees what a dead program had claimed. Call it when no other program is running. */
export async function restartTranscriptions(db: Db): Promise<void> {
  await db.execute(
    sql`update transcriptions set lease_until = now() where state = 'running' and lease_until > now()`,
  )
}
