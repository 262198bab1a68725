import pg from 'pg'
import { type DataSize, everyMessage, fill, sql } from '../environment/data.ts'

/** The fewest tables that can do the same work; each write is one function. */
const tables = `
create table contacts (
  id int generated always as identity primary key, phone text not null unique, name text not null);
create table conversations (
  id int generated always as identity primary key, contact_id int not null references contacts,
  operator text, status text not null,
  started_at timestamptz not null default now(), last_at timestamptz not null default now(),
  message_count int not null default 0, last_message_id int);
create table messages (
  id int generated always as identity primary key, conversation_id int not null references conversations,
  sender text not null,
  content text not null, external_id text unique, client_id text, at timestamptz not null default now());
create table outbox (
  id int generated always as identity primary key, message_id int not null references messages,
  state text not null);
`

const indexes = `
create unique index on conversations (contact_id) where status <> 'completed';
create index on conversations (last_at, id) where status <> 'completed';
create index on messages (conversation_id, at, id);
create unique index on messages (conversation_id, client_id);
`

const functions = `
create function floor_in(p_phone text, p_name text, p_external text, p_content text) returns int
language plpgsql as $$
declare c int; v int; m int;
begin
  select id into c from contacts where phone = p_phone;
  if c is null then
    insert into contacts (phone, name) values (p_phone, p_name)
      on conflict (phone) do update set name = excluded.name returning id into c;
  end if;
  select id into v from conversations where contact_id = c and status <> 'completed' for update;
  if v is null then
    insert into conversations (contact_id, status) values (c, 'waiting')
      on conflict (contact_id) where status <> 'completed'
      do update set status = conversations.status returning id into v;
  end if;
  insert into messages (conversation_id, sender, content, external_id)
    values (v, 'contact', p_content, p_external)
    on conflict (external_id) do nothing returning id into m;
  if m is not null then
    update conversations set last_at = now(), message_count = message_count + 1, last_message_id = m
     where id = v;
  end if;
  return m;
end $$;
create function floor_reply(p_conversation int, p_client text, p_content text) returns int
language plpgsql as $$
declare m int;
begin
  perform 1 from conversations where id = p_conversation for update;
  insert into messages (conversation_id, sender, content, client_id)
    values (p_conversation, 'user', p_content, p_client)
    on conflict (conversation_id, client_id) do nothing returning id into m;
  if m is not null then
    insert into outbox (message_id, state) values (m, 'pending');
    update conversations set last_at = now(), message_count = message_count + 1, last_message_id = m
     where id = p_conversation;
  end if;
  return m;
end $$;
create function floor_notify(p_message int) returns void language sql as $$
  select pg_notify('floor', row_to_json(m)::text) from messages m where m.id = p_message
$$;
`

const rowsOf = (size: DataSize) => [
  `insert into contacts (id, phone, name) overriding system value
     select n, ${sql.phone}, ${sql.name} from generate_series(1, ${size.conversations}) n`,
  `insert into conversations (id, contact_id, operator, status, started_at, last_at, message_count)
     overriding system value
     select n, n, case when n % 20 <> 1 then 'Operador ' || 1 + n / 20 % 200 end, ${sql.status},
            ${sql.startedAt}, ${sql.startedAt} + interval '1 hour', ${size.messagesEach}
       from generate_series(1, ${size.conversations}) n`,
  `insert into messages (conversation_id, sender, content, external_id, at)
     select n, case when k % 2 = 0 then 'user' else 'contact' end, ${sql.content}, 'SET' || n || '-' || k, at
       from ${everyMessage(size)}, lateral (select ${sql.startedAt} + k * interval '1 second' as at) times
      order by at`,
  indexes,
  `update conversations c set last_message_id = m.id
     from (select distinct on (conversation_id) conversation_id, id from messages
            order by conversation_id, at desc, id desc) m
    where m.conversation_id = c.id`,
  ...['contacts', 'conversations'].map(
    (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
  ),
  'vacuum analyze',
]

/** Fills the floor's database with the data of `fillProduct`. */
export async function fillFloor(url: string, size: DataSize): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await fill(client, [tables, functions, ...rowsOf(size)])
  } finally {
    await client.end()
  }
}
