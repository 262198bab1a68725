import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { restartInactivity } from '#server/gateway/gateway.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { schema } from '#server/schema/schema.ts'
import { type BackedTable, backedList } from '#server/maintenance/archive/tables.ts'
import { mapOf } from '#server/schema/declare/restored.ts'
import { bringLinksBack } from './links.ts'
import { here, livingSector, mappedTables, type Merge, restoredDefault, staged } from './maps.ts'
import { giveNamedTheirValues, mappedNumbers } from './named.ts'
import { comesAlong, restoredContent, restoredPath, restoredSteps, restoredTags } from './of-talks.ts'
import { addPairs } from './pairs.ts'

/** How the key of a number is stored here; undefined: it cannot be read here, and must be typed again. */
export interface NumberKeys {
  instanceName: string
  apiKey: string
  webhookSecret: string | null
  instanceToken: string | null
  isReadable: boolean
  /** It is not here yet. */
  isNew: boolean
}

interface Reference {
  column: string
  table: string
  isRequired: boolean
}

const tablesByName: ReadonlyMap<string, (typeof schema)[keyof typeof schema]> = new Map(
  Object.values(schema).map((table) => [getTableName(table), table]),
)

/** What a table refers to, by the foreign keys of the schema. */
function referencesOf(name: string): Reference[] {
  const table = tablesByName.get(name)
  if (!table) throw new Error(`no table ${name}`)
  const required = new Set(
    Object.values(getTableColumns(table))
      .filter(({ notNull }) => notNull)
      .map((column) => column.name),
  )
  const found = getTableConfig(table).foreignKeys.map((key) => {
    const { columns, foreignTable } = key.reference()
    const column = columns[0]?.name ?? ''
    return { column, table: getTableName(foreignTable), isRequired: required.has(column) }
  })
  return [...found, ...(positions[name] ?? [])]
}

/** Ids of rows without a foreign key. */
const positions: Readonly<Record<string, Reference[]>> = {
  conversations: [
    { column: 'receipt_message_id', table: 'messages', isRequired: false },
    { column: 'receipt_due_id', table: 'messages', isRequired: false },
  ],
}

/** What takes the place of a column's value, of the row 's' with the map 'm'. */
const valuesInstead: Readonly<Record<string, Record<string, SQL>>> = {
  users: {
    // Nobody may sign in with it, until an administrator says so and gives a password.
    password_hash: sql`'-'`,
    is_active: sql`false`,
    must_change_password: sql`true`,
    number_ids: mappedNumbers,
    email: sql`case when exists (select from public.users u
                                  where lower(u.email) = lower(s.email) and u.deleted_at is null)
                    then s.username || '-' || m.id || '@restaurado.invalid' else s.email end`,
  },
  sectors: { number_ids: mappedNumbers },
  contacts: { sector_id: livingSector(sql`s.sector_id`) },
  // One that went on ends where the backup was made.
  work_periods: { ended_at: sql`coalesce(s.ended_at, s.seen_at)` },
  finish_reasons: { path: restoredPath },
  // The messages come after their conversation.
  conversations: {
    last_message_id: sql`null::int`,
    protocol: sql`coalesce(p.protocol, s.protocol)`,
    tag_ids: restoredTags,
  },
  saved_views: { content: restoredContent },
  macros: { steps: restoredSteps },
  messages: {
    // Nothing sends it any more.
    delivery_status: sql`case when s.delivery_status in ('pending', 'sending') then 'unknown'
                              else s.delivery_status end`,
  },
  // The ids in it are of rows as well.
  saved_reports: {
    filter: sql`jsonb_strip_nulls(s.filter || jsonb_build_object(
      'operatorId', (select u.id from map_users u where u.source = (s.filter ->> 'operatorId')::int),
      'companyId', (select k.id from map_companies k where k.source = (s.filter ->> 'companyId')::int),
      'sectorId', (select z.id from map_sectors z where z.source = (s.filter ->> 'sectorId')::int),
      'instanceId', (select n.id from map_evolution_api_config n
                      where n.source = (s.filter ->> 'instanceId')::int)))`,
  },
}

