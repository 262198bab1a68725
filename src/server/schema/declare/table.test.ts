import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { momentary } from './backup.ts'
import { singleRow } from './ends.ts'
import { gone, ofContact } from './person.ts'
import { always } from './restored.ts'
import { declaration, table, tablesOf } from './table.ts'

const columns = { id: integer('id'), contactId: integer('contact_id'), phone: text('phone_number') }
const personal = { of: ofContact('contact_id'), columns: { phone: gone } }

test('a table keeps its declaration, and its columns are those of drizzle', () => {
  const restored = { isAdded: always }
  const backup = { part: 'complete', without: 'phone', label: 'Uns', restored } as const
  const one = table('ones', columns, {
    backup,
    ends: singleRow,
    personal,
    other: `
      id
      contactId
    `,
  })
  expect(one[declaration]).toEqual({
    backup,
    ends: singleRow,
    personal,
  })
  expect(one.phone.name).toBe('phone_number')
  expect(Object.keys(tablesOf({ one, words: ['no table'] }))).toEqual(['one'])
})

// Each of these would compile if what is expected were not there.
test('what is missing does not compile', () => {
  const [backup, ends] = [momentary, singleRow]
  const other = 'id contactId phone'
  // @ts-expect-error no backup
  table('ones', columns, { ends, other })
  // @ts-expect-error no end of its rows
  table('ones', columns, { backup, other })
  // @ts-expect-error nothing of the columns
  table('ones', columns, { backup, ends })
  // @ts-expect-error `phone` is neither personal nor other
  table('ones', columns, { backup, ends, other: 'id contactId' })
  // @ts-expect-error `contactId` is neither
  table('ones', columns, { backup, ends, personal, other: 'id' })
  // @ts-expect-error `phone` is both
  table('ones', columns, { backup, ends, personal, other })
  // @ts-expect-error no column has that name
  table('ones', columns, { backup, ends, other: 'id contactId phone fax' })
  // @ts-expect-error only a literal text can be checked
  table('ones', columns, { backup, ends, other: String(other) })
  // @ts-expect-error nothing of that name is declared
  table('ones', columns, { backup, ends, other, without: 'phone' })
  const backed = { part: 'complete', label: 'Uns', restored: { isAdded: always } } as const
  // @ts-expect-error no column has that name
  table('ones', columns, { backup: { ...backed, without: 'fax' }, ends, other })
  const [unnamed, unruled] = [
    { part: 'complete', restored: { isAdded: always } },
    { part: 'complete', label: 'Uns' },
  ] as const
  // @ts-expect-error the screen of a restore has no name for it
  table('ones', columns, { backup: unnamed, ends, other })
  // @ts-expect-error a restore does not know how to bring it in
  table('ones', columns, { backup: unruled, ends, other })
  const fax = { ...personal, columns: { phone: gone, fax: gone } }
  // @ts-expect-error no column has that name
  table('ones', columns, { backup, ends, personal: fax, other: 'id contactId' })
  // @ts-expect-error it does not say whose the rows are
  table('ones', columns, { backup, ends, personal: { columns: { phone: gone } }, other: 'id contactId' })
  // @ts-expect-error it is declared by nobody
  tablesOf({ plain: pgTable('plain', columns) })
})
