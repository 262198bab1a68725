import { connectAgents } from '../load/agents.ts'
import { allAnswered, type HttpRequest, quantile, runLoad } from '../load/load.ts'
import { createWriter, webhookRequest } from '../load/requests.ts'
import { operators, sql, tokenOf } from '../environment/data.ts'
import type { Figure, Sample } from '../rounds.ts'
import { type CreateScenario, drained } from './scenario.ts'

const users = 10
/** Each of them asks once a second, for what is seldom asked every five: who has a page looks at it. */
const asksPerSecond = users
const seldomPerSecond = users / 5
/** A 95th percentile needs more calls than a slice has. */
const sliceFactor = 4
/** As the screens ask, unless somebody chooses more. */
const pageSize = 10
const perSecond = 20
/** How long the words and the facts of all conversations may take to be computed. */
const indexingMs = 30 * 60_000

const archived = `v.status = 'completed' and v.pre_attendance_stage is distinct from 'waiting_option'
  and v.pre_attendance_stage is distinct from 'cancelled'`

/** What a card of the list shows, of the conversations 'v'. */
const cards = `v.*, c.name, c.phone, c.category, k.name as company, u.name as operator, m.content, m.sort_at
  from conversations v join contacts c on c.id = v.contact_id left join companies k on k.id = c.company_id
  left join users u on u.id = v.assigned_user_id left join messages m on m.id = v.last_message_id`

const page = (offset: number) => [
  `select ${cards} where ${archived}
    order by v.completed_at desc, v.id desc limit ${pageSize} offset ${offset}`,
  `select count(*) from conversations v where ${archived}`,
]

/** The newest conversations in which a word is found, and the messages of those of the page. */
const search = (query: string, word: string) => [
  `with hits as materialized (
     select distinct conversation_id, completed_at from conversation_search
      where words @@ '${query}'::tsquery),
   newest as (select * from hits order by completed_at desc, conversation_id desc limit 1001),
   shown as (select * from newest order by completed_at desc, conversation_id desc limit ${pageSize})
   select ${cards} join shown s on s.conversation_id = v.id
     left join lateral (select id from messages x where x.conversation_id = v.id
                         and x.content ilike '%${word}%' order by sort_at limit 3) h on true`,
]

const month = `startDate=DAY1&endDate=DAY2`
const inMonth = `f.started_at >= current_date - 60 and f.started_at < current_date - 30`
const reported = `from conversation_facts f join conversations v on v.id = f.conversation_id
  join contacts c on c.id = v.contact_id where ${inMonth} and not v.is_history`
const times = ['first_reply', 'queue', 'handling'].flatMap((name) =>
  [`open_${name}_ms`, `${name}_ms`].flatMap((column) => [
    `avg(f.${column})`,
    `percentile_cont(array[0.5, 0.9]) within group (order by f.${column})`,
  ]),
)

interface Question {
  key: string
  title: string
  path: string
  /** The best statements for the same work, which are run at once. */
  statements: readonly string[]
  /** Milliseconds at the 95th percentile. */
  most: number
  isSeldom?: true
}

