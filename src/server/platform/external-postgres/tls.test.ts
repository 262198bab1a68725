import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { createLog } from '#server/platform/log.ts'
import { checkExternalPostgres } from '#server/platform/external-postgres.ts'
import { type OwnServer, startOwnServer, startRefusal } from '#server/testing/servers/own-server.ts'
import { isConnectionUrl, readConnectionUrl } from './connection-url.ts'

const log = createLog('silent')
const folder = folderForTests()
const file = (name: string) => join(folder, name)

const openssl = (line: string) => execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'pipe' })
const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'

function makeAuthority(name: string): void {
  openssl(`req -x509 ${newKey} -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.crt`)
}

/** Creates `<name>.crt` and `<name>.key` for a host or a role. */
function makeCertificate(
  name: string,
  subject: string,
  options: { ends?: string; host?: string } = {},
): void {
  const host = options.host ? ` -addext subjectAltName=DNS:${options.host}` : ''
  openssl(`req ${newKey} -subj /CN=${subject}${host} -keyout ${name}.key -out ${name}.csr`)
  writeFileSync(
    file('ca.cnf'),
    '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\n' +
      'default_md=sha256\npolicy=p\nunique_subject=no\ncopy_extensions=copy\n[p]\ncommonName=supplied\n',
  )
  writeFileSync(file('index.txt'), '')
  const lifetime = `-startdate 20200101000000Z -enddate ${options.ends ?? '20990101000000Z'}`
  openssl(
    `ca -batch -config ca.cnf -cert good.crt -keyfile good.key -notext ${lifetime} -in ${name}.csr ` +
      `-out ${name}.crt`,
  )
}