/** Adds the new rows of one table. @returns how many */
async function addRows(db: Db, merge: Merge, table: BackedTable): Promise<number> {
  const { name } = table
  const instead = valuesInstead[name] ?? {}
  const maps = mappedTables(merge)
  const references = referencesOf(name).filter(
    ({ table: other, column }) => maps.includes(other) && instead[column] === undefined,
  )
  const joins = references.map(({ column, table: other, isRequired }) => {
    const alias = sql.identifier(`of_${column}`)
    return sql`${isRequired ? sql`join` : sql`left join`} ${mapOf(other)} ${alias}
      on ${alias}.source = s.${sql.identifier(column)}`
  })
  const valueOf = (column: string): SQL => {
    if (column === 'id') return sql`m.id`
    const given = instead[column]
    if (given) return given
    if (references.some((one) => one.column === column)) return sql`${sql.identifier(`of_${column}`)}.id`
    return sql`s.${sql.identifier(column)}`
  }
  const columns = [...new Set([...table.columns, ...Object.keys(instead)])]
  const protocols = name === 'conversations' ? sql`left join new_protocols p on p.source = s.id` : sql``
  const added = await db.execute(
    sql`insert into ${here(name)} (${list(columns.map((column) => sql`${sql.identifier(column)}`))})
        overriding system value
        select ${list(columns.map(valueOf))}
          from ${staged(merge, name)} s join ${mapOf(name)} m on m.source = s.id and m.is_new
               ${sql.join(joins, sql` `)} ${protocols}
         order by m.id`,
  )
  await raiseSequence(db, name)
  return added.rowCount ?? 0
}

const list = (parts: SQL[]) => sql.join(parts, sql`, `)

