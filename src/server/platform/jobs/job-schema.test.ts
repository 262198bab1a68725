import { getConstructionPlans, getMigrationPlans } from 'pg-boss'
import { expect, test } from 'vitest'
import { withoutTransaction } from './job-schema.ts'

test('no statement of pg-boss ends the transaction of an upgrade, or refuses to be in one', () => {
  // The oldest version from which this pg-boss migrates is 25.
  const migrations = Array.from({ length: 42 - 25 }, (_, n) => getMigrationPlans('pgboss', 25 + n))
  expect(migrations.some((plan) => /index concurrently/i.test(plan))).toBe(true)
  for (const plan of [getConstructionPlans('pgboss'), ...migrations]) {
    const statements = withoutTransaction(plan)
    expect(statements).not.toMatch(/^\s*(begin|commit);$/im)
    expect(statements.replaceAll(/\$\w*\$[^]*?\$\w*\$/g, '')).not.toMatch(/concurrently/i)
    expect(statements).toContain('42')
  }
  expect(() => withoutTransaction('select 1;')).toThrow('another form')
  expect(() => withoutTransaction('begin;\ncommit;\nbegin;\ncommit;\n')).toThrow('another form')
})
