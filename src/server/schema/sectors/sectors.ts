import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import type { SectorSettings } from '#shared/settings/own-settings.ts'
import { appNow, at, folded, rowId } from '#server/schema/columns.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { always, mapOf, mapped, matchedBy } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'

/** A part of the team, such as 'Financeiro', with a queue of its own. Without any there is one queue. */
export const sectors = table(
  'sectors',
  {
    id: rowId(),
    name: text('name').notNull(),
    nameFolded: text('name_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(sectors.name)),
    color: text('color').notNull(),
    /** Shown in the client's menu; '' for none. */
    description: text('description').notNull().default(''),
    /** Its place in the client's menu, and wherever sectors are listed. */
    place: integer('place').notNull().default(0),
    /** An inactive one gets no new conversations; those that it has go on. */
    isActive: boolean('is_active').notNull().default(true),
    /** The numbers that it serves; null: all, also those that are added later. */
    numberIds: integer('number_ids').array(),
    /** How many clients may wait for one of its people; null: as many as in the installation. */
    maxActivePerOperator: integer('max_active_per_operator'),
    /** The settings that are its own; the others are those of the number, else the installation's. */
    ownSettings: jsonb('own_settings').$type<Partial<SectorSettings>>().notNull().default({}),
    version: integer('version').notNull().default(1),
    /** Nobody is offered it any longer; what happened in it keeps its name. */
    deletedAt: at('deleted_at'),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'settings',
      label: 'Setores',
      restored: {
        ...matchedBy(sql`(t.name_folded = s.name_folded
          and ((t.deleted_at is null and s.deleted_at is null) or t.created_at = s.created_at))`),
        isAdded: always,
      },
    },
    resource: { type: 'sector', name: sql`select s.name from sectors s where s.id = ${resourceId}` },
    ends: { kept: 'one that was deleted keeps its name, for what happened in it' },
    other: `
      id name nameFolded color description place isActive numberIds maxActivePerOperator ownSettings version
      deletedAt createdAt updatedAt
    `,
  },
  (t) => [
    uniqueIndex('sectors_name_living')
      .on(t.nameFolded)
      .where(sql`${t.deletedAt} is null`),
    check('sectors_color', sql`${t.color} ~* '^#[0-9a-f]{6}$'`),
    check('sectors_capacity', sql`${t.maxActivePerOperator} between 1 and 1000`),
  ],
)

/** The people of the sectors. */
export const sectorPeople = table(
  'sector_people',
  {
    id: rowId(),
    sectorId: integer('sector_id')
      .notNull()
      .references(() => sectors.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** 'Responsável': sees all of the sector, and changes its people, texts and hours. */
    isLead: boolean('is_lead').notNull().default(false),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Pessoas dos setores',
      restored: {
        match: sql`t.sector_id = ${mapped('sectors', sql`s.sector_id`)}
          and t.user_id = ${mapped('users', sql`s.user_id`)}`,
        // Whoever was taken out since, and a sector that was deleted since, stay without each other: people
        // would know of what they no longer have.
        isAdded: sql`exists (select from ${mapOf('sectors')} m
                               join ${mapOf('users')} u on u.source = s.user_id
                               left join public.sectors z on z.id = m.id
                              where m.source = s.sector_id
                                and (m.is_new or (u.is_new and z.deleted_at is null)))`,
      },
    },
    ends: { bounded: 'by the accounts and the sectors' },
    other: 'id sectorId userId isLead createdAt',
  },
  (t) => [unique('sector_people_one').on(t.sectorId, t.userId), index('sector_people_user').on(t.userId)],
)

/** The sectors of a user, as a value of a query: an array of `{ id, isLead }`. */
export const sectorsOfUser = (userId: SQLWrapper): SQL<{ id: number; isLead: boolean }[]> => sql`(
  select coalesce(
           json_agg(json_build_object('id', p.sector_id, 'isLead', p.is_lead) order by p.sector_id), '[]')
    from sector_people p where p.user_id = ${userId})`