describe.skipIf(spawnSync('openssl', ['version']).status !== 0)('a server with TLS', () => {
  let server: OwnServer
  /** Makes the server use this certificate. */
  async function show(name: string): Promise<void> {
    for (const end of ['crt', 'key'])
      server.write(`server.${end}`, readFileSync(file(`${name}.${end}`), 'utf8'))
    await server.reload()
  }

  beforeAll(async () => {
    makeAuthority('good')
    makeAuthority('other')
    makeCertificate('local', 'localhost', { host: 'localhost' })
    makeCertificate('elsewhere', 'banco.example', { host: 'banco.example' })
    makeCertificate('expired', 'localhost', { host: 'localhost', ends: '20200201000000Z' })
    makeCertificate('dona', 'dona')
    server = await startOwnServer({
      hba: [
        'local all all trust',
        'hostssl all dona all cert',
        'hostssl all segura all trust',
        'hostnossl all segura all reject',
        'hostnossl all clara all trust',
        'hostssl all clara all reject',
        'host all all all trust',
      ],
    })
    await server.query(
      `create role clara login; create role dona login; create role segura login;
       grant create on schema public to dona, clara, segura;
       grant create on database postgres to dona, clara, segura`,
    )
    server.write('ca.crt', readFileSync(file('good.crt'), 'utf8'))
    for (const end of ['crt', 'key'])
      server.write(`server.${end}`, readFileSync(file(`local.${end}`), 'utf8'))
    await server.stop()
    await server.start({
      ssl: 'on',
      ssl_ca_file: join(server.folder, 'ca.crt'),
      ssl_cert_file: join(server.folder, 'server.crt'),
      ssl_key_file: join(server.folder, 'server.key'),
    })
  })
  afterAll(() => server.close())

  const address = (query: string, user = 'postgres', host = 'localhost') =>
    server.url(user, 'postgres', query).replace('127.0.0.1', host)

  /** Whether the program's sessions will be encrypted; fails when the start is refused. */
  async function isEncrypted(url: string): Promise<boolean> {
    const client = new pg.Client(await checkExternalPostgres(url, log))
    await client.connect()
    try {
      const { rows } = await client.query<{ ssl: boolean }>(
        'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      )
      return rows[0]?.ssl ?? false
    } finally {
      await client.end()
    }
  }

  const refusal = (url: string) => startRefusal(() => checkExternalPostgres(url, log))

  const goodRoot = `sslrootcert=${file('good.crt')}`
  const otherRoot = `sslrootcert=${file('other.crt')}`

  test.each([
    `?${goodRoot}`,
    `?sslmode=prefer&${goodRoot}`,
    `?sslmode=require&${goodRoot}`,
    `?ssl=true&${goodRoot}`,
    `?sslmode=verify-ca&${goodRoot}`,
    `?sslmode=verify-full&${goodRoot}`,
  ])('a connection with the options %s is encrypted', async (query) => {
    expect(await isEncrypted(address(query))).toBe(true)
  })

  test('nobody who asked for nothing is kept out by a certificate that cannot be checked', async () => {
    expect(await isEncrypted(address(''))).toBe(false)
    expect(await isEncrypted(address('?sslmode=prefer'))).toBe(false)
  })

  test('sslmode=disable, and a Unix socket, are in the clear', async () => {
    expect(await isEncrypted(address('?sslmode=disable'))).toBe(false)
    const socket = `postgres://postgres@/postgres?host=${server.folder}&port=${server.port}`
    expect(await isEncrypted(socket)).toBe(false)
    expect(await isEncrypted(`${socket}&sslmode=require`)).toBe(false)
  })

  test('prefer and allow take the other way where pg_hba.conf asks for it', async () => {
    expect(await isEncrypted(address(`?sslmode=allow&${goodRoot}`, 'segura'))).toBe(true)
    expect(await isEncrypted(address(`?sslmode=prefer&${goodRoot}`, 'clara'))).toBe(false)
    expect(await refusal(address(`?sslmode=require&${goodRoot}`, 'clara'))).toMatch(
      /não deixa "clara" entrar/,
    )
    // Unencrypted connections are refused, so the certificate is the problem to report.
    expect(await refusal(address('', 'segura'))).toMatch(/não é de uma autoridade conhecida/)
  })

  test.each([
    '?sslmode=require',
    '?ssl=true',
    `?sslmode=verify-full`,
    `?sslmode=verify-full&${otherRoot}`,
    `?sslmode=verify-ca&${otherRoot}`,
    `?sslmode=require&${otherRoot}`,
    `?sslmode=prefer&${otherRoot}`,
    '?sslrootcert=system',
  ])(
    '%s: an authority that is not known is refused, and never becomes a connection in the clear',
    async (query) => {
      expect(await refusal(address(query))).toMatch(
        new RegExp(
          String.raw`^O certificado de localhost:\d+ não é de uma autoridade conhecida \(\w+\): ` +
            String.raw`indique a autoridade em sslrootcert\.$`,
        ),
      )
    },
  )

  test('the certificate of another host is refused by verify-full alone', async () => {
    await show('elsewhere')
    expect(await refusal(address(`?sslmode=verify-full&${goodRoot}`))).toMatch(/é de outro nome/)
    expect(await isEncrypted(address(`?sslmode=verify-ca&${goodRoot}`))).toBe(true)
    await show('local')
    expect(await refusal(address(`?sslmode=verify-full&${goodRoot}`, 'postgres', '127.0.0.1'))).toMatch(
      /é de outro nome/,
    )
  })

  test('an expired certificate is refused', async () => {
    await show('expired')
    expect(await refusal(address(`?sslmode=verify-full&${goodRoot}`))).toMatch(/venceu: renove-o/)
    expect(await refusal(address(`?sslmode=verify-ca&${goodRoot}`))).toMatch(/venceu: renove-o/)
    expect(await refusal(address(`?sslmode=require&${goodRoot}`))).toMatch(/venceu: renove-o/)
    await show('local')
  })

  test('a client certificate opens the door that asks for one', async () => {
    const own = `sslcert=${file('dona.crt')}&sslkey=${file('dona.key')}`
    expect(await isEncrypted(address(`?sslmode=verify-full&${goodRoot}&${own}`, 'dona'))).toBe(true)
    expect(await refusal(address(`?sslmode=require&${goodRoot}`, 'dona'))).toMatch(/certificate/)
    const strange = `sslcert=${file('other.crt')}&sslkey=${file('other.key')}`
    expect(await refusal(address(`?sslmode=require&${goodRoot}&${strange}`, 'dona'))).toMatch(
      /recusou o certificado deste programa/,
    )
  })

  test('a server without TLS is left when it is required', async () => {
    await server.stop()
    await server.start({ ssl: 'off' })
    expect(await refusal(address('?sslmode=require'))).toMatch(/não oferece TLS/)
    expect(await refusal(address(`?sslmode=verify-full&${goodRoot}`))).toMatch(/não oferece TLS/)
    expect(await isEncrypted(address('?sslmode=prefer'))).toBe(false)
    expect(await isEncrypted(address(''))).toBe(false)
  })
})

describe('DATABASE_URL', () => {
  const read = (url: string, env = {}) => readConnectionUrl(url, env)

  test.each([
    [
      'postgres://u:s%40%2F%25@h:6543/b',
      { host: 'h', port: 6543, user: 'u', password: 's@/%', database: 'b' },
    ],
    ['postgresql://h/b', { host: 'h', database: 'b' }],
    ['postgres://u@[::1]:5432/b', { host: '::1', port: 5432, user: 'u', database: 'b' }],
    ['postgres://u@/b?host=/var/run/postgresql', { host: '/var/run/postgresql', user: 'u', database: 'b' }],
    ['postgres://u:p@:5433/b?host=/s', { host: '/s', port: 5433, user: 'u', password: 'p', database: 'b' }],
    ['postgres:///b?host=/s&user=u', { host: '/s', user: 'u', database: 'b' }],
    ['postgres://u@localhost/b?host=/s&port=5433', { host: '/s', port: 5433, user: 'u', database: 'b' }],
    ['postgres://u@%2Fvar%2Frun/b', { host: '/var/run', user: 'u', database: 'b' }],
    [
      'postgres://u@h/b?options=-c%20geqo%3Doff',
      { host: 'h', user: 'u', database: 'b', options: '-c geqo=off' },
    ],
  ])('%s is read as libpq reads it', (url, connection) => {
    expect(isConnectionUrl(url)).toBe(true)
    expect(read(url).connection).toEqual(connection)
  })

  test.each(['', 'banco', 'mysql://u@h/b', 'http://h/b', 'postgres://u@h:porta/b'])(
    'the text %j is not an address of a database',
    (url) => {
      expect(isConnectionUrl(url)).toBe(false)
    },
  )

  test.each([
    ['postgres://u@h/b?sslmode=Require', /sslmode=Require não existe; use um de disable, allow/],
    ['postgres://u@h/b?sslmode=no-verify', /não confere o certificado/],
    ['postgres://u@h/b?sslmode=verify-ca', /precisa de sslrootcert/],
    [
      'postgres://u@h/b?sslmode=require&sslrootcert=/nao/existe',
      /sslrootcert não pode ser lido: \/nao\/existe/,
    ],
    ['postgres://u@h/b?sslmode=require&sslcert=/x', /vêm juntos/],
    [`postgres://u@h/b?sslmode=require&sslrootcert=${import.meta.filename}`, /não serve para TLS/],
    ['postgres://u@h/b?sslmode=require&sslcrl=/x', /sslcrl não é atendido/],
    ['postgres://u@h/b?sslmode=prefer&sslnegotiation=direct', /sslnegotiation=direct pede sslmode=require/],
    ['postgres://u:100%@h/b', /% solto/],
    ['postgres://u@h/b?port=0', /porta/],
    ['postgres://u@h,i/b', /um só servidor/],
  ])('%s cannot be obeyed, and is refused before anything is tried', (url, line) => {
    expect(() => read(url)).toThrow(line)
  })

  test('what the address leaves open is taken from the variables that libpq reads', () => {
    expect(read('postgres://h/b', { PGSSLMODE: 'disable' }).tls?.ways).toEqual([false])
    expect(read('postgres://h/b?sslmode=require', { PGSSLMODE: 'disable' }).tls).toMatchObject({
      sslMode: 'require',
      ways: [{ rejectUnauthorized: true }],
    })
    expect(read('postgres:///b', { PGHOST: '/var/run/postgresql', PGSSLMODE: 'require' }).tls).toBeUndefined()
  })
})
