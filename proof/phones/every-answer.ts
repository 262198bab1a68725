import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { computeFacts } from '#server/reports/reports.ts'
import { recipes } from '../access/recipes.ts'
import { casesOf, isWatch, type Target, targetsOf } from '../access/recipe.ts'
import { type Row, tableRows } from '../access/law/table.ts'
import type { Person } from '../access/law/principals.ts'
import { fileOfContacts } from '../access/world/imports.ts'
import { type Caller, openSessions } from '../access/world/people.ts'
import { startWorld, type World } from '../access/world/world.ts'
import { type Ear, listenAll, untilHeard } from '../access/world/sockets.ts'
import { readParts, tellsIn, textOf } from './numbers.ts'

// Everything that the product answers and pushes to people from whom telephone numbers are hidden. The calls
// are those of the permission table, by their recipes: a new one is among them without being named here.

/** Something that reached one of them. */
export interface Reached {
  /** The row of the permission table, or the type of a frame. */
  what: string
  who: string
  /** Of an answer. */
  status?: number
  text: string
}

const allOn = (role: Person['role']): Person => ({
  name: role,
  role,
  record: Object.fromEntries(
    [...new Set(tableRows.flatMap(({ flags }) => flags.flat()))].map((flag) => [flag, true]),
  ),
})

/** Numbers that look like none of protocols, ids and times; without a 1 where these have one. */
const numberOf = (n: number) => 73_524_683 + n * 6_007

/**
 * A world of a supervisor and an operator who may do everything, and from whom numbers are hidden, and an
 * administrator. Of its clients every third is known by number only; in each conversation there are also an
 * automatic text that names the client, and a card with the client's own number.
 */
export async function startHiddenWorld(defer: (close: () => unknown) => void): Promise<World> {
  const world = await startWorld([allOn('supervisor'), allOn('operator'), allOn('admin')], defer)
  const { database } = world
  await database.execute(
    sql`update users set hides_phones = true
         where id = any(${sql.param(world.callers.slice(0, 2).map(({ userId }) => userId))}::int[])`,
  )
  await database.execute(sql`
    create function name_by_number() returns trigger language plpgsql as $$ begin
      if new.id % 3 = 0 and new.phone is not null then
        new.name := '(' || substr(new.phone, 3, 2) || ') ' || substr(new.phone, 5, 5)
          || '-' || right(new.phone, 4);
        new.name_folded := new.name;
      end if;
      return new; end $$`)
  await database.execute(sql`
    create trigger name_by_number before insert on contacts for each row execute function name_by_number()`)
  await database.execute(sql`
    create function say_number() returns trigger language plpgsql as $$
      declare number text; begin
      select k.phone into number from conversations v join contacts k on k.id = v.contact_id
       where v.id = new.conversation_id;
      insert into messages (conversation_id, instance_id, sender_type, message_type, content, metadata,
          whatsapp_message_id, sort_at, sent_at)
        values (new.conversation_id, new.instance_id, 'user', 'text', 'Olá, +' || number || '!',
            '{"origin": "automatic"}', number || '@s.whatsapp.net_A' || new.id, new.sort_at, new.sent_at),
          (new.conversation_id, new.instance_id, 'contact', 'contact', '+' || number,
            jsonb_build_object('contacts', jsonb_build_array(jsonb_build_object('name', '+' || number,
              'phones', jsonb_build_array(jsonb_build_object('number', '+' || number, 'waId', number))))),
            'CARTAO' || new.id, new.sort_at, new.sent_at);
      return new; end $$`)
  await database.execute(sql`
    create trigger say_number after insert on messages for each row
      when (new.whatsapp_message_id like 'PROVA%') execute function say_number()`)
  await database.execute(sql`
    create function give_number() returns trigger language plpgsql as $$ begin
      new.phone := '(11) 9' || (select substr(right(phone, 8), 1, 4) || '-' || right(phone, 4)
                                  from contacts where phone is not null order by id desc limit 1);
      new.responsible_name := coalesce(new.responsible_name, new.phone);
      if new.id % 2 = 0 and new.phone is not null then
        new.name := 'Loja ' || new.id || ', ' || new.phone;
      end if;
      return new; end $$`)
  await database.execute(sql`
    create trigger give_number before insert on companies for each row execute function give_number()`)
  let given = 0
  return { ...world, next: () => numberOf(++given) }
}

/**
 * Makes each call of the table by its recipe, and those that read once more when all that the others leave is
 * there; then what depends on a query. @returns all answers, whatever their status
 */
export async function everyAnswer(world: World): Promise<Reached[]> {
  const first = await answersOf(world, tableRows)
  await leaveImport(world)
  await world.database.execute(
    sql`update contacts set company_id = (select max(id) from companies) where company_id is null`,
  )
  await computeFacts(world.database)
  const reading = tableRows.filter(({ method }) => method === 'GET')
  return [...first, ...(await answersOf(world, reading)), ...(await wideAnswers(world))]
}

/** Leaves an import with a file of clients, of which one row has an error. */
async function leaveImport({ database, callers }: World): Promise<void> {
  const [made] = await rows<{ id: number }>(database, fileOfContacts(callers[0]?.userId ?? 0, 'done'))
  const number = sql`(select max(phone) from contacts)`
  await database.execute(sql`
    update contact_imports set samples = array['Rita', ${number}],
           first_rows = jsonb_build_array(jsonb_build_array('Rita', ${number})),
           first_lines = jsonb_build_array(jsonb_build_object('line', 2, 'text', 'Rita; ' || ${number})),
           errors = 1
     where id = ${made?.id ?? 0}`)
  await database.execute(sql`
    insert into contact_import_rows (import_id, line, outcome, cells, field, value, error)
    values (${made?.id ?? 0}, 2, 'error', jsonb_build_array('', ${number}), 'name', ${number},
            'Falta o nome')`)
}

