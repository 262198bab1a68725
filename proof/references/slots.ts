import type { Subject } from '#shared/endpoint.ts'
import { allCalls } from '#server/testing/calls.ts'
import { formOf } from '../access/targets.ts'
import { recipes } from '../access/recipes.ts'
import { casesOf, isWatch, type Target, targetsOf } from '../access/recipe.ts'
import { flagsOf } from '../access/law/expected.ts'
import { picture } from '../access/world/messages.ts'
import type { Caller } from '../access/world/people.ts'
import type { Talk } from '../access/world/talks.ts'
import { isPerson } from '../access/law/principals.ts'
import { tableRows, type Row, rowOf } from '../access/law/table.ts'
import type { World } from '../access/world/world.ts'
import { malformed, type Things } from './subjects.ts'
import { type Kind, kinds } from './thing.ts'

/** A place in a call that takes an id. */
export interface Slot {
  row: Row
  name: string
  /** The values of things, by kind; those that the place has. */
  ids: Partial<Record<Kind, string | number>>
  /** Values that are no ids there. */
  malformed: readonly unknown[]
  /** Whether a thing of the kind is as good as none for the caller. */
  isHidden(kind: Kind, caller: Caller): boolean
  request(value: unknown, caller: Caller): Target
  /** A call of the row about what it is made for, which may be made once. */
  own?: (caller: Caller) => Target
}

/** Of which things a caller knows nothing, whatever they may do. */
export interface Sight {
  /** Of a conversation of the kind, and its messages and files. */
  isTalkHidden(kind: Kind, caller: Caller): boolean
  isOtherHidden(subject: Subject, kind: Kind): boolean
}

const has = ({ principal }: Caller, flag: string) => isPerson(principal) && flagsOf(principal).has(flag)

/** Conversations are hidden from who may not view them, and completed ones of others without the archive. */
function isTalkHidden(kind: Kind, caller: Caller): boolean {
  if (kind === 'deleted' || kind === 'never' || !has(caller, 'canViewConversations')) return true
  return kind === 'archived' && !has(caller, 'canViewArchivedConversations')
}

const isGone = (kind: Kind) => kind === 'deleted' || kind === 'never'
const always = () => true

/** Of principals who know of all conversations, as far as they may view them. */
const sightOfAll: Sight = { isTalkHidden, isOtherHidden: isHiddenElsewhere }

const paramsOf = (row: Row) => [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')

/** The path with its parameters in order. */
function pathWith(row: Row, values: readonly string[], query: string): string {
  let n = 0
  return row.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[n++] ?? '')) + query
}

export type Prepared = (caller: Caller) => Target

/**
 * The places in the path of a row. Of a message's path they are both ids, and a message under another
 * parent.
 */
export function pathSlots(
  { row, ids, prepared }: PreparedRow,
  things: Things,
  sight: Sight = sightOfAll,
): Slot[] {
  const params = paramsOf(row)
  const subjects = params.flatMap((param) => ids[param] ?? [])
  const target = (caller: Caller, values: readonly string[]): Target => {
    const base = prepared(caller)
    const query = base.path.includes('?') ? base.path.slice(base.path.indexOf('?')) : ''
    return { ...base, path: pathWith(row, values, query) }
  }
  const isAboutTalk = ['conversation', 'message', 'file'].includes(subjects[0] ?? '')
  const own: Slot['own'] = (caller) => prepared(caller)
  const text = (value: unknown) => String(value)
  const [subject] = subjects
  if (!subject) return []
  if (subjects.length === 1)
    return [
      {
        row,
        name: `{${params[0]}}`,
        ids: things[subject],
        malformed,
        isHidden: (kind, caller) =>
          isAboutTalk ? sight.isTalkHidden(kind, caller) : sight.isOtherHidden(subject, kind),
        request: (value, caller) => target(caller, [text(value)]),
        own,
      },
    ]
  const messageOf = (conversationId: unknown) => {
    const kind = kinds.find((one) => things.conversation[one] === conversationId) ?? 'foreign'
    return things.message[kind]
  }
  return [
    {
      row,
      name: '{id} and its {messageId}',
      ids: things.conversation,
      malformed,
      isHidden: sight.isTalkHidden,
      request: (value, caller) => target(caller, [text(value), messageOf(value)]),
      own,
    },
    {
      row,
      name: '{messageId} under another {id}',
      ids: things.message,
      malformed,
      isHidden: always,
      request: (value, caller) => target(caller, [String(things.parentOf(caller).id), text(value)]),
    },
  ]
}

