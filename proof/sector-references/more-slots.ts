import { picture } from '../access/world/messages.ts'
import { rowOf } from '../access/law/table.ts'
import type { Target } from '../access/recipe.ts'
import { formOf } from '../access/targets.ts'
import type { Caller } from '../access/world/people.ts'
import type { Talk } from '../access/world/talks.ts'
import type { Sight, Slot } from '../references/slots.ts'
import type { Things } from '../references/subjects.ts'
import type { Kind } from '../references/thing.ts'
import { outsiders } from './outsiders.ts'

interface Given {
  things: Things
  sight: Sight
  /** A completed conversation of each caller's own. */
  completed: ReadonlyMap<Caller, Talk>
  /** One of the same client in another sector, completed by a colleague. */
  past: ReadonlyMap<Caller, Talk>
  sites: { numberId: number; sectors: { A: number; B: number } }
  /** Of what is the same at every place. */
  isFirst: boolean
}

const always = () => true
const never = 2_000_000_000
const days = 'startDate=2019-12-01&endDate=2030-01-31'

/** The ids in bodies, queries and cursors that `references` does not have, since they depend on the reach. */
export function moreSlots({ things, sight, completed, past, sites, isFirst }: Given): Slot[] {
  const slot = (
    rowId: string,
    name: string,
    ids: Slot['ids'],
    isHidden: Slot['isHidden'],
    request: (value: unknown, caller: Caller) => Target,
  ): Slot => ({ row: rowOf(rowId), name, ids, malformed: [], isHidden, request })
  const openOf = (caller: Caller) => `/api/conversations/${things.parentOf(caller).id}`
  const numbers = (ids: Readonly<Record<Kind, string>>) =>
    Object.fromEntries(Object.entries(ids).map(([kind, value]) => [kind, Number(value)]))
  const query = (value: unknown) => encodeURIComponent(String(value))
  const ofMessages = [
    slot(
      'PUT /api/conversations/{id}/draft',
      'quotedMessageId',
      numbers(things.message),
      always,
      (id, caller) => ({ path: `${openOf(caller)}/draft`, body: { content: 'x', quotedMessageId: id } }),
    ),
    slot(
      'GET /api/conversations/archived/{own}/messages',
      'messageId',
      things.message,
      always,
      (id, caller) => ({
        path: `/api/conversations/archived/${completed.get(caller)?.id}/messages?messageId=${query(id)}`,
      }),
    ),
    slot('GET /api/contacts/{id}/conversations', 'before', things.conversation, always, (id, caller) => ({
      path: `/api/contacts/${things.parentOf(caller).contactId}/conversations?before=${query(id)}`,
    })),
    slot(
      'POST /api/media/upload (note)',
      'conversationId',
      things.conversation,
      sight.isTalkHidden,
      (id) => ({
        path: '/api/media/upload',
        form: formOf({ conversationId: String(id), isNote: 'true', caption: 'x' }, picture),
      }),
    ),
  ]
  if (!isFirst) return ofMessages
  const sector = { foreign: String(sites.sectors.B), never: String(never) }
  const number = { foreign: String(sites.numberId), never: String(never) }
  const isOfOneNumber = new Set(outsiders.filter((one) => one.isOfOneNumber))
  const lacksNumber: Slot['isHidden'] = (kind, { principal }) =>
    kind !== 'foreign' || isOfOneNumber.has(principal as (typeof outsiders)[number])
  /** What a list or a report is narrowed to: by what is out of reach as little is found as by nothing. */
  const lists = [
    ['GET /api/conversations', '/api/conversations?page=1&limit=100&tab=all&'],
    ['GET /api/conversations/archived (own)', '/api/conversations/archived?limit=100&'],
    ['GET /api/reports/stats', `/api/reports/stats?${days}&`],
    ['GET /api/reports/conversations', `/api/reports/conversations?${days}&`],
    ['GET /api/reports/operator-performance', `/api/reports/operator-performance?${days}&`],
    ['GET /api/reports/groups', `/api/reports/groups?${days}&by=tag&`],
    ['GET /api/reports/export', `/api/reports/export?${days}&part=tag&format=csv&`],
    ['GET /api/reports/export (rows)', `/api/reports/export?${days}&part=rows&format=csv&`],
  ] as const
  const filters = lists.flatMap(([rowId, path]) => [
    slot(rowId, 'sectorId', sector, always, (id) => ({ path: `${path}sectorId=${query(id)}` })),
    slot(rowId, 'instanceId', number, lacksNumber, (id) => ({ path: `${path}instanceId=${query(id)}` })),
  ])
  return [
    ...ofMessages,
    ...filters,
    slot(
      'POST /api/conversations/take-next',
      'sectorId',
      { foreign: sites.sectors.B, never },
      always,
      (id) => ({ path: '/api/conversations/take-next', body: { sectorId: id } }),
    ),
    slot(
      'POST /api/contacts/{id}/send-message',
      'instanceId',
      { foreign: sites.numberId, never },
      lacksNumber,
      (id, caller) => ({
        path: `/api/contacts/${things.parentOf(caller).contactId}/send-message`,
        body: { content: 'x', instanceId: id },
      }),
    ),
    slot('GET /api/audit-logs', 'resourceId', things.conversation, always, (id) => ({
      path: `/api/audit-logs?resourceType=conversation&resourceId=${query(id)}`,
    })),
    // Of a client of one's own, who has been attended in another sector.
    ...pages.map(({ rowId, path, of }) =>
      slot(
        rowId,
        'before, in another sector',
        { foreign: 'past', never: String(never) },
        always,
        (id, caller) => {
          const before = id === 'past' ? past.get(caller)?.[of] : never
          return { path: `${path(things.parentOf(caller).contactId)}?before=${before}` }
        },
      ),
    ),
  ]
}

const pages = [
  {
    rowId: 'GET /api/contacts/{id}/conversations',
    path: (id: number) => `/api/contacts/${id}/conversations`,
    of: 'id',
  },
  {
    rowId: 'GET /api/contacts/{id}/media',
    path: (id: number) => `/api/contacts/${id}/media`,
    of: 'messageId',
  },
] as const
