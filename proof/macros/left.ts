import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Stage } from '../schedules/stage.ts'
import { until } from '../support/waiting.ts'

/** The macros of the proof: one that goes on, one that ends. */
export interface Macros {
  open: number
  ending: number
  /** How many steps the second one has. */
  steps: number
}

/** What runs have left in a conversation, by numbers; of texts also on the phone. */
export interface Left {
  texts: number
  onPhone: number
  notes: number
  isTagged: boolean
  priority: string
  status: string
  lines: number
  runs: number
  acts: number
}

const [first, second] = ['zqpedido {{protocol}} confirmado', 'zqsegundo {{protocol}} enviado']

export async function makeMacros(stage: Stage): Promise<Macros> {
  const tag = await make(stage, '/api/tags', { name: 'venda', color: '#2563eb', sectorId: null })
  const steps = [
    { kind: 'text', text: first },
    { kind: 'tag', tagId: tag },
    { kind: 'note', text: 'separar hoje' },
    { kind: 'text', text: second },
    { kind: 'priority', priority: 'high' },
  ]
  const ending = [...steps, { kind: 'finalize', reasonId: null }]
  const macro = (name: string, of: object[]) =>
    make(stage, '/api/macros', { name, shortcut: name, isShared: true, sectorId: null, steps: of })
  return {
    open: await macro('aberta', steps),
    ending: await macro('final', ending),
    steps: ending.length,
  }
}

async function make(stage: Stage, path: string, body: object): Promise<number> {
  const made = await stage.call(stage.admin, 'POST', path, body)
  if (made.status !== 201) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`)
  return (made.body as { id: number }).id
}

/** What a macro leaves when it was run, or not. */
export function wholeOf({ ending }: Macros, macroId: number, times: 0 | 1): Left {
  const isDone = times === 1
  return {
    texts: 2 * times,
    onPhone: 2 * times,
    notes: times,
    isTagged: isDone,
    priority: isDone ? 'high' : 'normal',
    status: isDone && macroId === ending ? 'completed' : 'active',
    lines: times,
    runs: times,
    acts: times,
  }
}

/** What is left in each conversation. */
export async function leftIn({ database, simulator, clients }: Stage): Promise<Map<number, Left>> {
  const found = await rows<Omit<Left, 'onPhone'> & { id: number }>(
    database,
    sql`select v.id,
               (select count(*)::int from messages m
                 where m.conversation_id = v.id and m.content like 'zq%') as texts,
               (select count(*)::int from messages m
                 where m.conversation_id = v.id and m.message_type = 'note') as notes,
               v.tag_ids <> '{}' as "isTagged", v.priority, v.status,
               (select count(*)::int from messages m
                 where m.conversation_id = v.id and m.metadata #>> '{event,act}' = 'macro') as lines,
               (select count(*)::int from macro_runs r where r.conversation_id = v.id) as runs,
               (select count(*)::int from audit_logs l
                 where l.action = 'conversation.macro' and l.resource_type = 'conversation'
                   and l.resource_id = v.id::text) as acts
          from conversations v`,
  )
  const phones = new Map(
    clients.map(({ conversationId, phoneId }) => [
      conversationId,
      simulator.control
        .chat(phoneId, 1_000_000)
        .filter(({ from, text }) => from === 'company' && text?.startsWith('zq')).length,
    ]),
  )
  return new Map(
    found.map(({ id, texts, ...rest }) => [id, { texts, onPhone: phones.get(id) ?? 0, ...rest }]),
  )
}

/** Waits until nothing is to be sent any more. */
export async function settle({ database, simulator }: Stage): Promise<void> {
  await until(
    'everything is sent',
    () => rows(database, sql`select from outbox where state in ('pending', 'sending', 'unknown') limit 1`),
    (waiting) => waiting.length === 0,
    300_000,
  )
  await simulator.control.idle()
}