function isHiddenElsewhere(subject: Subject, kind: Kind): boolean {
  // What no settings name is as good as none, be it a file of a message.
  return subject === 'quick response' || isGone(kind)
}

/** Numbers where bodies take ids, and what is none. */
const malformedInBody = [
  0,
  -1,
  2 ** 31,
  2 ** 63,
  1.5,
  '1',
  '1e3',
  '1 ',
  '１',
  '1;',
  [1],
  { id: 1 },
  'x'.repeat(10_240),
]

/** The places in bodies, forms and queries. @see security S-02 */
export function otherSlots(
  things: Things,
  outsiders: Readonly<Record<string, string>>,
  { isTalkHidden: isHiddenTalk }: Sight = sightOfAll,
): Slot[] {
  const numbers = (ids: Partial<Record<Kind, string>>) => ({
    ids: Object.fromEntries(Object.entries(ids).map(([kind, value]) => [kind, Number(value)])),
    malformed: malformedInBody,
  })
  /** Messages of other conversations: they cannot be quoted here, whoever sees them. */
  const strange = { ids: things.message, isHidden: always }
  const query = { malformed: malformed.map(String), ...strange }
  const gone = ({ deleted, never }: Record<Kind, string>) => ({
    ...numbers({ deleted, never }),
    isHidden: isGone,
  })
  const noCompany = { ...numbers({ deleted: '1999999999', never: neverCompany }), isHidden: isGone }
  /** What is sent besides the row's path, which is of the parent. */
  const slot = (
    rowId: string,
    name: string,
    rest: Pick<Slot, 'ids' | 'malformed' | 'isHidden'>,
    sent: (value: unknown, parent: Talk) => Omit<Target, 'path'> & { search?: string },
  ): Slot => {
    const row = rowOf(rowId)
    const [, room = ''] = /^\/api\/([^/]+)/.exec(row.path) ?? []
    const request = (value: unknown, caller: Caller) => {
      const parent = things.parentOf(caller)
      const id = { contacts: parent.contactId, companies: things.company.foreign }[room] ?? parent.id
      const { search = '', ...parts } = sent(value, parent)
      return { path: pathWith(row, [String(id), String(parent.messageId)], search), ...parts }
    }
    return { row, name, ...rest, request }
  }
  const asked = (rowId: string, name: string) =>
    slot(rowId, name, query, (value) => ({ search: `?${name}=${encodeURIComponent(String(value))}` }))
  // Blocked, inactive and deleted people can be given nothing, and are told from nobody by nothing.
  const receivers = Object.entries(outsiders).map(([what, id]) => ({
    what,
    ...numbers({ foreign: id, never: things.user.never }),
    isHidden: always,
  }))
  const forward = 'POST /api/conversations/{id}/messages/{messageId}/forward'
  return [
    ...receivers.flatMap(({ what, ...rest }) => [
      slot('POST /api/conversations/{id}/transfer', `newOperatorId, ${what}`, rest, (newOperatorId) => ({
        body: { newOperatorId },
      })),
      slot(
        'PATCH /api/conversations/{id}/assign-operator (other)',
        `operatorId, ${what}`,
        rest,
        (operatorId) => ({ body: { operatorId } }),
      ),
      slot('POST /api/conversations/hand-over (other)', `to, ${what}`, rest, (to) => ({ body: { to } })),
    ]),
    slot(
      'POST /api/conversations/{id}/messages',
      'quotedMessageId',
      { ...numbers(things.message), isHidden: always },
      (quotedMessageId) => ({ body: { content: 'x', quotedMessageId } }),
    ),
    slot(
      `${forward} (conversation)`,
      'to.conversationId',
      { ...numbers(things.conversation), isHidden: isHiddenTalk },
      (conversationId) => ({ body: { to: { conversationId } } }),
    ),
    slot(`${forward} (contact)`, 'to.contactId', gone(things.contact), (contactId) => ({
      body: { to: { contactId } },
    })),
    slot(`${forward} (contact)`, 'to.instanceId', gone(things.number), (instanceId) => ({
      body: { to: { contactId: Number(things.contact.foreign), instanceId } },
    })),
    slot(
      'POST /api/media/upload',
      'conversationId',
      { ids: things.conversation, malformed: malformed.map(String), isHidden: isHiddenTalk },
      (value) => ({ form: formOf({ conversationId: String(value) }, picture) }),
    ),
    slot('POST /api/media/upload', 'quotedMessageId', query, (value, parent) => ({
      form: formOf({ conversationId: String(parent.id), quotedMessageId: String(value) }, picture),
    })),
    slot('POST /api/user-permissions', 'userId', gone(things.user), (userId) => ({
      body: { userId, flags: { canViewCompanies: true } },
    })),
    slot('PUT /api/contacts/{id}', 'companyId', noCompany, (companyId) => ({ body: { companyId } })),
    slot('POST /api/contacts', 'companyId', noCompany, (companyId) => ({
      body: { name: 'Nova', phone: '31900000001', companyId },
    })),
    ...(['merge', 'keep-apart'] as const).flatMap((act) => [
      slot(`POST /api/contacts/{id}/${act}`, 'otherId', gone(things.contact), (otherId) => ({
        body: { otherId },
      })),
      slot(`POST /api/companies/{id}/${act}`, 'otherId', noCompany, (otherId) => ({ body: { otherId } })),
    ]),
    asked('GET /api/contacts/{id}/media', 'before'),
    asked('GET /api/contacts/{id}/ratings', 'before'),
    asked('GET /api/conversations/{open}/messages', 'before'),
    asked('GET /api/conversations/{open}/messages', 'after'),
    asked('GET /api/conversations/{open}/media', 'before'),
  ]
}