/** Lists and files of everything that there is, and searches by the digits that are seen. */
async function wideAnswers(world: World): Promise<Reached[]> {
  const [client] = await rows<{ phone: string; importId: number; from: string; to: string }>(
    world.database,
    sql`select (select max(phone) from contacts where deleted_at is null) as phone,
               (select max(import_id) from contact_import_rows where outcome = 'error') as "importId",
               to_char(app_now() - interval '5 days', 'YYYY-MM-DD') as from,
               to_char(app_now(), 'YYYY-MM-DD') as to`,
  )
  if (!client) throw new Error('there is no client')
  const { phone, importId, from, to } = client
  const days = `startDate=${from}&endDate=${to}`
  const paths = [
    '/api/contacts?limit=100',
    `/api/contacts?search=${phone.slice(-4)}`,
    `/api/contacts?search=${phone}`,
    '/api/contacts/export?format=csv',
    '/api/contacts/export?format=xlsx',
    '/api/companies?page=1&limit=100',
    '/api/audit-logs?limit=100',
    '/api/audit-logs?limit=100&group=contact',
    '/api/audit-logs/export',
    '/api/contacts/imports',
    ...['', '/errors', '/errors/export'].map((rest) => `/api/contacts/imports/${importId}${rest}`),
    `/api/reports/conversations?${days}`,
    `/api/reports/groups?${days}&by=company`,
    ...['rows', 'company', 'tag'].flatMap((part) =>
      ['csv', 'xlsx'].map((format) => `/api/reports/export?${days}&part=${part}&format=${format}`),
    ),
    ...['active', 'archived'].flatMap((list) => {
      const path =
        list === 'active' ? '/api/conversations?page=1&limit=50' : '/api/conversations/archived?limit=50'
      return [path, `${path}&search=${phone.slice(-4)}`, `${path}&search=${phone}`]
    }),
    `/api/conversations/search?search=${phone}`,
    `/api/conversations/search?search=Ol%C3%A1`,
  ]
  const reached: Reached[] = []
  for (const caller of await withSessions(world)) {
    // Refused, with the name of the contact that has it.
    const taken = {
      path: '/api/contacts',
      body: { name: 'Outra', phone: await secondNumber(world), email: '' },
    }
    reached.push({
      what: 'POST /api/contacts (taken)',
      who: caller.principal.name,
      ...(await fetchWhole(world, 'POST', taken, caller.token)),
    })
    for (const path of paths)
      reached.push({
        what: `GET ${path}`.replaceAll(/\d{4,}/g, '…'),
        who: caller.principal.name,
        ...(await fetchWhole(world, 'GET', { path }, caller.token)),
      })
  }
  return reached
}

/** A further number of a contact that is known by its first one alone. */
async function secondNumber({ database, next }: World): Promise<string> {
  const phone = `55119${next()}`
  await database.execute(sql`insert into contact_identities (contact_id, kind, value, jid)
    select id, 'phone', ${phone}, ${phone} from contacts
     where name like '(%' and deleted_at is null order by id limit 1`)
  return phone
}

async function answersOf(world: World, some: readonly Row[]): Promise<Reached[]> {
  const reached: Reached[] = []
  for (const row of some) {
    const recipe = recipes[row.id]
    if (!recipe || isWatch(recipe)) continue
    for (const one of casesOf(recipe)) {
      // Some of the calls end sessions.
      const callers = await withSessions(world)
      const targets = await targetsOf(world, row, one, callers)
      for (const [n, caller] of callers.entries()) {
        const answer = await fetchWhole(world, row.method, targets[n] as Target, caller.token)
        reached.push({ what: row.id, who: caller.principal.name, ...answer })
      }
    }
  }
  return reached
}

/** Everybody in a session of this moment. */
async function withSessions({ database, callers }: World): Promise<Caller[]> {
  const ids = callers.map(({ userId }) => userId)
  const tokens = await openSessions(database, ids)
  return callers.map((caller, n) => ({ ...caller, token: tokens[n] }))
}

async function fetchWhole(world: World, method: string, target: Target, token: string | undefined) {
  const { path, body, form } = target
  const answer = await fetch(`${world.at.apps[0]?.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': form.type }),
    },
    ...(form ? { body: new Uint8Array(form.bytes) } : body !== undefined && { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const headers = [...answer.headers]
    .map(([name, value]) => `${name}: ${decodeURIComponent(value)}`)
    .join('\n')
  return { status: answer.status, text: `${headers}\n${textOf(bytes)}` }
}

/** What sockets were sent, those that were there and others that come back to the beginning. */
export async function everyFrame(world: World, ears: readonly Ear[]): Promise<Reached[]> {
  await untilHeard(world, ears)
  const back = await listenAll(world, await withSessions(world))
  for (const [n, ear] of back.entries()) {
    const [hello] = ears[n]?.frames ?? []
    const { userId } = ear.caller
    ear.send({ type: 'authenticate', data: { userId, lastCursor: hello?.cursor, epoch: hello?.epoch } })
  }
  await untilHeard(world, back)
  return [...ears, ...back].flatMap(({ caller, frames }) =>
    frames.map((frame) => ({ what: frame.type, who: caller.principal.name, text: JSON.stringify(frame) })),
  )
}

export { listenAll }

/** Of what reached somebody, what tells a number. */
export async function tellsAmong(world: World, reached: readonly Reached[]): Promise<Map<Reached, string[]>> {
  const parts = await readParts(world.database)
  return new Map(
    reached.flatMap((one) => {
      const told = tellsIn(one.text, parts)
      return told.length > 0 ? [[one, told] as const] : []
    }),
  )
}
