import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { MacroRun } from '#shared/macros/macro-runs.ts'
import type { MacroStep } from '#shared/macros/steps.ts'
import { fieldNameOf } from '#shared/text/field-names.ts'
import { record } from '#server/audit/audit.ts'
import { countUse, findSeen, type MacroRow, mayUse } from '#server/macros/macros.ts'
import { orRemove } from '#server/media/media.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { runningMacro, type Who } from '#server/platform/http/access.ts'
import { macroRuns } from '#server/schema/macros/macro-runs.ts'
import { users } from '#server/schema/users.ts'
import type { Receipt } from '#server/conversations/outgoing/receipts.ts'
import type { ReplyFile } from '#server/conversations/outgoing/reply.ts'
import {
  conversationChanged,
  conversationCompleted,
  conversationTaken,
  lockConversationFor,
} from '#server/conversations/store/access.ts'
import { lockConversation, type Locked } from '#server/conversations/store/lock.ts'
import { trackingTypes } from '#server/conversations/store/message-rows.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { filledStep, valuesFor } from './filled.ts'
import { doStep, lockContactOf, refusalOf } from './step.ts'
import { copyStepFile } from './step-files.ts'

interface Ran {
  at: string
  messageIds: number[]
  receipts: Receipt[]
}

type Run = MacroRun & { conversationId: number; macroId: number }

/**
 * Runs a macro in a conversation: all that it does is written in one transaction, what is sent as rows of the
 * outbox, or nothing is. Repeating a call with the same `runId` returns what the first one has done.
 * @throws AppError 403, 404, 409 the conversation or the macro are others than the person saw, 422 a value is
 *   missing; as the call of the step that is refused, with its place
 */
export async function runMacro(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  run: Run,
): Promise<Ran> {
  const { conversationId, macroId, runId } = run
  const before = await findRun(database, who, runId, conversationId)
  if (before) return before
  const macro = await usableMacro(database, who, macroId)
  const steps = stepsOf(macro, run)
  const copies = new Map<number, ReplyFile>()
  const copied = async (at: number): Promise<Ran> => {
    const next = steps.findIndex(({ step }, index) => index >= at && step.kind === 'file')
    const step = steps[next]?.step
    if (step?.kind !== 'file')
      return inTransaction(database, (db) => runLocked(db, runningMacro(who, macro.name), macro, run, copies))
    const file = await copyStepFile({ database, files }, step).catch((error: unknown) => {
      throw error instanceof AppError ? refusalOf(error, steps[next]?.place ?? 0, 'file') : error
    })
    copies.set(steps[next]?.place ?? 0, file)
    return orRemove({ database, files }, file.name, () => copied(next + 1))
  }
  const ran = await copied(0)
  await failpoint('macro.committed')
  return ran
}

/** @throws AppError 404 for one that the person does not see, 403 for one that they only manage */
export async function usableMacro(db: Db, who: Who, id: number): Promise<MacroRow> {
  const macro = await findSeen(db, who, id)
  if (!macro) throw new AppError('macros.not_found')
  if (!mayUse(who, macro)) throw new AppError('macros.of_others')
  return macro
}

/** The steps that are done, with their places in the macro. */
function stepsOf(
  { steps }: MacroRow,
  { skip = [] }: Pick<Run, 'skip'>,
): { step: MacroStep; place: number }[] {
  if (skip.some((place) => steps[place]?.kind !== 'file')) throw new AppError('macros.not_skippable')
  const left = steps.map((step, place) => ({ step, place })).filter(({ place }) => !skip.includes(place))
  if (left.length === 0) throw new AppError('macros.nothing_left')
  return left
}

