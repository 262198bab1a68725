import { allCalls } from '#server/testing/calls.ts'
import type { Target } from '../access/recipe.ts'
import { rowOf } from '../access/law/table.ts'
import { formOf } from '../access/targets.ts'
import { picture } from '../access/world/messages.ts'
import { neverId, neverName } from '../references/thing.ts'
import { type Deciding, isCompleted, isHeldBy } from './law.ts'
import type { Talk } from './talks.ts'

/** What a call names of a conversation; of one that never was, ids of nothing. */
export type Named = Record<'id' | 'messageId' | 'replyId' | 'noteId' | 'pictureId' | 'contactId', number> & {
  file: string
}

export const nothing: Named = {
  id: Number(neverId),
  messageId: Number(neverId),
  replyId: Number(neverId),
  noteId: Number(neverId),
  pictureId: Number(neverId),
  contactId: Number(neverId),
  file: neverName,
}

/** Whoever makes the call, and what is theirs. */
export interface Maker {
  n: number
  userId: number
  colleagueId: number
  sectorId: number
  /** A conversation of their own, which they always read. */
  home: Named
}

/** A call about a conversation. */
export interface Call {
  name: string
  method: string
  deciding(talk: Talk, n: number): Deciding
  target(talk: Named, maker: Maker): Target
  /**
   * The answer to whoever reads the conversation and may make the call: a status; that it is no refusal,
   * whatever else the state of the conversation makes of it; or anything, where more decides than the reach.
   */
  found: number | 'passes' | 'anything'
  isAct: boolean
  /** Which conversations it can be about; by default all. */
  fits?: (talk: Talk) => boolean
  /** Makes it about completed ones alone: of an open one it knows nothing. */
  isOfArchive?: true
  /** Whoever knows of a conversation as a card may take it. */
  isTaking?: true
}

const base = '/api/conversations'

type Suffix = string | ((talk: Named) => string)
const suffixOf = (suffix: Suffix, talk: Named) => (typeof suffix === 'string' ? suffix : suffix(talk))

/** What reads open and completed conversations. */
function reading(name: string, suffix: Suffix, more: Partial<Call> = {}): Call {
  const [open, completed] = [rowOf(`GET ${base}/{open}${name}`), rowOf(`GET ${base}/{completed}${name}`)]
  return {
    name: `GET ${base}/{id}${name}`,
    method: 'GET',
    deciding: (talk, n) =>
      !isCompleted(talk) ? { row: open } : { row: completed, enough: isHeldBy(n, talk) ? open : undefined },
    target: (talk) => ({ path: `${base}/${talk.id}${suffixOf(suffix, talk)}` }),
    found: 200,
    isAct: false,
    ...more,
  }
}

function archived(name: string, suffix: string): Call {
  const [own, other] = ['own', 'other'].map((whose) => rowOf(`GET ${base}/archived/{${whose}}${name}`))
  if (!own || !other) throw new Error(name)
  return {
    name: `GET ${base}/archived/{id}${name}`,
    method: 'GET',
    deciding: (talk, n) => ({ row: isHeldBy(n, talk) ? own : other }),
    target: ({ id }) => ({ path: `${base}/archived/${id}${suffix}` }),
    found: 200,
    isAct: false,
    isOfArchive: true,
  }
}

/** What acts on a conversation, or on a message of it. */
function acting(
  rowId: string,
  body: (talk: Named, maker: Maker) => Omit<Target, 'path'> & { path?: string },
  more: Partial<Call> = {},
): Call {
  const row = rowOf(rowId)
  return {
    name: rowId,
    method: row.method,
    deciding: () => ({ row }),
    target: (talk, maker) => ({
      path: row.path.replace('{id}', String(talk.id)).replace('{messageId}', String(talk.messageId)),
      ...body(talk, maker),
    }),
    found: 'passes',
    isAct: true,
    ...more,
  }
}

/** Acts on notes, which completed conversations take too. */
function noting(
  method: string,
  name: string,
  suffix: Suffix,
  body: Omit<Target, 'path'>,
  more: Partial<Call> = {},
): Call {
  const [open, completed] = [
    rowOf(`${method} ${base}/{open}${name}`),
    rowOf(`${method} ${base}/{completed}${name}`),
  ]
  return {
    name: `${method} ${base}/{id}${name}`,
    method,
    deciding: (talk, n) =>
      !isCompleted(talk) ? { row: open } : { row: completed, enough: isHeldBy(n, talk) ? open : undefined },
    target: (talk) => ({ path: `${base}/${talk.id}${suffixOf(suffix, talk)}`, ...body }),
    found: 'passes',
    isAct: true,
    ...more,
  }
}

