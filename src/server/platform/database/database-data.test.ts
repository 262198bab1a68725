import type { ConnectionOptions } from 'node:tls'
import { expect, test } from 'vitest'
import { fromDatabaseData, toDatabaseData } from './database-data.ts'
import { openDatabase } from './db.ts'
import { createLog } from '../log.ts'

const log = createLog('silent')

/** What a thread has of a database that was opened so. */
async function passedOn(ssl: ConnectionOptions | boolean | undefined) {
  const connection = { host: '127.0.0.1', port: 1, user: 'balcao', password: 'senha', options: '-c jit=off' }
  const database = openDatabase({
    connection: { ...connection, ...(ssl !== undefined && { ssl }) },
    log,
    clockOffset: '3 days',
  })
  const data = structuredClone(toDatabaseData(database))
  await database.close()
  return fromDatabaseData(data)
}

test('a thread connects as the program does', async () => {
  const { connection, clockOffset } = await passedOn(undefined)
  expect(clockOffset).toBe('3 days')
  expect(connection).toEqual({
    host: '127.0.0.1',
    port: 1,
    user: 'balcao',
    password: 'senha',
    options: '-c jit=off',
  })
  expect((await passedOn(false)).connection.ssl).toBe(false)
})

test('a thread connects with the same certificates, and the server’s name compared or not', async () => {
  // The driver changes the object that it is given.
  const files = () => ({ ca: 'A', cert: 'C', key: 'K', rejectUnauthorized: true })
  expect((await passedOn(files())).connection.ssl).toEqual(files())
  const loose = await passedOn({ ...files(), checkServerIdentity: () => undefined })
  expect(loose.connection.ssl).toEqual({ ...files(), checkServerIdentity: expect.any(Function) })
})
