import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { MacroPreview, PreviewedStep } from '#shared/macros/macro-runs.ts'
import type { MacroStep } from '#shared/macros/steps.ts'
import { priorityLabels } from '#shared/text/text.ts'
import {
  type Database,
  type Db,
  inSavepoint,
  inTransaction,
  rows,
  type Tx,
} from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Who } from '#server/platform/http/access.ts'
import { conversationCompleted, lockConversationFor } from '#server/conversations/store/access.ts'
import { getSettings } from '#server/settings/settings.ts'
import { filledStep, valuesFor } from './filled.ts'
import { newestEntry, usableMacro } from './run.ts'
import { doStep, type Done, type Doing, isBroken, lockContactOf } from './step.ts'
import { missingFiles, tryStepFile } from './step-files.ts'

/** Ends the transaction of a trial: nothing of it may stay. */
class TakenBack extends Error {
  readonly preview: MacroPreview
  constructor(preview: MacroPreview) {
    super('a preview is taken back')
    this.preview = preview
  }
}

/**
 * What a macro would do in a conversation now. Its steps are done as a run does them, in a transaction that
 * is taken back, so nothing is shown that would not be done, nor another reason why not.
 * @throws AppError 403, 404, 409 completed
 */
export async function previewMacro(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  act: { conversationId: number; macroId: number },
): Promise<MacroPreview> {
  const macro = await usableMacro(database, who, act.macroId)
  const missing = await missingFiles(files, macro.fileNames)
  try {
    return await inTransaction(database, async (db) => {
      await lockContactOf(db, act.conversationId, macro.steps)
      throw new TakenBack(await tryOut(db, who, { ...act, missing }))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.preview
    throw error
  }
}

async function tryOut(
  db: Tx,
  who: Who,
  { conversationId, macroId, missing: lost }: { conversationId: number; macroId: number; missing: string[] },
): Promise<MacroPreview> {
  const conversation = await lockConversationFor(db, who, conversationId)
  const macro = await usableMacro(db, who, macroId)
  if (conversation.status === 'completed') throw conversationCompleted()
  const lastEntryId = await newestEntry(db, conversationId)
  const { timezone } = await getSettings(db)
  const values = await valuesFor(db, who, conversation)
  const steps: PreviewedStep[] = []
  for (const step of macro.steps) {
    const { text, missing } = filledStep('text' in step ? step.text : '', values, [])
    const doing = { conversation, text, isUndoable: true, lost }
    const { done, error } = await attempt(db, who, step, doing)
    steps.push({
      kind: step.kind,
      detail: await detailOf(db, step, text),
      missing,
      ...(done?.noteId !== undefined && { tells: await countTold(db, done.noteId) }),
      ...(done?.until !== undefined && { until: done.until, isMoved: done.isMoved }),
      error: error?.message ?? null,
      isBroken: error !== undefined && isBroken(error),
      isSkippable: step.kind === 'file' && error !== undefined && macro.steps.length > 1,
    })
  }
  const { assignedUserId: holderId } = conversation
  return { conversationId, name: macro.name, version: macro.version, holderId, lastEntryId, timezone, steps }
}

async function attempt(
  db: Tx,
  who: Who,
  step: MacroStep,
  { lost, ...doing }: Omit<Doing, 'file'> & { lost: readonly string[] },
): Promise<{ done?: Done; error?: AppError }> {
  try {
    const done = await inSavepoint(db, async (inner) => {
      const file = step.kind === 'file' ? await tryStepFile(inner, step, lost) : undefined
      return doStep(inner, who, step, { ...doing, file })
    })
    return { done }
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}

/** What a step is about, in words; '' for what is gone. */
async function detailOf(db: Db, step: MacroStep, text: string): Promise<string> {
  switch (step.kind) {
    case 'text':
    case 'note':
      return text
    case 'file':
      return step.file.fileName
    case 'tag':
      return nameIn(db, sql`select name from conversation_tags where id = ${step.tagId}`)
    case 'category':
      return nameIn(db, sql`select name from contact_categories where id = ${step.categoryId}`)
    case 'priority':
      return priorityLabels[step.priority]
    case 'snooze':
      return step.reason ?? ''
    case 'sector':
      return nameIn(db, sql`select name from sectors where id = ${step.sectorId}`)
    case 'person':
      return nameIn(db, sql`select name from users where id = ${step.userId}`)
    case 'finalize':
      return nameIn(db, sql`select path as name from finish_reasons where id = ${step.reasonId}`)
  }
}

async function nameIn(db: Db, query: Parameters<typeof rows>[1]): Promise<string> {
  const [row] = await rows<{ name: string }>(db, query)
  return row?.name ?? ''
}

async function countTold(db: Db, noteId: number): Promise<number> {
  const [row] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from notifications where message_id = ${noteId} and kind = 'mention'`,
  )
  return row?.n ?? 0
}
