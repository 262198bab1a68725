import { chmodSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { testNumber } from '#server/testing/test-app.ts'
import { beginInstallation, runAdmin } from './maintenance/test-command.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const dataDir = folderForTests()
// When run as root, the embedded server runs under another account, which must be able to enter this folder.
chmodSync(dataDir, 0o755)
let postgres: EmbeddedPostgres
let database: Database

const phones = (...args: string[]) => runAdmin(['phones', ...args], { DATA_DIR: dataDir })
const query = async <Row>(text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows as Row[]
const stored = async () =>
  Object.fromEntries(
    (await query<{ name: string; phone: string }>('select name, phone from contacts order by id')).map(
      ({ name, phone }) => [name, phone],
    ),
  )
const addressesOf = async (name: string) =>
  (
    await query<{ address: string }>(
      `select i.value || ' ' || i.jid as address from contact_identities i
         join contacts c on c.id = i.contact_id where c.name = $1 order by i.id`,
      [name],
    )
  ).map(({ address }) => address)

/** As earlier versions stored what a file contained, and what WhatsApp gave. */
const wrong = {
  Tronco: '041987651501',
  'Fixo com zero': '5504133331503',
  Operadora: '01541987651504',
  Internacional: '005541987651505',
  Decimal: '419876515060',
  'Decimal fixo': '5541333315070',
}
const mended = {
  Tronco: '5541987651501',
  'Fixo com zero': '554133331503',
  Operadora: '5541987651504',
  Internacional: '5541987651505',
  Decimal: '5541987651506',
  'Decimal fixo': '554133331507',
}
const right = { Certo: '5541987651513', Portugal: '351912345678', Rara: '99912345678' }
const left = { 'Sem DDD': '987651508', Repetida: '041987651513' }

async function give(name: string, phone: string, jid = phone): Promise<void> {
  const [contact] = await query<{ id: number }>(
    'insert into contacts (name, phone) values ($1, $2) returning id',
    [name, phone],
  )
  await query(`insert into contact_identities (contact_id, kind, value, jid) values ($1, 'phone', $2, $3)`, [
    contact?.id,
    phone,
    jid,
  ])
}

beforeAll(async () => {
  await beginInstallation({ DATA_DIR: dataDir })
  postgres = await startEmbeddedPostgres({ dataDir })
  database = openDatabase({ connection: postgres.connection, log: createLog('silent') })
  await testNumber(database)
})
afterAll(async () => {
  await database.close()
  await postgres.stop()
})
beforeEach(async () => {
  await query('delete from contacts')
  await query('delete from companies')
  for (const [name, phone] of Object.entries({ ...wrong, ...right, ...left }))
    await give(name, phone, name === 'Rara' ? '99912345678@s.whatsapp.net' : phone)
  await give('Lupita', '5215512345678', '5215512345678@s.whatsapp.net')
  await query(`insert into companies (name, phone) values
    ('Padaria', '(11) 4002-8922'), ('Oficina', '015 11 3333-4444'), ('Loja', 'abc')`)
})

test('the command shows what it would change, and changes nothing', async () => {
  const before = await stored()
  const { code, stdout, stderr } = await phones()
  expect([code, stderr]).toEqual([1, '11 telefones a ver. Nada foi mudado.\n'])
  for (const name of [...Object.keys(wrong), 'Lupita', 'Oficina'])
    expect(stdout).toMatch(new RegExp(`${name} .*pode ser corrigido`))
  expect(stdout).toMatch(/Sem DDD +987651508 +- +Falta o DDD/)
  expect(stdout).toMatch(
    /Repetida +041987651513 +\(41\) 98765-1513 +já é do contato \d+: junte os dois em Contatos/,
  )
  expect(stdout).toMatch(/Loja +abc +- +Telefone inválido/)
  for (const name of [...Object.keys(right), 'Padaria']) expect(stdout).not.toContain(name)
  expect(stdout).toContain('8 telefones podem ser corrigidos com --apply; 3 ficam para alguém ver.')
  expect(await stored()).toEqual(before)
})

test('what can be mended is mended, audited, and taken back', async () => {
  const before = await stored()
  const { code, stdout, stderr } = await phones('--apply')
  expect(stdout).toContain('8 telefones corrigidos; 3 ficam para alguém ver.')
  expect([code, stderr]).toEqual([1, '3 telefones ficaram para alguém ver.\n'])
  expect(await stored()).toEqual({ ...before, ...mended, Lupita: '525512345678' })
  // Where WhatsApp has given an address, messages go on going there.
  expect(await addressesOf('Lupita')).toEqual(['525512345678 5215512345678@s.whatsapp.net'])
  expect(await addressesOf('Tronco')).toEqual(['5541987651501 5541987651501'])
  expect(await query(`select phone from companies where name = 'Oficina'`)).toEqual([
    { phone: '551133334444' },
  ])
  const acts = () =>
    query<{ action: string; origin: string; count: number }>(
      `select action, origin, count(*)::int as count from audit_logs where action like '%mend_phone'
        group by 1, 2 order by 1`,
    )
  expect(await acts()).toEqual([
    { action: 'company.mend_phone', origin: 'command', count: 1 },
    { action: 'contact.mend_phone', origin: 'command', count: 7 },
  ])
  const undone = await phones('--undo')
  expect(undone).toMatchObject({ code: 0, stdout: '8 telefones voltaram ao que era antes.\n' })
  expect(await stored()).toEqual(before)
  expect(await addressesOf('Lupita')).toEqual(['5215512345678 5215512345678@s.whatsapp.net'])
  expect((await phones('--undo')).stdout).toContain('Nada a desfazer')
})

test('what somebody has changed since stays when it is taken back', async () => {
  await phones('--apply')
  await query(`update contacts set phone = '5541999990000' where name = 'Tronco'`)
  await query(
    `update contact_identities set value = '5541999990000', jid = value where value = '5541987651501'`,
  )
  expect((await phones('--undo')).stdout).toBe(
    '7 telefones voltaram ao que era antes; 1 mudou depois e ficou.\n',
  )
  expect((await stored())['Tronco']).toBe('5541999990000')
})

test('numbers without area code are mended where all connected numbers have one', async () => {
  await query(`update evolution_api_config set owner_jid = '5541988887777@s.whatsapp.net'`)
  expect((await phones()).stdout).toMatch(/Sem DDD +987651508 +\(41\) 98765-1508 +pode ser corrigido/)
  await query('update evolution_api_config set owner_jid = null')
})

test('the command takes one of its options', async () => {
  expect(await phones('--apply', '--undo')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Use --apply ou --undo, não os dois.') as string,
  })
})