const questions: readonly Question[] = [
  {
    key: 'page',
    title: 'archive page',
    path: `/api/conversations/archived?limit=${pageSize}`,
    statements: page(0),
    most: 30,
  },
  {
    key: 'deep',
    title: 'archive page 500',
    path: `/api/conversations/archived?limit=${pageSize}&page=500`,
    statements: page(499 * pageSize),
    most: 30,
  },
  ...(
    [
      ['common', 'common word', 'pedido', `'ped'`, 'pedid'],
      ['rare', 'rare word', 'rastreio', `'rastrei'`, 'rastrei'],
      ['single', 'word of one conversation', 'xilofone', `'xilofon'`, 'xilofon'],
      ['none', 'word of none', 'zzqqzz', `'zzqqzz':*`, 'zzqqzz'],
      ['phrase', 'phrase', '%22nota%20fiscal%22', `'nota' <-> 'fiscal'`, 'nota fiscal'],
    ] as const
  ).map(([key, title, typed, query, word]): Question => ({
    key,
    title: `search, ${title}`,
    path: `/api/conversations/archived?limit=${pageSize}&search=${typed}`,
    statements: search(query.replaceAll("'", "''"), word),
    most: 150,
  })),
  {
    key: 'number',
    title: 'search, part of a number',
    path: `/api/conversations/archived?limit=${pageSize}&search=900421`,
    statements: [
      `select ${cards} where v.status = 'completed' and c.phone like '%900421%'
        order by v.completed_at desc limit ${pageSize}`,
    ],
    most: 150,
  },
  {
    key: 'misspelt',
    title: 'search, misspelt name',
    path: `/api/conversations/archived?limit=${pageSize}&search=marianna%20olivera`,
    statements: [
      `select id from contacts where 'marianna' <% name_folded and 'olivera' <% name_folded limit 1000`,
      ...search(`''mariana'' & ''oliveira''`, 'mariana'),
    ],
    most: 150,
  },
  {
    key: 'conversation',
    title: 'conversation with a page of messages',
    path: '/api/conversations/archived/502/messages?limit=20',
    statements: [
      `select * from messages where conversation_id = 502 order by sort_at, id limit 20`,
      `select count(*) from messages where conversation_id = 502`,
      `select ${cards} where v.id = 502`,
    ],
    most: 15,
  },
  {
    key: 'dashboard',
    title: 'dashboard',
    path: '/api/stats',
    statements: [
      `select (select count(*) from conversations where status = 'completed' and completed_at >= current_date
                 and not is_history),
              (select count(*) from conversations where status <> 'completed' and sub_status = 'FILA'),
              (select count(*) from conversations where status <> 'completed' and sub_status <> 'FILA'),
              (select avg(response_ms) from messages where response_ms is not null
                  and sort_at >= date_trunc('month', now())),
              (select avg(response_ms) from messages where response_ms is not null
                  and sort_at >= date_trunc('week', now()))`,
    ],
    most: 20,
    isSeldom: true,
  },
  {
    key: 'report',
    title: "a month's report",
    path: `/api/reports/stats?${month}`,
    statements: [
      `select count(*), count(*) filter (where v.status = 'completed'),
              count(*) filter (where v.status <> 'completed' and v.waiting_for = 'client'),
              avg(v.satisfaction), sum(v.message_count), ${times.join(', ')} ${reported}`,
      `select (f.started_at at time zone 'America/Sao_Paulo')::date, count(*), avg(f.open_first_reply_ms)
         ${reported} group by 1`,
      `select extract(dow from f.started_at at time zone 'America/Sao_Paulo'),
              extract(hour from f.started_at at time zone 'America/Sao_Paulo'), count(*),
              avg(f.open_first_reply_ms) ${reported} group by 1, 2`,
    ],
    most: 400,
    isSeldom: true,
  },
]

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

/** Conversations that are written and completed at once, each with twenty messages. */
const burstConversations = 2500

/** Many rows at once, after which no statistics are renewed: a plan that depends on them must not change. */
const burst = [
  `insert into conversations (instance_id, contact_id, protocol, assigned_user_id, status, sub_status,
                              waiting_for, started_at, completed_at, last_activity_at, message_count)
   select 1, n, '20210101' || lpad(n::text, 6, '0'), 1 + n % ${operators}, 'completed', 'OPERADOR', 'client',
          at - interval '1 hour', at, at, 20
     from generate_series(1, ${burstConversations}) n, lateral (select now() - n * interval '1 s' as at) t`,
  `insert into messages (conversation_id, instance_id, sender_id, sender_type, content, whatsapp_message_id,
                         delivery_status, sort_at, sent_at, created_at)
   select v.id, 1, case when k % 2 = 0 then v.assigned_user_id end,
          case when k % 2 = 0 then 'user' else 'contact' end,
          ${sql.content.replaceAll(' n ', ' v.id ')}, 'BURST' || v.id || '-' || k,
          case when k % 2 = 0 then 'read' end, at, at, at
     from conversations v, generate_series(1, 20) k,
          lateral (select v.started_at + k * interval '1 minute' as at) t
    where v.protocol like '20210101%'`,
  `update conversations v set last_message_id = (select max(id) from messages where conversation_id = v.id)
    where v.protocol like '20210101%'`,
]

/** The databases that have the words of the searches already. */
const filled = new WeakMap<object, Promise<void>>()

/**
 * The archive, its search, the dashboard and a month's report for ten people, while messages come:
 * the product's calls beside the best indexed statements on the same rows.
 */
