import { isAbsolute, join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const linesOf = (env: Record<string, string>, isDemo = false): readonly string[] => {
  try {
    readConfig(env, isDemo)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.lines
    throw error
  }
}
const key = 'k3Jx9vQ2mN8rT5wY7zB4cD6fG1hL0pSa'

test('an empty environment is enough, and opens nothing to the network', () => {
  expect(readConfig({}, false)).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    publicUrl: undefined,
    secretKey: undefined,
    trustProxy: undefined,
    gatewayAllowedHosts: [],
    agentUrl: 'https://api.gptmaker.ai',
    logLevel: 'info',
    callsPerMinute: 600,
    strictPasswords: 'of administrators',
    isAccessLogged: false,
    isDemo: false,
    simulator: false,
    admin: { username: undefined, email: undefined, password: undefined },
  })
  expect(isAbsolute(readConfig({}, false).dataDir)).toBe(true)
})

test('an empty environment empty variables are absent ones', () => {
  const names = [
    'PORT',
    'HOST',
    'DATABASE_URL',
    'PUBLIC_URL',
    'SECRET_KEY',
    'TRUST_PROXY',
    'SIMULATOR',
    'ADMIN_EMAIL',
  ]
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])), false)).toEqual(
    readConfig({}, false),
  )
})

test('a demonstration has a folder of its own and the simulator', () => {
  const demo = readConfig({ DATA_DIR: '/srv/balcao' }, true)
  expect(demo).toMatchObject({ isDemo: true, simulator: true, dataDir: join('/srv/balcao', 'demo') })
  expect(readConfig({ DATA_DIR: '/srv/balcao' }, false).dataDir).toBe('/srv/balcao')
  expect(readConfig({ SIMULATOR: 'off' }, true).simulator).toBe(false)
})

test('values of the configuration are read in their forms', () => {
  const env = {
    PORT: '0',
    HOST: '0.0.0.0',
    DATABASE_URL: 'postgresql://u:s@db:5432/balcao',
    PUBLIC_URL: 'https://atendimento.example//',
    SECRET_KEY: key,
    TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,loopback',
    GATEWAY_ALLOWED_HOSTS: ' Evolution , 10.0.0.7,,',
    PASSWORD_STRICT: 'on',
    LOG_LEVEL: 'warn',
    METRICS_TOKEN: 'x'.repeat(16),
    ADMIN_USERNAME: 'chefe',
    ADMIN_EMAIL: 'chefe@loja.example',
    ADMIN_PASSWORD: 'segredo',
  }
  expect(readConfig(env, false)).toMatchObject({
    port: 0,
    host: '0.0.0.0',
    databaseUrl: env.DATABASE_URL,
    publicUrl: 'https://atendimento.example',
    secretKey: key,
    trustProxy: ['10.0.0.1', '192.168.0.0/16', 'loopback'],
    gatewayAllowedHosts: ['evolution', '10.0.0.7'],
    strictPasswords: 'of all',
    logLevel: 'warn',
    isAccessLogged: false,
    admin: { username: 'chefe', email: 'chefe@loja.example', password: 'segredo' },
  })
})

