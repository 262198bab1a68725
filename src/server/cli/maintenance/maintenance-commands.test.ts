import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import { eventually, requestTo, some } from '#server/testing/test-app.ts'
import {
  beginInstallation,
  isServerRunning,
  runAdmin,
  type ServerBeside,
  startProgram,
  startServerOn,
  testPassword,
} from './test-command.ts'

// The commands as somebody types them, on embedded databases of their own.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = folderForTests()
// When run as root, the embedded server runs under another account, which must be able to enter this folder.
chmodSync(folder, 0o755)
const dataDir = join(folder, 'data')
const log = createLog('silent')
let made = 0
const newFolder = () => join(folder, `f${++made}`)

const admin = (args: string[], env: Record<string, string> = {}) =>
  runAdmin(args, { DATA_DIR: dataDir, ...env })

const start = (args: string[], env: Record<string, string> = {}) =>
  startProgram(args, { DATA_DIR: dataDir, ...env })

const killedAt = async (point: string, args: string[], env: Record<string, string> = {}) => {
  const { signal } = await start(args, { ...env, FAILPOINTS: `${point}=kill` }).ended
  expect(signal).toBe('SIGKILL')
}

const refused = (line: string | RegExp) => ({ code: 1, stderr: expect.stringMatching(line) })
let server: ServerBeside
let database: Database

beforeAll(async () => {
  await beginInstallation({ DATA_DIR: dataDir })
  const first = await admin(['create', '--username', 'chefe', '--role', 'admin', '--password-stdin'])
  if (first.code !== 0) throw new Error(first.stderr)
})

