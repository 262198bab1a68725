import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { KnownReplies } from '#shared/quick-replies/quick-replies.ts'
import { fold } from '#shared/text/fold.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { SessionPerson } from '#server/platform/http/access.ts'
import { quickReplies, quickReplyUses } from '#server/schema/quick-replies/quick-replies.ts'
import { getSettings } from '#server/settings/settings.ts'

export type ReplyRow = typeof quickReplies.$inferSelect

export type Person = Pick<SessionPerson, 'id' | 'scope' | 'sectors'>

/** A person's own, and those of their sectors; who knows of every sector has those of all. */
function isSeenBy({ id, scope, sectors: ofPerson }: Person): SQL | undefined {
  const ofSectors =
    scope === 'all'
      ? isNotNull(quickReplies.sectorId)
      : inArray(
          quickReplies.sectorId,
          ofPerson.map((sector) => sector.id),
        )
  return or(eq(quickReplies.ownerId, id), ofSectors)
}

/** What a person sees, by shortcut, with how often each was sent. */
export async function listKnown(
  db: Db,
  who: Person,
  isChangeable: (row: ReplyRow) => boolean,
): Promise<KnownReplies> {
  const seen = await db
    .select({ reply: quickReplies, used: quickReplyUses })
    .from(quickReplies)
    .leftJoin(quickReplyUses, eq(quickReplyUses.replyId, quickReplies.id))
    .where(isSeenBy(who))
    .orderBy(quickReplies.shortcutFolded, quickReplies.id)
  const general = await db.select().from(quickReplyUses).where(isNotNull(quickReplyUses.general))
  return {
    replies: seen.map(({ reply, used }) => ({
      id: reply.id,
      shortcut: reply.shortcut,
      text: reply.text,
      ...(reply.file && { file: reply.file }),
      sectorId: reply.sectorId,
      uses: used?.uses ?? 0,
      lastUsedAt: used && used.uses > 0 ? used.lastUsedAt.toISOString() : null,
      isChangeable: isChangeable(reply),
      version: reply.version,
    })),
    general: general.flatMap(({ general: shortcut, uses, lastUsedAt }) =>
      shortcut !== null && uses > 0 ? [{ shortcut, uses, lastUsedAt: lastUsedAt.toISOString() }] : [],
    ),
  }
}

/** undefined for one that does not exist, or that the person does not see. */
export async function findSeen(db: Db, who: Person, id: number): Promise<ReplyRow | undefined> {
  const [row] = await db
    .select()
    .from(quickReplies)
    .where(and(eq(quickReplies.id, id), isSeenBy(who)))
  return row
}

/** The same, locked. */
export async function lockSeen(db: Db, who: Person, id: number): Promise<ReplyRow | undefined> {
  const [row] = await db
    .select()
    .from(quickReplies)
    .where(and(eq(quickReplies.id, id), isSeenBy(who)))
    .for('update')
  return row
}

/** Those of one person, or of one sector. */
export async function listBeside(
  db: Db,
  { ownerId, sectorId }: Pick<ReplyRow, 'ownerId' | 'sectorId'>,
): Promise<ReplyRow[]> {
  const isBeside =
    sectorId === null ? eq(quickReplies.ownerId, ownerId ?? 0) : eq(quickReplies.sectorId, sectorId)
  return db.select().from(quickReplies).where(isBeside).orderBy(quickReplies.id)
}

/** Whether a reply that the person sees, or a general one, has this file. */
export async function seesFile(db: Db, who: Person, name: string): Promise<boolean> {
  const [row] = await db
    .select({ id: quickReplies.id })
    .from(quickReplies)
    .where(and(isSeenBy(who), sql`${quickReplies.file} ->> 'name' = ${name}`))
    .limit(1)
  if (row) return true
  return (await getSettings(db)).quickResponses.some(({ file }) => file?.name === name)
}

/** The shortcuts of the four texts of the settings that have a button. */
const ofButtons: readonly string[] = ['saudacao', 'verificar', 'despedida', 'lgpd']

/** The shortcuts of the general ones, folded. */
async function listGeneral(db: Db): Promise<string[]> {
  const { quickResponses } = await getSettings(db)
  return [...ofButtons, ...quickResponses.map(({ shortcut }) => fold(shortcut))]
}

/**
 * Counts that a reply was sent. One that the person does not see, or that is gone, counts nowhere.
 * @param key as of `replyKey`
 * @returns the row in which it was counted
 */
export async function countUse(db: Db, who: Person, key: string): Promise<number | undefined> {
  const again = sql`do update set uses = quick_reply_uses.uses + 1, last_used_at = app_now() returning id`
  if (key.startsWith('/')) {
    const general = fold(key.slice(1))
    if (!(await listGeneral(db)).includes(general)) return undefined
    const [counted] = await rows<{ id: number }>(
      db,
      sql`insert into quick_reply_uses (general, uses) values (${general}, 1) on conflict (general) ${again}`,
    )
    return counted?.id
  }
  // Whoever deletes it waits, so that the send never fails for it.
  const [reply] = await db
    .select({ id: quickReplies.id })
    .from(quickReplies)
    .where(and(eq(quickReplies.id, Number(key)), isSeenBy(who)))
    .for('key share')
  if (!reply) return undefined
  const [counted] = await rows<{ id: number }>(
    db,
    sql`insert into quick_reply_uses (reply_id, uses) values (${reply.id}, 1)
        on conflict (reply_id) ${again}`,
  )
  return counted?.id
}

/** Takes back a count, since its send was undone. */
export async function uncountUse(db: Db, useId: number): Promise<void> {
  await db.execute(sql`update quick_reply_uses set uses = greatest(0, uses - 1) where id = ${useId}`)
}

/** Forgets the counts of general ones that are no more. */
export async function forgetGeneral(db: Db): Promise<void> {
  await db.execute(
    sql`delete from quick_reply_uses where general <> all(${sql.param(await listGeneral(db))}::text[])`,
  )
}