test.each<[string, string]>([
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '3000x'],
  ['PORT', '1e3'],
  ['DATABASE_URL', 'mysql://u:s@db/balcao'],
  ['DATABASE_URL', 'db'],
  ['PUBLIC_URL', 'atendimento.example'],
  ['PUBLIC_URL', 'ftp://atendimento.example'],
  ['PUBLIC_URL', 'javascript:alert(1)'],
  ['SECRET_KEY', 'curta'],
  ['SECRET_KEY', 'mysecret'.repeat(4)],
  ['SECRET_KEY', 'a'.repeat(40)],
  ['SECRET_KEY', '0123456789'.repeat(4)],
  ['SECRET_KEY', 'ChangeMe'.repeat(5)],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', 'proxy.local'],
  ['TRUST_PROXY', '10.0.0.1,tudo'],
  ['TRUST_PROXY', '10.0.0.0/99'],
  ['TRUST_PROXY', '10.0.0.0/8x'],
  ['LOG_LEVEL', 'alto'],
  ['METRICS_TOKEN', 'curto'],
  ['PASSWORD_STRICT', 'sim'],
  ['SIMULATOR', '1'],
  ['ADMIN_USERNAME', 'ab'],
  ['ADMIN_EMAIL', 'ninguem'],
  ['ADMIN_PASSWORD', '12345'],
])('%s=%s is one clear line that begins with its name', (name, value) => {
  const lines = linesOf({ ADMIN_PASSWORD: 'segredo', [name]: value })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^${name}: .{10,}`))
  // The value may be a secret.
  if (value.length > 5) expect(lines[0]).not.toContain(value)
})

test('every mistake has its line', () => {
  const lines = linesOf({ PORT: 'x', PUBLIC_URL: 'y', LOG_LEVEL: 'z', SECRET_KEY: 'w' })
  expect(lines.map((line) => line.replace(/:.*/, '')).toSorted()).toEqual([
    'LOG_LEVEL',
    'PORT',
    'PUBLIC_URL',
    'SECRET_KEY',
  ])
})

test('a first administrator needs a password', () => {
  expect(linesOf({ ADMIN_USERNAME: 'chefe' })).toEqual(['ADMIN_PASSWORD: falta a senha do administrador'])
})

const s3 = {
  S3_ENDPOINT: 'https://s3.exemplo.com.br',
  S3_BUCKET: 'balcao',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: key,
}

test('a bucket needs all of its settings, or none', () => {
  expect(readConfig({ ...s3, S3_ENDPOINT: `${s3.S3_ENDPOINT}/` }, false).bucket).toEqual({
    endpoint: 'https://s3.exemplo.com.br',
    name: 'balcao',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: key,
  })
  expect(readConfig({}, false).bucket).toBeUndefined()
  expect(linesOf({ S3_ENDPOINT: s3.S3_ENDPOINT, S3_BUCKET: s3.S3_BUCKET })).toEqual([
    'S3_ACCESS_KEY_ID: falta, já que S3_ENDPOINT e S3_BUCKET estão definidos',
    'S3_SECRET_ACCESS_KEY: falta, já que S3_ENDPOINT e S3_BUCKET estão definidos',
  ])
  expect(linesOf({ ...s3, S3_ENDPOINT: 's3' })).toHaveLength(1)
  expect(linesOf({ ...s3, S3_BUCKET: '../outro' })).toHaveLength(1)
})

test('files go to the bucket, to one of their own, or to the disk', () => {
  const one = { endpoint: s3.S3_ENDPOINT, name: 'balcao', region: 'us-east-1', accessKeyId: 'id' }
  expect(readConfig({}, false)).toMatchObject({ mediaStore: 'disk', bucket: undefined })
  expect(readConfig(s3, false)).toMatchObject({ mediaStore: 's3', bucket: one })
  expect(readConfig({ ...s3, MEDIA_STORE: 'disk' }, false)).toMatchObject({ mediaStore: 'disk', bucket: one })
  const other = { ...s3, MEDIA_S3_BUCKET: 'arquivos', MEDIA_S3_REGION: 'sa-east-1' }
  expect(readConfig(other, false)).toMatchObject({
    bucket: { ...one, name: 'arquivos', region: 'sa-east-1' },
    backupBucket: one,
  })
  // Backups stay on the disk.
  const own = Object.fromEntries(Object.entries(s3).map(([name, value]) => [`MEDIA_${name}`, value]))
  expect(readConfig(own, false)).toMatchObject({ mediaStore: 's3', bucket: one, backupStore: 'disk' })
  expect(linesOf({ MEDIA_S3_BUCKET: 'arquivos' })).toHaveLength(3)
  expect(linesOf({ MEDIA_STORE: 's3' })).toEqual([
    'MEDIA_STORE: s3 precisa de um bucket; defina S3_… ou MEDIA_S3_…',
  ])
  expect(linesOf({ MEDIA_STORE: 'fita' })).toEqual(['MEDIA_STORE: use disk ou s3'])
})

test('backups go to the bucket of the files, to another one, or to the disk', () => {
  const files = { endpoint: s3.S3_ENDPOINT, name: s3.S3_BUCKET, region: 'us-east-1', accessKeyId: 'id' }
  expect(readConfig({}, false)).toMatchObject({ backupStore: 'disk', backupBucket: undefined })
  expect(readConfig(s3, false)).toMatchObject({ backupStore: 's3', backupBucket: files })
  expect(readConfig({ ...s3, BACKUP_STORE: 'disk' }, false)).toMatchObject({
    backupStore: 'disk',
    backupBucket: files,
  })
  const other = { BACKUP_S3_BUCKET: 'backups', BACKUP_S3_REGION: 'eu-west-1' }
  expect(readConfig({ ...s3, ...other }, false)).toMatchObject({
    bucket: files,
    backupBucket: { ...files, name: 'backups', region: 'eu-west-1' },
  })
  // Files stay on the disk.
  const own = Object.fromEntries(Object.entries(s3).map(([name, value]) => [`BACKUP_${name}`, value]))
  expect(readConfig(own, false)).toMatchObject({
    bucket: undefined,
    backupStore: 's3',
    backupBucket: { ...files, secretAccessKey: key },
  })
  expect(linesOf({ BACKUP_S3_BUCKET: 'backups', S3_REGION: 'eu-west-1' })).toEqual([
    'BACKUP_S3_ENDPOINT: falta, já que BACKUP_S3_BUCKET está definido',
    'BACKUP_S3_ACCESS_KEY_ID: falta, já que BACKUP_S3_BUCKET está definido',
    'BACKUP_S3_SECRET_ACCESS_KEY: falta, já que BACKUP_S3_BUCKET está definido',
  ])
  expect(linesOf({ BACKUP_STORE: 's3' })).toEqual([
    'BACKUP_STORE: s3 precisa de um bucket; defina S3_… ou BACKUP_S3_…',
  ])
  expect(linesOf({ BACKUP_STORE: 'fita' })).toEqual(['BACKUP_STORE: use disk ou s3'])
  expect(linesOf({ ...s3, BACKUP_S3_ENDPOINT: 's3' })).toHaveLength(1)
})

test.each([
  ['0.0.0.0', '', 1],
  ['192.168.0.5', '', 1],
  ['::', '', 1],
  ['127.0.0.1', '', 0],
  ['::1', '', 0],
  ['localhost', '', 0],
  ['0.0.0.0', 'on', 0],
])('the simulator on HOST %s with DEMO_PUBLIC %j is %i mistakes', (HOST, DEMO_PUBLIC, mistakes) => {
  expect(linesOf({ SIMULATOR: 'on', HOST, DEMO_PUBLIC })).toHaveLength(mistakes)
  expect(linesOf({ HOST, DEMO_PUBLIC }, true)).toHaveLength(mistakes)
})
