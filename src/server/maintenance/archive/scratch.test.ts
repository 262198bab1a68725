import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { firstVersion } from '#server/platform/database/migrate.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { createScratch, dropScratch, openClient } from './scratch.ts'

const db = forAllTests(testDatabase)

test('what migrations have put into a table makes way for the rows of a backup', async () => {
  const client = await openClient(db.database)
  try {
    const scratch = await createScratch(client, randomUUID(), firstVersion)
    // As a migration would have done that gives every installation a first row.
    await client.query(`insert into companies (id, name) overriding system value values (7, 'De fábrica')`)
    const table = { name: 'companies', columns: ['id', 'name'], rows: 1, hash: '0', members: [] }
    const lines = (async function* () {
      yield ['["7","Padaria"]']
    })()
    await scratch.load(table, lines, async () => undefined)
    const { rows } = await client.query('select id, name from companies')
    expect(rows).toEqual([{ id: 7, name: 'Padaria' }])
    await dropScratch(client, scratch.name)
  } finally {
    await client.end()
  }
})
