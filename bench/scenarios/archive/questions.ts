/** As the screens ask, unless somebody chooses more. */
const pageSize = 10

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

/** The same in open and in completed conversations, and the newest messages with it. */
const searchAll = (query: string, word: string) => [
  `with hits as materialized (select distinct conversation_id, last_message_at from open_search
      where words @@ '${query}'::tsquery),
   shown as (select * from hits order by last_message_at desc, conversation_id desc limit 8)
   select ${cards} join shown s on s.conversation_id = v.id
     left join lateral (select id from messages x where x.conversation_id = v.id
                         and x.content ilike '%${word}%' order by sort_at desc limit 3) h on true`,
  ...search(query, word),
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

/** What the archive, its search, the dashboard and the report are asked. */
export const questions: readonly Question[] = [
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
  ...(
    [
      ['said', 'rare word', 'abajur', `'abajur':*`, 'abajur'],
      ['saidOften', 'common word', 'pedido', `'ped'`, 'pedid'],
      ['saidNever', 'word of none', 'zzqqzz', `'zzqqzz':*`, 'zzqqzz'],
    ] as const
  ).map(([key, title, typed, query, word]): Question => ({
    key,
    title: `search of open and completed ones, ${title}`,
    path: `/api/conversations/search?search=${typed}`,
    statements: searchAll(query.replaceAll("'", "''"), word),
    most: 60,
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