function createArchive(
  isAfterBurst: boolean,
  ...[environment, { sliceMs }]: Parameters<CreateScenario>
): ReturnType<CreateScenario> {
  const { db, http, child } = environment.product
  const headers = { authorization: `Bearer ${tokenOf(operators + 1)}` }
  let isPrepared: Promise<void> | undefined

  const prepare = () => (isPrepared ??= fill())
  const fill = async () => {
    const words = filled.get(environment) ?? fillWords()
    filled.set(environment, words)
    await words
    if (isAfterBurst) for (const statement of burst) await db.query(statement)
  }
  const fillWords = async () => {
    // A hundred of a hundred thousand say a rare word, one says another, and every fiftieth a phrase.
    await db.query(
      `update messages m set content = content || case
          when conversation_id = 7777 then ' xilofone'
          when conversation_id % 1000 = 7 then ' código de rastreio'
          else ' segue a nota fiscal eletrônica' end
        where (conversation_id % 1000 = 7 or conversation_id % 50 = 13 or conversation_id = 7777)
          and m.whatsapp_message_id like '%-3'`,
    )
    await db.query(`update messages set response_ms = 1000 * (20 + id % 600) where sender_id is not null`)
    await db.query(
      `update conversations set satisfaction = 1 + id % 5 where status = 'completed' and id % 3 = 0`,
    )
    await db.query(`truncate search_due, facts_due`)
    await db.query(
      `insert into search_due (conversation_id) select id from conversations where status = 'completed'`,
    )
    await db.query(`insert into facts_due (conversation_id) select id from conversations`)
    const until = performance.now() + indexingMs
    for (;;) {
      const { rows } = await db.query<{ n: number }>(
        `select (select count(*) from search_due) + (select count(*) from facts_due) as n`,
      )
      if (Number(rows[0]?.n) === 0) break
      if (performance.now() > until) throw new Error('the words are still being indexed')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    await db.query('vacuum analyze')
  }

  const ms = sliceMs * sliceFactor

  const paceOf = (isSeldom: true | undefined) => (isSeldom ? seldomPerSecond : asksPerSecond)

  /** Runs something at the pace of the users until the slice ends. @returns milliseconds of each */
  const paced = async (pace: number, work: () => Promise<unknown>): Promise<number[]> => {
    const latencies: number[] = []
    const started = performance.now()
    let turn = 0
    const one = async () => {
      for (;;) {
        const due = started + (turn++ * 1000) / pace
        if (due > started + ms) return
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
        const at = performance.now()
        await work()
        latencies.push(performance.now() - at)
      }
    }
    await Promise.all(Array.from({ length: users }, one))
    return latencies
  }

  const floor = async (): Promise<Sample> => {
    await prepare()
    const sample: Sample = {}
    for (const { key, statements, isSeldom } of questions) {
      const all = () => Promise.all(statements.map((statement) => db.query(statement)))
      sample[key] = quantile(await paced(paceOf(isSeldom), all), 0.95)
    }
    return sample
  }

  const ours = async (round: number): Promise<Sample> => {
    await prepare()
    const sample: Sample = {}
    const write = createWriter(environment, `U${round}A`)
    const agents = await connectAgents(child.url, 1, { types: ['message_received'], isOurs: true })
    const delays: number[] = []
    for (const { key, path, isSeldom } of questions) {
      const asked = path.replace('DAY1', day(60)).replace('DAY2', day(31))
      const next = (): HttpRequest => ({ method: 'GET', path: asked, headers })
      const sent: { id: string; at: number }[] = []
      const incoming = () => {
        const written = write()
        sent.push({ id: written.id, at: performance.now() })
        return webhookRequest(written)
      }
      const [reads, writes] = await Promise.all([
        runLoad(http, next, { connections: users, ms, perSecond: paceOf(isSeldom) }),
        runLoad(http, incoming, { connections: 4, ms, perSecond }),
      ])
      allAnswered(reads, 200)
      allAnswered(writes, 200)
      for (const { id, at } of sent) {
        await agents.receivedByAll(id)
        delays.push(...agents.delays(id, at))
      }
      sample[key] = quantile(reads.latencies, 0.95)
    }
    sample['delivery'] = quantile(delays, 0.99)
    await agents.close()
    await drained(environment.product)
    return sample
  }

  return {
    name: isAfterBurst ? 'archive-burst' : 'archive',
    title:
      `S10 archive, search, dashboard, report, for ${users} people` +
      `${isAfterBurst ? `, after ${burstConversations * 20} messages at once` : ''} ` +
      '(floor: the best statements alone)',
    figures: [
      ...questions.map(({ key, title, most }): Figure => ({
        key,
        title: `${title}, p95`,
        unit: 'ms',
        better: 'lower',
        aims: [{ ratio: 3 }, { value: most }],
      })),
      {
        key: 'delivery',
        title: 'a message to an operator meanwhile, p99',
        unit: 'ms',
        better: 'lower',
        aims: [{ value: 100 }],
      },
    ],
    sides: { floor, ours },
  }
}

export const archive: CreateScenario = (...args) => createArchive(false, ...args)
/** Changes the data, and is therefore the last one of the group. */
export const archiveBurst: CreateScenario = (...args) => createArchive(true, ...args)
