import { expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { auditFigures, record, sealRows } from './audit.ts'
import { checkAudit } from './check.ts'
import { readChain } from './list.ts'

const t = forAllTests(testDatabase)

const log = createLog('silent')

test('the hourly check keeps what it has found, for the screen and the metrics', async () => {
  expect(await readChain(t.database)).toEqual({ position: 0, waiting: 0, check: null })
  for (const mergedId of [1, 2, 3])
    await record(t.database, 'system', { action: 'contact.merge', resourceId: 9, details: { mergedId } })
  expect(await readChain(t.database)).toMatchObject({ position: 0, waiting: 3 })
  await sealRows(t.database)
  await checkAudit(t.database, log)
  expect(await readChain(t.database)).toEqual({
    position: 3,
    waiting: 0,
    check: {
      checkedAt: expect.stringMatching(/Z$/),
      position: 3,
      breaks: 0,
      firstPosition: null,
      firstFault: null,
    },
  })
  await t.sql`alter table audit_logs disable trigger user`
  await t.sql`update audit_logs set details = '{}' where position in (2, 3)`
  await checkAudit(t.database, log)
  expect((await readChain(t.database)).check).toMatchObject({
    breaks: 2,
    firstPosition: 2,
    firstFault: 'changed',
  })
  expect((await auditFigures(t.database)).balcao_audit_breaks?.value).toBe(2)
  expect(await t.sql`select 1 from audit_checks`).toHaveLength(1)
})