const ofId = `${base}/{id}`
const ofMessage = `${ofId}/messages/{messageId}`
const forward = `POST ${ofMessage}/forward (conversation)`
const file = rowOf('GET /api/media/files/{name}')
const openFile = rowOf('GET /api/media/evolution/{msg of open}')
const archivedFile = rowOf('GET /api/media/evolution/{msg of archived}')
const hasPicture = (talk: Talk) => talk.pictureId > 0
const none = () => ({})
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
/** More decides about single messages than whether they are read, such as whose they are. */
const ofOne = { found: 'anything' } as const

/** The calls about one conversation, or one message or file of it. */
export const calls: readonly Call[] = [
  reading('', ''),
  reading('/messages', '/messages'),
  reading('/messages/search', '/messages/search?words=Bergamota'),
  reading('/messages/{messageId}/details', ({ replyId }) => `/messages/${replyId}/details`),
  reading('/messages/{messageId}/versions', ({ messageId }) => `/messages/${messageId}/versions`),
  reading('/media', '/media'),
  reading('/mentionable', '/mentionable'),
  reading('/notes', '/notes'),
  noting('POST', '/notes', '/notes', { body: { content: 'Só para nós' } }, { found: 201 }),
  noting(
    'PATCH',
    '/notes/{messageId}',
    ({ noteId }) => `/notes/${noteId}`,
    { body: { content: 'Outra' } },
    ofOne,
  ),
  noting('DELETE', '/notes/{messageId}', ({ noteId }) => `/notes/${noteId}`, {}, ofOne),
  noting('PATCH', '/tags', '/tags', { body: { add: [], remove: [] } }, ofOne),
  noting(
    'POST',
    '/messages/{messageId}/transcription',
    ({ messageId }) => `/messages/${messageId}/transcription`,
    { body: {} },
    ofOne,
  ),
  acting(`GET ${ofId}/last-reasons`, none, { isAct: false, found: 200 }),
  acting(`PUT ${ofId}/reason`, () => ({ body: { reasonId: null } }), ofOne),
  acting(`GET ${ofId}/snooze-times`, none, { isAct: false, found: 200 }),
  acting(`GET ${ofId}/scheduled-messages`, none, { isAct: false, found: 200 }),
  acting(`GET ${ofId}/scheduled-messages/count`, none, { isAct: false, found: 200 }),
  acting(
    `GET ${ofId}/scheduled-messages/time`,
    ({ id }) => ({ path: `${base}/${id}/scheduled-messages/time?at=${inAnHour()}&onlyOpen=false` }),
    { isAct: false, found: 200 },
  ),
  acting(`POST ${ofId}/scheduled-messages`, () => ({
    body: { content: 'Mais tarde', sendAt: inAnHour(), cancelOnAnswer: true, onlyOpen: false },
  })),
  acting(`GET ${ofId}/follow`, none, { isAct: false, found: 200 }),
  acting(`PUT ${ofId}/follow`, none, { found: 200 }),
  acting(`DELETE ${ofId}/follow`, none, { found: 200 }),
  archived('', ''),
  archived('/messages', '/messages'),
  archived('/search', '/search?search=Bergamota'),
  archived('/export', '/export?format=text'),
  {
    name: 'GET /api/media/files/{name}',
    method: 'GET',
    deciding: () => ({ row: file }),
    target: (talk) => ({ path: `/api/media/files/${talk.file}` }),
    found: 200,
    isAct: false,
    fits: hasPicture,
  },
  {
    name: 'GET /api/media/evolution/{messageId}',
    method: 'GET',
    deciding: (talk, n) =>
      !isCompleted(talk)
        ? { row: openFile }
        : { row: archivedFile, enough: isHeldBy(n, talk) ? openFile : undefined },
    target: ({ pictureId }) => ({ path: `/api/media/evolution/${pictureId}` }),
    found: 200,
    isAct: false,
    fits: hasPicture,
  },
  acting(`GET ${ofId}/assistant`, none, { isAct: false }),
  acting(`PUT ${ofId}/assistant`, () => ({ body: { isOff: true } })),
  acting(`POST ${ofId}/assistant/summary`, () => ({ body: {} })),
  acting(`POST ${ofId}/assistant/suggestion`, () => ({ body: {} })),
  acting(`POST ${ofId}/view`, () => ({ body: { action: 'enter' } })),
  acting(`POST ${ofId}/view`, () => ({ body: { action: 'leave' } }), {
    isAct: false,
    name: 'POST view, leave',
  }),
  acting(`PUT ${ofId}/read`, ({ messageId }) => ({ body: { lastMessageId: messageId } })),
  acting(`DELETE ${ofId}/read`, none),
  acting(`PUT ${ofId}/draft`, ({ messageId }) => ({
    body: { content: 'Vou ver', quotedMessageId: messageId },
  })),
  acting(`PATCH ${ofId}/priority`, () => ({ body: { priority: 'high' } })),
  acting(`PUT ${ofId}/snooze`, () => ({ body: { until: new Date(Date.now() + 3_600_000).toISOString() } })),
  acting(`DELETE ${ofId}/snooze`, none),
  acting(`PATCH ${ofId}/toggle-auto-close`, () => ({ body: { disableAutoClose: true } })),
  acting(`POST ${ofId}/messages`, () => ({ body: { content: 'Bom dia' } })),
  acting('POST /api/media/upload', ({ id }) => ({
    path: '/api/media/upload',
    form: formOf({ conversationId: String(id) }, picture),
  })),
  acting(
    `PUT ${ofMessage}`,
    ({ id, replyId }) => ({
      path: `${base}/${id}/messages/${replyId}`,
      body: { content: 'Boa tarde' },
    }),
    ofOne,
  ),
  acting(`DELETE ${ofMessage}`, ({ id, replyId }) => ({ path: `${base}/${id}/messages/${replyId}` }), ofOne),
  acting(`PUT ${ofMessage}/reaction`, () => ({ body: { emoji: '👍' } }), ofOne),
  acting(`POST ${ofMessage}/retry`, none, ofOne),
  acting(`POST ${ofMessage}/undo`, none, ofOne),
  acting(forward, (_talk, { home }) => ({ body: { to: { conversationId: home.id } } }), {
    name: `${forward}, from it`,
  }),
  acting(
    forward,
    ({ id }, { home }) => ({
      path: `${base}/${home.id}/messages/${home.messageId}/forward`,
      body: { to: { conversationId: id } },
    }),
    { name: `${forward}, to it` },
  ),
  acting(`POST ${ofMessage}/forward (contact)`, (_talk, { home }) => ({
    body: { to: { contactId: home.contactId } },
  })),
  acting(`PATCH ${ofId}/assign-operator (self)`, (_talk, { userId }) => ({ body: { operatorId: userId } }), {
    isTaking: true,
  }),
  acting(`PATCH ${ofId}/assign-operator (other)`, (_talk, { colleagueId }) => ({
    body: { operatorId: colleagueId },
  })),
  acting(`POST ${ofId}/transfer`, (_talk, { colleagueId }) => ({ body: { newOperatorId: colleagueId } })),
  acting(`POST ${ofId}/transfer-to-sector`, (_talk, { sectorId }) => ({ body: { sectorId } })),
  acting(`PATCH ${ofId}/sector`, (_talk, { sectorId }) => ({ body: { sectorId } })),
  acting(`POST ${ofId}/finalize`, () => ({ body: {} })),
  acting(`POST ${ofId}/undo-finalize`, () => ({ body: {} })),
  acting(`DELETE ${ofId}`.replace('{id}', '{open}'), ({ id }) => ({ path: `${base}/${id}` }), {
    name: `DELETE ${ofId}`,
    deciding: (talk) => ({
      row: rowOf(isCompleted(talk) ? `DELETE ${base}/{archived}` : `DELETE ${base}/{open}`),
    }),
  }),
]

/** The calls whose paths name a conversation, a message or a file, and which nothing here makes. */
export async function missingCalls(): Promise<string[]> {
  const made = new Set(
    calls.map(({ method, target }) => {
      const { path } = target(nothing, { n: 0, userId: 1, colleagueId: 1, sectorId: 1, home: nothing })
      return formOfPath(method, path.replace(/\?.*/, ''))
    }),
  )
  return (await allCalls())
    .filter(({ ids }) => Object.values(ids).some((of) => of === 'conversation' || of === 'message'))
    .map(({ method, path }) => formOfPath(method, path.replaceAll(/:\w+/g, neverId)))
    .filter((form) => !made.has(form))
}

const formOfPath = (method: string, path: string) => `${method} ${path}`