/** The next new row gets an id after those that were added. Not undone by a rollback, so it never falls. */
async function raiseSequence(db: Db, table: string): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${`public.${table}`}, 'id')`
  await db.execute(
    sql`select setval(${sequence}::regclass, n.id)
          from (select max(id)::bigint as id from ${mapOf(table)} where is_new) n
         where n.id is not null and n.id > coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`,
  )
}

/**
 * With the maps built, brings the chosen parts of the backup in: adds what is not here, brings back contacts
 * deleted since, and gives settings, categories and numbers its values. Whatever else is here stays.
 * @returns how many rows were added
 */
export async function mergeRows(db: Db, merge: Merge, keys: readonly NumberKeys[]): Promise<number> {
  const { choice } = merge
  const maps = new Set(mappedTables(merge))
  await numberAnew(db, merge)
  let added = 0
  for (const table of backedList) {
    if (table.name === 'evolution_api_config') added += await addNumbers(db, merge, keys)
    else if (table.part === 'settings' && !choice.restoreSettings && !comesAlong.has(table.name)) continue
    else if (maps.has(table.name)) added += await addRows(db, merge, table)
  }
  if (choice.restoreSettings) added += await restoreSettings(db, merge, keys)
  if (choice.restoreComplete) added += await complete(db, merge)
  await bringLinksBack(db)
  return added
}

/** A protocol that another conversation of that day has here is numbered after the last of the day. */
async function numberAnew(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql.raw('create temp table new_protocols (source int primary key, protocol text) on commit drop'),
  )
  if (!merge.choice.restoreComplete) return
  await db.execute(
    sql`insert into new_protocols
        select n.source, n.day || lpad((n.last + n.place)::text, 6, '0')
          from (select s.id as source, left(s.protocol, 8) as day,
                       row_number() over (partition by left(s.protocol, 8) order by s.id) as place,
                       greatest(
                         (select max(right(c.protocol, 6)::int) from public.conversations c
                           where left(c.protocol, 8) = left(s.protocol, 8)),
                         (select max(right(o.protocol, 6)::int) from ${staged(merge, 'conversations')} o
                           where left(o.protocol, 8) = left(s.protocol, 8))) as last
                  from ${staged(merge, 'conversations')} s
                  join map_conversations m on m.source = s.id and m.is_new
                 where exists (select from public.conversations t where t.protocol = s.protocol)) n`,
  )
}

async function addNumbers(db: Db, merge: Merge, keys: readonly NumberKeys[]): Promise<number> {
  let added = 0
  for (const key of keys) {
    // Without its settings a number is there for its conversations only.
    const isUsable = merge.choice.restoreSettings && key.isReadable
    const { rowCount } = await db.execute(
      sql`insert into public.evolution_api_config
            (id, instance_name, api_key_encrypted, api_key_hint, base_url, webhook_url, is_active, owner_jid,
             profile_name, webhook_secret_encrypted, instance_token_encrypted, pace_per_second, own_settings,
             default_sector_id, deleted_at, created_at, updated_at)
          overriding system value
          select m.id, s.instance_name, ${key.apiKey}, s.api_key_hint, s.base_url, s.webhook_url,
                 s.is_active and ${isUsable}, s.owner_jid, s.profile_name, ${key.webhookSecret},
                 ${key.instanceToken}, s.pace_per_second,
                 case when ${merge.choice.restoreSettings} then s.own_settings else '{}' end,
                 ${livingSector(sql`s.default_sector_id`)}, s.deleted_at, s.created_at, s.updated_at
            from ${staged(merge, 'evolution_api_config')} s
            join map_evolution_api_config m on m.source = s.id and m.is_new
           where s.instance_name = ${key.instanceName}`,
    )
    added += rowCount ?? 0
  }
  await raiseSequence(db, 'evolution_api_config')
  return added
}

/** @returns whether the settings are new here: 1, or 0 */
async function restoreSettings(db: Db, merge: Merge, keys: readonly NumberKeys[]): Promise<number> {
  const [settings] = await rows<{ isNew: boolean }>(
    db,
    sql`insert into public.system_settings (id, values)
        select s.id, s.values from ${staged(merge, 'system_settings')} s
        on conflict (id) do update
          set values = excluded.values, version = system_settings.version + 1, updated_at = app_now()
        where system_settings.values <> excluded.values
        returning version = 1 as "isNew"`,
  )
  await giveNamedTheirValues(db, merge)
  await db.execute(
    sql`update public.evolution_api_config t set own_settings = s.own_settings,
           own_version = t.own_version + 1, updated_at = s.updated_at
          from ${staged(merge, 'evolution_api_config')} s
          join map_evolution_api_config m on m.source = s.id and not m.is_new
         where t.id = m.id and s.deleted_at is null and t.deleted_at is null
           and t.own_settings <> s.own_settings`,
  )
  // The secrets of the webhook stay: the gateway has those of now. A number that was deleted since is back;
  // one that was deleted then is not touched.
  for (const { instanceName, apiKey } of keys.filter(({ isReadable }) => isReadable))
    await db.execute(
      sql`update public.evolution_api_config t
             set api_key_encrypted = ${apiKey}, api_key_hint = s.api_key_hint, base_url = s.base_url,
                 webhook_url = s.webhook_url, is_active = s.is_active, pace_per_second = s.pace_per_second,
                 own_settings = s.own_settings, default_sector_id = ${restoredDefault(merge)},
                 own_version = t.own_version + (t.own_settings <> s.own_settings)::int,
                 deleted_at = null, updated_at = s.updated_at
            from ${staged(merge, 'evolution_api_config')} s
            join map_evolution_api_config m on m.source = s.id and not m.is_new
           where t.id = m.id and s.instance_name = ${instanceName} and s.deleted_at is null`,
    )
  await restartInactivity(db)
  return settings?.isNew ? 1 : 0
}

/** What is done once all rows are there. @returns how many pairs were added */
async function complete(db: Db, merge: Merge): Promise<number> {
  const added = await addPairs(db, merge)
  await db.execute(
    sql`update public.contacts t set deleted_at = null, updated_at = app_now()
          from returning_contacts r where t.id = r.id`,
  )
  await db.execute(
    sql`update public.conversations t set last_message_id = l.id
          from map_conversations m join ${staged(merge, 'conversations')} s on s.id = m.source
          join map_messages l on l.source = s.last_message_id
         where m.is_new and t.id = m.id`,
  )
  await db.execute(
    sql`update public.files t
           set message_id = mm.id, contact_id = cm.id, user_id = um.id,
               is_quick_response = s.is_quick_response, is_of_macro = s.is_of_macro, is_erased = false,
               created_at = s.created_at
          from returning_files r join ${staged(merge, 'files')} s on s.id = r.source
          left join map_messages mm on mm.source = s.message_id
          left join map_contacts cm on cm.source = s.contact_id
          left join map_users um on um.source = s.user_id
         where t.id = r.id`,
  )
  await db.execute(
    sql`insert into public.conversation_people (conversation_id, user_id)
        select v.id, u.id from ${staged(merge, 'conversation_people')} s
          join map_conversations v on v.source = s.conversation_id and v.is_new
          join map_users u on u.source = s.user_id
        on conflict do nothing`,
  )
  // What is here again is no longer to be ignored when the gateway reports it.
  await db.execute(
    sql`delete from public.forgotten_messages f using map_messages m, public.messages t
         where m.is_new and t.id = m.id and f.instance_id = t.instance_id
           and f.whatsapp_message_id = t.whatsapp_message_id`,
  )
  return added
}