async function runLocked(
  db: Tx,
  who: Who,
  macro: MacroRow,
  run: Run,
  copies: ReadonlyMap<number, ReplyFile>,
): Promise<Ran> {
  const { conversationId, runId } = run
  await lockContactOf(db, conversationId, macro.steps)
  await lockConversation(db, conversationId)
  // Of two calls that came at once the second one finds what the first one has done.
  const before = await findRun(db, who, runId, conversationId)
  if (before) return before
  const conversation = await lockConversationFor(db, who, conversationId)
  if (!mayUse(who, macro)) throw new AppError('macros.of_others')
  await expectUnchanged(db, conversation, run)
  if (run.version !== undefined && run.version !== macro.version)
    throw new AppError('macros.changed_before_run')
  await noteAct(db, conversation, { by: who.id, act: 'macro', to: macro.name })
  const values = await valuesFor(db, who, conversation)
  const [messageIds, receipts]: [number[], Receipt[]] = [[], []]
  for (const { step, place } of stepsOf(macro, run)) {
    await failpoint('macro.step')
    const { text, missing } = filledStep('text' in step ? step.text : '', values, run.values ?? [])
    if (missing.length > 0)
      throw new AppError('macros.no_value', { values: { fields: missing.map(fieldNameOf).join(', ') } })
    const doing = { conversation, text, file: copies.get(place), isUndoable: run.isUndoable }
    const { messageId, receipt } = await doStep(db, who, step, doing).catch((error: unknown) => {
      throw error instanceof AppError ? refusalOf(error, place, step.kind) : error
    })
    if (messageId !== undefined) messageIds.push(messageId)
    if (receipt) receipts.push(receipt)
  }
  await failpoint('macro.step')
  await record(db, who, {
    action: 'conversation.macro',
    resourceId: conversationId,
    details: { macroId: macro.id, name: macro.name, steps: stepsOf(macro, run).map(({ step }) => step.kind) },
  })
  const lastEntryId = await newestEntry(db, conversationId)
  // After the steps, since others run it, too, and would wait; before the row that names it, or one that was
  // deleted meanwhile fails there.
  if (!(await countUse(db, macro, who.id))) throw new AppError('macros.changed_before_run')
  const [row] = await db
    .insert(macroRuns)
    .values({
      runId,
      macroId: macro.id,
      name: macro.name,
      conversationId,
      userId: who.id,
      messageIds,
      lastEntryId,
    })
    .returning({ at: macroRuns.createdAt })
  if (!row) throw new Error('run not written')
  return { at: row.at.toISOString(), messageIds, receipts }
}

async function findRun(db: Db, who: Who, runId: string, conversationId: number): Promise<Ran | undefined> {
  const [row] = await db.select().from(macroRuns).where(eq(macroRuns.runId, runId))
  if (!row) return undefined
  if (row.userId !== who.id || row.conversationId !== conversationId) throw new AppError('macros.run_taken')
  return { at: row.createdAt.toISOString(), messageIds: row.messageIds, receipts: [] }
}

/**
 * Expects a conversation that is open, and as the person saw it.
 * @throws AppError 409, with what has happened since
 */
async function expectUnchanged(db: Db, conversation: Locked, { holderId, lastEntryId }: Run): Promise<void> {
  const { id, assignedUserId, status } = conversation
  const newest = lastEntryId === undefined ? undefined : await newestEntry(db, id)
  const isOther = newest !== undefined && newest !== lastEntryId
  if (isOther) {
    const [run] = await rows<{ name: string; who: string }>(
      db,
      sql`select r.name, u.name as who from macro_runs r join users u on u.id = r.user_id
           where r.conversation_id = ${id} and r.last_entry_id > ${lastEntryId ?? 0}
           order by r.id desc limit 1`,
    )
    if (run) throw new AppError('macros.run_meanwhile', { values: run })
  }
  if (status === 'completed') throw conversationCompleted()
  if (holderId !== undefined && holderId !== assignedUserId && assignedUserId !== null)
    throw conversationTaken(await nameOf(db, assignedUserId))
  if (!isOther) return
  const written = await rows(
    db,
    sql`select from messages where conversation_id = ${id} and id > ${lastEntryId ?? 0}
           and sender_type = 'contact' limit 1`,
  )
  throw written.length > 0 ? new AppError('conversations.client_wrote') : conversationChanged()
}

/**
 * The newest entry of the timeline that tells of a change: every act leaves one. Notes, and who opened the
 * chat, change nothing.
 */
export async function newestEntry(db: Db, conversationId: number): Promise<number | null> {
  const [row] = await rows<{ id: number | null }>(
    db,
    sql`select max(id)::int as id from messages
         where conversation_id = ${conversationId} and message_type not in ('note', ${trackingTypes})`,
  )
  return row?.id ?? null
}

async function nameOf(db: Db, userId: number): Promise<string> {
  const [user] = await db.select({ name: users.name }).from(users).where(eq(users.id, userId))
  return user?.name ?? ''
}
