import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isConnectionUrl } from '#server/platform/external-postgres/connection-url.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const onOff = (name: string) =>
  z.enum(['on', 'off'], `${name}: use on ou off`).transform((value) => value === 'on')

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

/** An address without slashes at its end. */
const httpUrl = (name: string) =>
  z
    .string()
    .refine(isHttpUrl, `${name}: use um endereço http:// ou https://`)
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))

const bucketName = (name: string) =>
  z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, `${name}: use o nome do bucket`)

/** '10.0.0.1', or '10.0.0.0/8'. */
function isRange(entry: string): boolean {
  const [address = '', bits] = entry.split('/', 2)
  const family = isIP(address)
  if (family === 0 || entry.split('/').length > 2) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'PORT: use um número de 0 a 65535')
    .transform(Number)
    .refine((port) => port <= 65_535, 'PORT: use um número de 0 a 65535')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .refine(isConnectionUrl, 'DATABASE_URL: use postgres://usuario:senha@servidor:5432/banco')
    .optional(),
  PUBLIC_URL: httpUrl('PUBLIC_URL').optional(),
  S3_ENDPOINT: httpUrl('S3_ENDPOINT').optional(),
  S3_BUCKET: bucketName('S3_BUCKET').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  MEDIA_STORE: z.enum(['disk', 's3'], 'MEDIA_STORE: use disk ou s3').optional(),
  MEDIA_S3_ENDPOINT: httpUrl('MEDIA_S3_ENDPOINT').optional(),
  MEDIA_S3_BUCKET: bucketName('MEDIA_S3_BUCKET').optional(),
  MEDIA_S3_REGION: z.string().optional(),
  MEDIA_S3_ACCESS_KEY_ID: z.string().optional(),
  MEDIA_S3_SECRET_ACCESS_KEY: z.string().optional(),
  SECRET_KEY: z.string().min(32, 'SECRET_KEY: use pelo menos 32 caracteres aleatórios').optional(),
  TRUST_PROXY: z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .refine(
      (list) => list.every((entry) => isRange(entry) || /^(loopback|linklocal|uniquelocal)$/.test(entry)),
      'TRUST_PROXY: use endereços IP ou faixas separados por vírgula',
    )
    .optional(),
  LOGIN_LIMIT_BY_ADDRESS: onOff('LOGIN_LIMIT_BY_ADDRESS').default(true),
  GATEWAY_ALLOWED_HOSTS: z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter(Boolean),
    )
    .default([]),
  GPT_MAKER_URL: httpUrl('GPT_MAKER_URL').default('https://api.gptmaker.ai'),
  ACCESS_LOG: onOff('ACCESS_LOG').default(false),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL: use um de ${logLevels.join(', ')}`).default('info'),
  BACKUP_KEY: z
    .string()
    .trim()
    .regex(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/, 'BACKUP_KEY: use uma chave AGE-SECRET-KEY-1… do age-keygen')
    .optional(),
  BACKUP_STORE: z.enum(['disk', 's3'], 'BACKUP_STORE: use disk ou s3').optional(),
  BACKUP_S3_ENDPOINT: httpUrl('BACKUP_S3_ENDPOINT').optional(),
  BACKUP_S3_BUCKET: bucketName('BACKUP_S3_BUCKET').optional(),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  UPGRADE_COPY: onOff('UPGRADE_COPY').default(true),
  METRICS_TOKEN: z.string().min(16, 'METRICS_TOKEN: use pelo menos 16 caracteres').optional(),
  CALLS_PER_MINUTE: z
    .string()
    .regex(/^\d{1,6}$/, 'CALLS_PER_MINUTE: use um número de 0 a 999999')
    .transform(Number)
    .default(600),
  PASSWORD_STRICT: onOff('PASSWORD_STRICT').optional(),
  SIMULATOR: onOff('SIMULATOR').optional(),
  DEMO_PUBLIC: onOff('DEMO_PUBLIC').default(false),
  ADMIN_USERNAME: z.string().min(3, 'ADMIN_USERNAME: use pelo menos 3 caracteres').optional(),
  ADMIN_EMAIL: z.email('ADMIN_EMAIL: use um e-mail válido').optional(),
  ADMIN_PASSWORD: z.string().min(6, 'ADMIN_PASSWORD: use pelo menos 6 caracteres').optional(),
})

/** A bucket of S3, and the keys for it. */
export interface Bucket {
  endpoint: string
  name: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface Config {
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  /** Absent: the embedded database. */
  databaseUrl: string | undefined
  publicUrl: string | undefined
  /** Where files are stored, unless they were moved since. */
  mediaStore: 'disk' | 's3'
  /** Of the files. Absent: they are in the data folder only. */
  bucket: Bucket | undefined
  secretKey: string | undefined
  trustProxy: string[] | undefined
  isLoginLimitedByAddress: boolean
  gatewayAllowedHosts: string[]
  /** The service of the agent that answers clients, without a slash at its end. */
  agentUrl: string
  logLevel: (typeof logLevels)[number]
  /** Whether each call is logged. */
  isAccessLogged: boolean
  /** An identity of age; absent: backups are not encrypted. */
  backupKey: string | undefined
  /** Where new backups are stored: in the data folder, or in the bucket. */
  backupStore: 'disk' | 's3'
  /** Absent: backups are in the data folder only. */
  backupBucket: Bucket | undefined
  /** Whether a start copies the database before it upgrades it. */
  isCopiedBeforeUpgrade: boolean
  metricsToken: string | undefined
  /** How many calls a person may make; 0: no limit. */
  callsPerMinute: number
  /** Whose common passwords are refused. */
  strictPasswords: 'of all' | 'of administrators' | 'of nobody'
  isDemo: boolean
  simulator: boolean
  isDemoPublic: boolean
  admin: { username: string | undefined; email: string | undefined; password: string | undefined }
}

/** Contains every mistake of the environment, one clear line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** The variables that are read. */
export const variableNames: readonly string[] = Object.keys(environment.shape)

type Environment = z.infer<typeof environment>

const bucketNames = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
/** One bucket for all; that of files, and that of backups. */
const bucketPrefixes = ['', 'MEDIA_', 'BACKUP_'] as const
type BucketPrefix = (typeof bucketPrefixes)[number]

/** What is not said of the bucket of files, or of that of backups, is as for both. */
const bucketValue = (env: Environment, prefix: BucketPrefix, name: (typeof bucketNames)[number]) =>
  env[`${prefix}${name}`] ?? env[name]

function bucketOf(env: Environment, prefix: BucketPrefix): Bucket | undefined {
  const [endpoint, name, accessKeyId, secretAccessKey] = bucketNames.map((each) =>
    bucketValue(env, prefix, each),
  )
  if (!endpoint || !name || !accessKeyId || !secretAccessKey) return undefined
  return { endpoint, name, region: env[`${prefix}S3_REGION`] ?? env.S3_REGION, accessKeyId, secretAccessKey }
}

/** One line for each variable that is missing of a bucket of which another one is set. */
function bucketMistakes(env: Environment, prefix: BucketPrefix): string[] {
  const given = bucketNames
    .map((name) => `${prefix}${name}` as const)
    .filter((name) => env[name] !== undefined)
  if (given.length === 0) return []
  const missing = bucketNames.filter((name) => bucketValue(env, prefix, name) === undefined)
  return missing.map(
    (name) =>
      `${prefix}${name}: falta, já que ${given.join(' e ')} ` +
      `${given.length > 1 ? 'estão definidos' : 'está definido'}`,
  )
}

const weakKeys = ['secret', 'mysecret', 'changeme', 'password', '0123456789', 'aaaaaaaa']

function moreMistakes(env: Environment): string[] {
  const lines: string[] = []
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(env.HOST)
  if (env.SIMULATOR && !isLoopback && !env.DEMO_PUBLIC)
    lines.push(
      'SIMULATOR: recusado fora da própria máquina; use HOST=127.0.0.1, ou DEMO_PUBLIC=on se for de ' +
        'propósito',
    )
  if (
    env.SECRET_KEY &&
    weakKeys.some((weak) => env.SECRET_KEY?.toLowerCase().replace(weak, '') !== env.SECRET_KEY?.toLowerCase())
  )
    lines.push('SECRET_KEY: esta chave é conhecida ou previsível; use 32 bytes aleatórios')
  for (const prefix of bucketPrefixes) lines.push(...bucketMistakes(env, prefix))
  if (lines.length === 0)
    for (const what of ['MEDIA', 'BACKUP'] as const)
      if (env[`${what}_STORE`] === 's3' && !bucketOf(env, `${what}_`))
        lines.push(`${what}_STORE: s3 precisa de um bucket; defina S3_… ou ${what}_S3_…`)
  if (env.ADMIN_USERNAME && !env.ADMIN_PASSWORD) lines.push('ADMIN_PASSWORD: falta a senha do administrador')
  return lines
}

/**
 * Reads the environment. Empty variables count as absent.
 * @throws ConfigError with one line per mistake
 * @see decisions §1 settings
 */
export function readConfig(env: Record<string, string | undefined>, isDemo: boolean): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(isDemo ? { SIMULATOR: 'on', ...given } : given)
  if (!parsed.success)
    throw new ConfigError(
      parsed.error.issues.map((issue) =>
        issue.message.startsWith(String(issue.path[0]))
          ? issue.message
          : `${String(issue.path[0])}: ${issue.message}`,
      ),
    )
  const lines = moreMistakes(parsed.data)
  if (lines.length > 0) throw new ConfigError(lines)
  const values = parsed.data
  const bucket = bucketOf(values, 'MEDIA_')
  const backupBucket = bucketOf(values, 'BACKUP_')
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR, isDemo ? 'demo' : '.'),
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL,
    mediaStore: values.MEDIA_STORE ?? (bucket ? 's3' : 'disk'),
    bucket,
    secretKey: values.SECRET_KEY,
    trustProxy: values.TRUST_PROXY,
    isLoginLimitedByAddress: values.LOGIN_LIMIT_BY_ADDRESS,
    gatewayAllowedHosts: values.GATEWAY_ALLOWED_HOSTS,
    agentUrl: values.GPT_MAKER_URL,
    logLevel: values.LOG_LEVEL,
    isAccessLogged: values.ACCESS_LOG,
    backupKey: values.BACKUP_KEY,
    backupStore: values.BACKUP_STORE ?? (backupBucket ? 's3' : 'disk'),
    backupBucket,
    isCopiedBeforeUpgrade: values.UPGRADE_COPY,
    metricsToken: values.METRICS_TOKEN,
    callsPerMinute: values.CALLS_PER_MINUTE,
    strictPasswords:
      values.PASSWORD_STRICT === undefined
        ? 'of administrators'
        : values.PASSWORD_STRICT
          ? 'of all'
          : 'of nobody',
    isDemo,
    simulator: values.SIMULATOR ?? false,
    isDemoPublic: values.DEMO_PUBLIC,
    admin: { username: values.ADMIN_USERNAME, email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD },
  }
}
