import { sql } from 'drizzle-orm'
import { updateContact } from '#shared/contacts/contacts.ts'
import {
  finalizeConversation,
  setPriority,
  transferConversation,
} from '#shared/conversations/conversation-endpoints.ts'
import { snoozeConversation } from '#shared/conversations/snooze.ts'
import type { Endpoint, Row } from '#shared/endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { type MacroStep, type StepKind, stepRefusal } from '#shared/macros/steps.ts'
import { uploadMedia } from '#shared/messages/media.ts'
import { sendMessage } from '#shared/messages/message-endpoints.ts'
import { writeNote } from '#shared/messages/notes.ts'
import { transferToSector as transferToSectorCall } from '#shared/sectors/conversation-sector.ts'
import { tagConversation as tagCall } from '#shared/tags/conversation-tags.ts'
import { changeContact, lockContact } from '#server/contacts/contacts.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { isPermitted, permit, type Who } from '#server/platform/http/access.ts'
import { prioritize } from '#server/conversations/acts/acts.ts'
import { finalize, transfer } from '#server/conversations/acts/assign.ts'
import { transferToSector } from '#server/conversations/acts/to-sector.ts'
import { storeNote } from '#server/conversations/messages/notes.ts'
import type { Receipt } from '#server/conversations/outgoing/receipts.ts'
import { type ReplyFile, sendReply } from '#server/conversations/outgoing/reply.ts'
import { snooze } from '#server/conversations/snoozing/snooze.ts'
import { snoozeTimes } from '#server/conversations/snoozing/times.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { notifyContactsChanged } from '#server/conversations/store/write.ts'
import { tagConversation } from '#server/conversations/tags/tag.ts'
import { expectKnownFields } from './filled.ts'

const onlyRow = ({ rows: some }: Pick<Endpoint, 'rows'>): Row[] => Object.values(some)

/** The calls of which a step is one: whoever may not make them does not run it. */
const rowsOf: Readonly<Record<StepKind, readonly Row[]>> = {
  text: onlyRow(sendMessage),
  file: [uploadMedia.rows['POST /api/media/upload']],
  note: [writeNote.rows['POST /api/conversations/{open}/notes']],
  tag: [tagCall.rows['PATCH /api/conversations/{open}/tags']],
  category: onlyRow(updateContact),
  priority: onlyRow(setPriority),
  snooze: onlyRow(snoozeConversation),
  sector: onlyRow(transferToSectorCall),
  person: onlyRow(transferConversation),
  finalize: onlyRow(finalizeConversation),
}

/** What a step is done with. */
export interface Doing {
  conversation: Pick<Locked, 'id' | 'contactId' | 'instanceId' | 'sectorId'>
  /** Of a text, a caption or a note: with its values. */
  text: string
  /** Of a file: the copy that is sent. */
  file: ReplyFile | undefined
  isUndoable: boolean | undefined
}

/** What a step has left. */
export interface Done {
  /** What was written to the client, and the receipt that is due with it. */
  messageId?: number
  receipt?: Receipt | undefined
  noteId?: number
  /** Of 'Lembrar'. */
  until?: string
  isMoved?: boolean
}

/**
 * Locks the contact of a conversation where a step changes it. Call before the conversation is locked, as
 * what comes in locks them.
 */
export async function lockContactOf(
  db: Db,
  conversationId: number,
  steps: readonly Pick<MacroStep, 'kind'>[],
): Promise<void> {
  if (!steps.some(({ kind }) => kind === 'category')) return
  const [row] = await rows<{ contactId: number }>(
    db,
    sql`select contact_id as "contactId" from conversations where id = ${conversationId}`,
  )
  if (row) await lockContact(db, row.contactId)
}

/**
 * Does one step as the call for it does, as a part of the open transaction.
 * @throws AppError as that call, 403 where the person may not make it, 422 for what is gone
 */
export async function doStep(db: Tx, who: Who, step: MacroStep, doing: Doing): Promise<Done> {
  for (const row of rowsOf[step.kind]) {
    if (!isPermitted(who, row)) throw new AppError('macros.step_forbidden')
    permit(who, row)
  }
  if ('text' in step) expectKnownFields(step.text)
  const { text: content, conversation } = doing
  const { id: conversationId } = conversation
  switch (step.kind) {
    case 'text':
    case 'file': {
      const { id: messageId, receipt } = await sendReply(db, who, conversationId, {
        content,
        file: doing.file,
      })
      return { messageId, receipt }
    }
    case 'note':
      return { noteId: await storeNote(db, who, conversationId, { content, mentions: step.mentions ?? [] }) }
    case 'tag': {
      const add = [expectThere(step.tagId, 'macros.gone_tag')]
      const row = tagCall.rows['PATCH /api/conversations/{open}/tags']
      await tagConversation(db, who, { conversationId, add, permit: () => permit(who, row) })
      return {}
    }
    case 'category': {
      const category = await categoryName(db, expectThere(step.categoryId, 'macros.gone_category'))
      if (category === undefined) throw new AppError('macros.gone_category')
      const { contactId } = conversation
      if (await changeContact(db, who, contactId, { category })) await notifyContactsChanged(db, [contactId])
      return {}
    }
    case 'priority':
      await prioritize(db, who, { conversationId, priority: step.priority })
      return {}
    case 'snooze': {
      const { times } = await snoozeTimes(db, conversation)
      // On Sundays 'Segunda' is 'Amanhã', which is the only one that is offered.
      const time = times.find(({ name }) => name === step.time) ?? times.at(-1)
      if (!time) throw new Error('no time to return at')
      await snooze(db, who, { conversationId, until: time.at, reason: step.reason })
      return { until: time.at, isMoved: time.isMoved }
    }
    case 'sector': {
      const sectorId = expectThere(step.sectorId, 'macros.gone_sector')
      await transferToSector(db, who, { conversationId, sectorId })
      return {}
    }
    case 'person': {
      const newOperatorId = expectThere(step.userId, 'macros.gone_person')
      await transfer(db, who, { conversationId, newOperatorId })
      return {}
    }
    case 'finalize': {
      const { reasonId } = step
      await finalize(db, who, { conversationId, reasonId, isUndoable: doing.isUndoable })
      return {}
    }
  }
}

type Gone = 'macros.gone_tag' | 'macros.gone_category' | 'macros.gone_sector' | 'macros.gone_person'

function expectThere(id: number | null, code: Gone): number {
  if (id === null) throw new AppError(code)
  return id
}

async function categoryName(db: Db, id: number): Promise<string | undefined> {
  const [row] = await rows<{ name: string }>(db, sql`select name from contact_categories where id = ${id}`)
  return row?.name
}

/** Refusals that say that something is gone, switched off or unknown: then the macro must be mended. */
const broken: ReadonlySet<string> = new Set([
  'macros.gone_tag',
  'macros.gone_category',
  'macros.gone_sector',
  'macros.gone_person',
  'macros.file_gone',
  'macros.unknown_field',
  'tags.unknown',
  'tags.inactive',
  'reasons.unknown',
  'reasons.inactive',
  'contacts.category_not_found',
  'sectors.unknown',
  'sectors.inactive',
  'conversations.target_unavailable',
  'notes.mention_unknown',
])
export const isBroken = ({ code }: AppError): boolean => broken.has(code)

/** The refusal of a step, with its place: of the others nothing is done either. */
export function refusalOf(error: AppError, index: number, kind: StepKind): AppError {
  return new AppError(error.code, { text: stepRefusal(index, kind, error.message) })
}
