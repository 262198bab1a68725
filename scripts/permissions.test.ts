import { expect, test } from 'vitest'
import { permissionTable, storedTable } from './permissions.ts'

test('src/shared/permissions.json has what the calls declare: `npm run rooms` writes it', async () => {
  expect(storedTable()).toBe(await permissionTable())
})
