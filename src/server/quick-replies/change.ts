import { eq, inArray, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { freeShortcut } from '#shared/quick-replies/free-shortcut.ts'
import {
  mostReplies,
  type NewReply,
  type ReplyChange,
  type ReplyImport,
} from '#shared/quick-replies/managed-replies.ts'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { fold } from '#shared/text/fold.ts'
import { record } from '#server/audit/audit.ts'
import { differences } from '#server/platform/database/changes.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, isPermitted, type Who } from '#server/platform/http/access.ts'
import { quickReplies } from '#server/schema/quick-replies/quick-replies.ts'
import { shareSector } from '#server/sectors/sectors.ts'
import { expectFile, ownNamedFiles } from './files.ts'
import { listBeside, lockSeen, type ReplyRow, seesFile } from './queries.ts'

// Whoever changes quick replies does so one after another; a sector is locked before them, as where it is
// deleted.

type Scope = Pick<ReplyRow, 'ownerId' | 'sectorId'>

/** Whether the person changes what is of that person or sector. */
export function mayChange(who: Who, { ownerId, sectorId }: Scope): boolean {
  if (sectorId === null) return ownerId === who.id
  return (
    isPermitted(who, { act: 'openAdvancedSettings' }) ||
    who.sectors.some(({ id, isLead }) => isLead && id === sectorId)
  )
}

const scopeOf = (who: Who, sectorId: number | null): Scope => ({
  ownerId: sectorId === null ? who.id : null,
  sectorId,
})

/** What the audit log has of a reply: those that a person has alone are not named there. */
const detailsOf = ({ shortcut, sectorId }: Pick<ReplyRow, 'shortcut' | 'sectorId'>) => ({
  ...(sectorId !== null && { shortcut }),
  sectorId,
})

/**
 * @throws AppError 403 of a sector that the person does not lead, 409 for a shortcut that is taken or one too
 *   many, 422 for a sector or file that does not exist, and for neither text nor file
 */
export async function addReply(db: Tx, who: Who, { file, ...form }: NewReply): Promise<number> {
  const scope = await enter(db, who, form.sectorId)
  const others = await listBeside(db, scope)
  expectFree(others, form.shortcut)
  expectRoom(others.length + 1)
  const content = await contentOf(db, who, { text: form.text, file: file ?? null })
  const [made] = await db
    .insert(quickReplies)
    .values({ ...scope, shortcut: form.shortcut, ...content })
    .returning()
  if (!made) throw new Error('quick reply not written')
  await ownNamedFiles(db, namesOf(made))
  await record(db, who, { action: 'reply.create', resourceId: made.id, details: detailsOf(made) })
  db.emit({ type: 'quick_replies_changed' })
  return made.id
}

/**
 * Changes the given fields of a reply.
 * @throws AppError as `addReply`, 404, 409 also when somebody has changed it since
 */
export async function changeReply(db: Tx, who: Who, id: number, change: ReplyChange): Promise<void> {
  const { version, ...wanted } = change
  if (wanted.sectorId != null) await expectSector(db, wanted.sectorId)
  await lockName(db, 'quick_replies')
  const before = await lockSeen(db, who, id)
  await confirmRights(who, db)
  if (!before) throw new AppError('quick_replies.not_found')
  const scope = wanted.sectorId === undefined ? before : scopeOf(who, wanted.sectorId)
  if (!mayChange(who, before) || !mayChange(who, scope)) throw new AppError('quick_replies.not_yours')
  if (version !== undefined && version !== before.version) throw new AppError('quick_replies.changed')
  const { shortcut = before.shortcut, text = before.text, file = before.file } = wanted
  const content = await contentOf(db, who, { text, file }, before.file)
  const values = differences<Pick<ReplyRow, 'shortcut' | 'text' | 'file' | 'ownerId' | 'sectorId'>>(before, {
    shortcut,
    ...content,
    ownerId: scope.ownerId,
    sectorId: scope.sectorId,
  })
  const fields = (['shortcut', 'text', 'file', 'sectorId'] as const).filter((field) => field in values)
  if (fields.length === 0) return
  const isMoved = values.sectorId !== undefined
  const others = (await listBeside(db, scope)).filter((row) => row.id !== id)
  if (isMoved || values.shortcut !== undefined) expectFree(others, shortcut)
  if (isMoved) expectRoom(others.length + 1)
  const [after] = await db
    .update(quickReplies)
    .set({ ...values, version: sql`${quickReplies.version} + 1` })
    .where(eq(quickReplies.id, id))
    .returning()
  if (!after) throw new Error('quick reply not written')
  await ownNamedFiles(db, [...namesOf(before), ...namesOf(after)])
  await record(db, who, {
    action: 'reply.change',
    resourceId: id,
    details: { ...detailsOf(after), fields: [...fields] },
  })
  db.emit({ type: 'quick_replies_changed' })
}

/** @throws AppError 403 of a sector that the person does not lead, 404 */
export async function removeReply(db: Tx, who: Who, id: number): Promise<void> {
  await lockName(db, 'quick_replies')
  const row = await lockSeen(db, who, id)
  await confirmRights(who, db)
  if (!row) throw new AppError('quick_replies.not_found')
  if (!mayChange(who, row)) throw new AppError('quick_replies.not_yours')
  await dropReplies(db, [row])
  await record(db, who, { action: 'reply.delete', resourceId: id, details: detailsOf(row) })
  db.emit({ type: 'quick_replies_changed' })
}

/**
 * Adds several at once, or none; a shortcut that is taken gets a number.
 * @returns their ids, in their order
 * @throws AppError as `addReply`
 */
export async function addReplies(db: Tx, who: Who, { sectorId, replies }: ReplyImport): Promise<number[]> {
  const scope = await enter(db, who, sectorId)
  const others = await listBeside(db, scope)
  expectRoom(others.length + replies.length)
  const taken = new Set(others.map(({ shortcutFolded }) => shortcutFolded))
  const values = replies.map(({ shortcut, text }) => ({
    ...scope,
    shortcut: freeShortcut(taken, shortcut),
    text,
  }))
  const made = await db.insert(quickReplies).values(values).returning({ id: quickReplies.id })
  await record(db, who, { action: 'reply.import', details: { sectorId, count: made.length } })
  db.emit({ type: 'quick_replies_changed' })
  return made.map(({ id }) => id)
}

/**
 * What becomes of the replies of a sector that is being deleted: they are of the sector that has its
 * conversations from now on, and end with it where there is none.
 * @returns how many there were
 */
export async function leaveRepliesOf(db: Tx, sectorId: number, targetId: number | null): Promise<number> {
  await lockName(db, 'quick_replies')
  const left = await listBeside(db, { ownerId: null, sectorId })
  if (left.length === 0) return 0
  if (targetId === null) await dropReplies(db, left)
  else {
    const there = await listBeside(db, { ownerId: null, sectorId: targetId })
    const taken = new Set(there.map(({ shortcutFolded }) => shortcutFolded))
    for (const { id, shortcut } of left)
      await db
        .update(quickReplies)
        .set({
          sectorId: targetId,
          shortcut: freeShortcut(taken, shortcut),
          version: sql`${quickReplies.version} + 1`,
        })
        .where(eq(quickReplies.id, id))
  }
  db.emit({ type: 'quick_replies_changed' })
  return left.length
}

/** Deletes what a person had alone, with their account. */
export async function dropOwnReplies(db: Tx, userId: number): Promise<void> {
  await lockName(db, 'quick_replies')
  await dropReplies(db, await listBeside(db, { ownerId: userId, sectorId: null }))
}

async function dropReplies(db: Db, left: readonly ReplyRow[]): Promise<void> {
  const ids = left.map(({ id }) => id)
  if (ids.length === 0) return
  await db.delete(quickReplies).where(inArray(quickReplies.id, ids))
  await ownNamedFiles(db, left.flatMap(namesOf))
}

/** Takes the locks of whoever adds. @throws AppError 403, 422 */
async function enter(db: Tx, who: Who, sectorId: number | null): Promise<Scope> {
  if (sectorId !== null) await expectSector(db, sectorId)
  await lockName(db, 'quick_replies')
  await confirmRights(who, db)
  const scope = scopeOf(who, sectorId)
  if (!mayChange(who, scope)) throw new AppError('quick_replies.not_yours')
  return scope
}

const namesOf = ({ file }: Pick<ReplyRow, 'file'>): string[] => (file ? [file.name] : [])

/** A voice has no caption. @param known the file that the reply has already */
async function contentOf(
  db: Db,
  who: Who,
  { text, file }: Pick<ReplyRow, 'text' | 'file'>,
  known: QuickResponseFile | null = null,
): Promise<Pick<ReplyRow, 'text' | 'file'>> {
  if (!file) {
    if (text.trim() === '') throw new AppError('quick_replies.empty')
    return { text, file: null }
  }
  const stored = await expectFile(
    db,
    file,
    async (name) => name === known?.name || (await seesFile(db, who, name)),
  )
  return { text: stored.voiceSeconds === undefined ? text : '', file: stored }
}

async function expectSector(db: Db, sectorId: number): Promise<void> {
  if (!(await shareSector(db, sectorId))) throw new AppError('sectors.unknown')
}

function expectFree(others: readonly ReplyRow[], shortcut: string): void {
  if (others.some(({ shortcutFolded }) => shortcutFolded === fold(shortcut)))
    throw new AppError('quick_replies.duplicate', { values: { shortcut } })
}

function expectRoom(count: number): void {
  if (count > mostReplies)
    throw new AppError('quick_replies.too_many', { values: { most: String(mostReplies) } })
}