describe('beside a running server', () => {
  let token = ''
  beforeAll(async () => {
    server = await startServerOn(dataDir, () => ({ notices: 'never', avatarTimes: 'never' }))
    database = server.database
    await database.execute(sql`update users set must_change_password = false`)
    const form = { username: 'chefe', password: testPassword }
    token = (await request<{ token: string }>('POST', '/api/auth/login', form)).body.token
  })
  afterAll(() => server.stop())

  const request = <Body>(method: string, path: string, body?: object) =>
    requestTo<Body>(server.app.url, method, path, body, { authorization: `Bearer ${token}` })

  async function makeBackup(name: string): Promise<Backup> {
    const { body } = await request<Backup>('POST', '/api/maintenance/backup', { name, type: 'complete' })
    const { id } = body
    const all = await eventually(
      async () => (await request<Backup[]>('GET', '/api/maintenance/backups')).body,
      some({ id, status: 'completed' }),
    )
    return all.find((one) => one.id === id) as Backup
  }

  test('backups are listed, also for scripts', async () => {
    expect(await admin(['backup', 'list'])).toEqual({ code: 0, stdout: 'Não há backups.\n', stderr: '' })
    const { id } = await makeBackup('Backup_de_hoje')
    const { stdout } = await admin(['backup', 'list'])
    const [head, first, ...others] = stdout.trimEnd().split('\n')
    expect(head).toBe(
      'ID  Nome            Situação   Feito em          Tamanho  Conversas  Mensagens  Arquivos',
    )
    const [cells, ...counts] = [first?.split(/  +/).slice(0, 5), ...(first?.split(/  +/).slice(5) ?? [])]
    expect(cells).toEqual([
      String(id),
      'Backup_de_hoje',
      'concluído',
      expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/),
      expect.stringMatching(/^0,\d MB$/),
    ])
    expect(counts).toEqual(['0', '0', '0'])
    expect(others).toEqual([])
    const json = await admin(['backup', 'list', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject([{ id, name: 'Backup_de_hoje', status: 'completed' }])
  })

  test('a downloaded backup is brought in, and what is no backup is refused in a line', async () => {
    const { id } = await makeBackup('Para_baixar')
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${server.app.url}/api/maintenance/download/${id}`, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const file = join(folder, 'Para_baixar.tar')
    writeFileSync(file, bytes)
    const imported = await admin(['backup', 'import', 'Para_baixar.tar'], { INIT_CWD: folder })
    expect(imported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Backup importado: Para_baixar \(ID \d+\), com 0 conversas, .* e 0 arquivos\. Tudo confere\.\n$/,
      ),
    })
    const [, own] = /ID (\d+)/.exec(imported.stdout) ?? []
    const { stdout } = await admin(['backup', 'list'])
    expect(stdout).toMatch(new RegExp(String.raw`^${own} .* importado$`, 'm'))
    writeFileSync(file, bytes.subarray(0, 5000))
    expect(await admin(['backup', 'import', file])).toMatchObject(refused(/\nO arquivo está cortado\.\n$/))
    expect(await admin(['backup', 'import', join(folder, 'nada.tar')])).toMatchObject(
      refused(/\nNão há o arquivo .*nada\.tar, nem um backup com esse nome\.\n$/),
    )
    expect(await admin(['backup', 'import', folder])).toMatchObject(
      refused(/\n.* é uma pasta, e não o arquivo de um backup\.\n$/),
    )
  })

  testAtNight(
    'a backup is compared with what is here: 0 when all is equal, 1 when something differs',
    async () => {
      const { id, name } = await makeBackup('Para_comparar')
      const equal = await admin(['backup', 'compare', String(id)])
      expect(equal.code).toBe(0)
      expect(equal.stdout).toMatch(/^users: igual \(1 linha\)$/m)
      expect(equal.stdout).toMatch(/^arquivos: igual \(0\)\nTudo confere com o backup Para_comparar\.\n$/m)
      await database.execute(sql`insert into companies (name) values ('nova'), ('outra')`)
      await database.execute(sql`update contact_categories set description = 'outra' where id = 1`)
      const different = await admin(['backup', 'compare', String(id)])
      expect(different.code).toBe(1)
      expect(different.stdout).toMatch(/^companies: difere \(0 linhas no backup, 2 aqui\)$/m)
      expect(different.stdout).toMatch(/^contact_categories: difere \(\d+ linhas, com outro conteúdo\)$/m)
      expect(different.stderr).toMatch(
        new RegExp(`\nO que há agora difere do backup ${name}: 2 tabelas, 0 arquivos\\.\n$`),
      )
      expect(await admin(['backup', 'compare', '999'])).toMatchObject(refused('Não existe o backup 999.'))
    },
  )

  test('the installation is copied, with its key, and attached elsewhere', async () => {
    const dir = newFolder()
    const copied = await admin(['copy', dir])
    expect(copied).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Cópia feita em .*: \d+ tabelas, \d+ linhas, 0 arquivos\. Tudo foi lido de volta e confere\.\n$/,
      ),
      stderr: expect.stringMatching(/^Copiando as tabelas…\n[^]*Atenção: a cópia não está cifrada/),
    })
    expect(await admin(['copy', dir])).toMatchObject(refused(/não está vazia\.\n$/))
    const there = { DATA_DIR: newFolder() }
    const attached = await admin(['attach', dir], there)
    expect(attached).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Instalação pronta: \d+ tabelas, .*, como em .* \(cópia de \d\d\/.*\)\. Tudo confere\.\nAgora: /,
      ),
    })
    expect(isServerRunning(there.DATA_DIR)).toBe(false)
    expect((await admin(['list'], there)).stdout).toMatch(/ chefe +chefe@/)
    expect((await admin(['audit-verify'], there)).code).toBe(0)
    expect(readFileSync(join(there.DATA_DIR, 'secret.key'), 'utf8')).toBe(
      readFileSync(join(dataDir, 'secret.key'), 'utf8'),
    )
    expect(await admin(['attach', dir], there)).toMatchObject(refused('já tem uma instalação do Balcão'))
    expect(await admin(['attach', dir])).toMatchObject(refused('já há arquivos de uma instalação'))
  })

  test('nothing moves while it runs', async () => {
    const url = 'postgres://balcao@127.0.0.1:1/balcao'
    expect(await admin(['move-to', url])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^A pasta .* já está em uso por balcao, processo \d+, máquina .*\n$/),
    })
  })
})

describe('with a stopped server', () => {
  testAtNight('an encrypted copy needs its key', async () => {
    const BACKUP_KEY = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'
    const dir = newFolder()
    const copied = await admin(['copy', dir], { BACKUP_KEY })
    expect(copied.code).toBe(0)
    expect(copied.stderr).not.toContain('não está cifrada')
    const there = { DATA_DIR: newFolder() }
    expect(await admin(['attach', dir], there)).toMatchObject(refused('ponha a sua chave em BACKUP_KEY'))
    expect(existsSync(there.DATA_DIR)).toBe(false)
    expect((await admin(['attach', dir], { ...there, BACKUP_KEY })).code).toBe(0)
  })

  test('a copy that is killed is none', async () => {
    const dir = newFolder()
    await killedAt('copy.files', ['copy', dir])
    expect(existsSync(join(dir, 'manifest.json'))).toBe(false)
    expect(await admin(['attach', dir], { DATA_DIR: newFolder() })).toMatchObject(
      refused('Não há uma cópia completa'),
    )
    expect(await admin(['copy', dir])).toMatchObject(refused('não está vazia'))
    expect((await admin(['list'])).code).toBe(0)
  })

  testAtNight('Ctrl+C ends a copy, and leaves nothing of it', async () => {
    const dir = newFolder()
    const copying = start(['copy', dir], { FAILPOINTS: 'copy.files=sleep:1500' })
    await eventually(() => existsSync(join(dir, 'files')), true, 60_000)
    copying.kill('SIGINT')
    const { code, stderr } = await copying.ended
    expect(code).toBe(130)
    expect(stderr).toMatch(/\nCancelado: nada foi mudado\.\n$/)
    expect(readdirSync(dir)).toEqual([])
  })

  testAtNight('an attach that is killed starts no server, and is repeated', async () => {
    const dir = newFolder()
    expect((await admin(['copy', dir])).code).toBe(0)
    const there = { DATA_DIR: newFolder() }
    await killedAt('copy.loaded', ['attach', dir], there)
    for (const command of [['list'], ['create']])
      expect(await admin(command, there)).toMatchObject(
        refused(/^A cópia que se anexava a .* não chegou inteira: repita npm run admin -- attach/),
      )
    await killedAt('copy.attached', ['attach', dir], there)
    expect((await admin(['list'], there)).code).toBe(1)
    expect(await admin(['attach', dir], there)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Instalação pronta'),
    })
    expect((await admin(['list'], there)).stdout).toContain(' chefe ')
    expect(isServerRunning(there.DATA_DIR)).toBe(false)
  })

  describe('and a PostgreSQL of one’s own', () => {
    let own: OwnServer
    beforeAll(async () => {
      own = await startOwnServer()
      await own.query('create role balcao login')
      for (const name of ['um', 'dois'])
        await own.query(`create database ${name} owner balcao encoding 'UTF8' template template0`)
    })
    afterAll(() => own.close())

    testAtNight('the database moves there, and the program goes on with it', async () => {
      const url = own.url('balcao', 'um')
      await killedAt('copy.loaded', ['move-to', url])
      expect(
        await own.query(`select from pg_class where relnamespace = 'public'::regnamespace`, 'um'),
      ).toEqual([])
      const moved = await admin(['move-to', url])
      expect(moved).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /^Banco de dados copiado e comparado: \d+ tabelas, .*\. O antigo não foi mudado\.\nAgora:\n  1\. /,
        ),
      })
      expect(isServerRunning(dataDir)).toBe(false)
      const there = { DATABASE_URL: url }
      expect((await admin(['list'], there)).stdout).toContain(' chefe ')
      expect((await admin(['audit-verify'], there)).code).toBe(0)
      rmSync(join(dataDir, 'banco-mudou.txt'))
      expect(await admin(['move-to', url])).toMatchObject(refused('já tem uma instalação do Balcão'))
      // From there to the next one, as long as no server uses it.
      const session = openDatabase({
        connection: {
          host: '127.0.0.1',
          port: own.port,
          user: 'balcao',
          database: 'um',
          application_name: 'balcao 77 casa',
        },
        log,
        poolSize: 1,
      })
      await rows(session, sql`select 1`)
      const next = own.url('balcao', 'dois')
      expect(await admin(['move-to', next], there)).toMatchObject(
        refused('O banco está em uso por balcao, processo 77, máquina casa: pare o servidor'),
      )
      await session.close()
      expect((await admin(['move-to', next], there)).code).toBe(0)
      expect((await admin(['list'], { DATABASE_URL: next })).stdout).toContain(' chefe ')
    })

    test('what cannot be reached is one line without the password', async () => {
      const { code, stderr } = await admin(['move-to', 'postgres://chefe:chave-secreta@127.0.0.1:1/balcao'])
      expect(code).toBe(1)
      expect(stderr).toMatch(/^O PostgreSQL não responde em 127\.0\.0\.1:1 .*\n$/)
      expect(stderr).not.toContain('chave-secreta')
      expect(isServerRunning(dataDir)).toBe(false)
    })
  })
})
