import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { makeNotes } from '../access/world/messages.ts'
import { type Case, changing, type Recipes } from '../access/recipe.ts'
import { rowOf } from '../access/law/table.ts'
import type { Caller } from '../access/world/people.ts'
import type { Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { each, idOf, talks, type Whose } from '../access/targets.ts'
import { type Acts, call, onTalk, pick } from '../walk/writing.ts'

const base = '/api/conversations'

const writing = (whose: Whose, isCompleted: boolean): Case['targets'] =>
  each(talks(whose, isCompleted), ({ id }) => ({
    path: `${base}/${id}/notes`,
    body: { content: 'Só para nós' },
  }))

/** A note of each caller. */
const ownNotes =
  (whose: Whose, isCompleted: boolean) =>
  async (world: World, callers: readonly Caller[]): Promise<{ talk: Talk; id: number }[]> => {
    const made = await talks(whose, isCompleted)(world, callers)
    const ids = await makeNotes(
      world,
      made.map((talk, n) => ({ conversationId: talk.id, senderId: idOf(world, callers[n] as Caller) })),
    )
    return made.map((talk, n) => ({ talk, id: ids[n] ?? 0 }))
  }

const onOwn = (body?: Record<string, unknown>) => (whose: Whose, isCompleted: boolean) =>
  each(ownNotes(whose, isCompleted), ({ talk, id }) => ({
    path: `${base}/${talk.id}/notes/${id}`,
    ...(body && { body }),
  }))

/** In an open conversation. */
const open = (status: 200 | 201, targets: typeof writing): Case[] => [
  { what: 'of a colleague', sees: 'reader', status, targets: targets('colleague', false) },
  { what: 'in the FILA', sees: 'reader', status, targets: targets('nobody', false) },
]

/** In a completed one: of one's own the row of open conversations is enough. */
const completed = (status: 200 | 201, targets: typeof writing, openRow: string): Case[] => [
  { what: 'of a colleague', sees: 'archive', status, targets: targets('colleague', true) },
  { what: 'own', sees: 'reader', needs: rowOf(openRow), status, targets: targets('own', true) },
]

const editing = onOwn({ content: 'Só para nós mesmo' })
const deleting = onOwn()

/** The calls that write notes of the team. */
export const recipes = {
  'POST /api/conversations/{open}/notes': changing(
    open(201, writing),
    recordedAndPushed,
    '+messages +conversation_people',
  ),
  'POST /api/conversations/{completed}/notes': changing(
    completed(201, writing, 'POST /api/conversations/{open}/notes'),
    recordedAndPushed,
    '+messages +conversation_people conversations.version',
  ),
  'PATCH /api/conversations/{open}/notes/{messageId}': changing(
    open(200, editing),
    recordedAndPushed,
    '+message_versions messages.content messages.edited_at messages.version',
  ),
  'PATCH /api/conversations/{completed}/notes/{messageId}': changing(
    completed(200, editing, 'PATCH /api/conversations/{open}/notes/{messageId}'),
    recordedAndPushed,
    '+message_versions messages.content messages.edited_at messages.version',
  ),
  'DELETE /api/conversations/{open}/notes/{messageId}': changing(
    open(200, deleting),
    recordedAndPushed,
    'messages.content messages.deleted_at messages.metadata messages.version',
  ),
  'DELETE /api/conversations/{completed}/notes/{messageId}': changing(
    completed(200, deleting, 'DELETE /api/conversations/{open}/notes/{messageId}'),
    recordedAndPushed,
    'messages.content messages.deleted_at messages.metadata messages.version',
  ),
} satisfies Recipes

/** What the team writes to itself. */
export const acts = {
  'a note': [
    4,
    onTalk((world, talk) => call(world, 'POST', `${talk.id}/notes`, { content: `nota ${++world.count}` })),
  ],
  'a note is changed': [
    2,
    async (world) => {
      const found = await rows<{ id: number; talkId: number }>(
        world.database,
        sql`select id, conversation_id as "talkId" from messages
             where message_type = 'note' and deleted_at is null order by id`,
      )
      const note = pick(world.random, found)
      if (!note) return
      const path = `${note.talkId}/notes/${note.id}`
      if (world.random() < 0.3) await call(world, 'DELETE', path)
      else await call(world, 'PATCH', path, { content: `nota ${++world.count}` })
    },
  ],
} satisfies Acts