const neverCompany = '2000000000'

/** A row whose path has ids, with the calls of its first case. */
export interface PreparedRow {
  row: Row
  ids: Readonly<Record<string, Subject>>
  prepared: Prepared
}

/** The rows of the table whose paths have ids. */
export async function prepareRows(world: World): Promise<PreparedRow[]> {
  const calls = await allCalls()
  const found: PreparedRow[] = []
  for (const row of tableRows) {
    const recipe = recipes[row.id]
    if (paramsOf(row).length === 0 || !row.path.startsWith('/api/')) continue
    if (!recipe || isWatch(recipe)) throw new Error(`${row.id}: add its recipe to proof/rooms`)
    const [one] = casesOf(recipe)
    const targets = one ? await targetsOf(world, row, one, world.callers) : []
    const byCaller = new Map(world.callers.map((caller, n) => [caller, targets[n]]))
    const ids = calls.find(({ rows }) => row.id in rows)?.ids ?? {}
    found.push({ row, ids, prepared: (caller) => byCaller.get(caller) as Target })
  }
  return found
}

/** All places. Those of paths are found by themselves; the others are listed here. */
export async function makeSlots(
  world: World,
  things: Things,
  outsiders: Readonly<Record<string, string>>,
): Promise<Slot[]> {
  const prepared = await prepareRows(world)
  return [...otherSlots(things, outsiders), ...prepared.flatMap((one) => pathSlots(one, things))]
}
