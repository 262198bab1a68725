import type pg from 'pg'
import { StartRefused } from '#server/platform/start-refused.ts'
import { type TlsChoice, tlsWays } from './tls.ts'

/** DATABASE_URL, parsed for the driver. */
export interface ConnectionUrl {
  /** Without `ssl`. */
  connection: pg.ClientConfig
  /** undefined for a Unix socket, which has no TLS. */
  tls: TlsChoice | undefined
}

/** Parameters of libpq that the driver lacks and that the administrator relies on. */
const unsupported = ['sslcrl', 'sslcrldir', 'requirepeer', 'require_auth', 'hostaddr', 'service']

/**
 * Parses DATABASE_URL as libpq does. The driver's own parser differs: it has no `prefer`, treats `verify-ca`
 * as `verify-full`, and uses TLS only on request.
 * @param env for the PG… variables that libpq uses as defaults
 * @throws StartRefused when it cannot be used; the message never contains the password
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function readConnectionUrl(text: string, env: NodeJS.ProcessEnv): ConnectionUrl {
  const url = parse(text)
  const params = url.searchParams
  const refused = unsupported.find((name) => params.has(name))
  if (refused) throw new StartRefused(`DATABASE_URL: ${refused} não é atendido; tire-o do endereço.`)
  const hostname = url.hostname === noHost ? '' : url.hostname.replace(/^\[(.+)\]$/, '$1')
  const host = params.get('host') || decode(hostname)
  if (host.includes(',')) throw new StartRefused('DATABASE_URL: indique um só servidor.')
  const user = params.get('user') || decode(url.username)
  const password = params.get('password') || decode(url.password)
  const port = params.get('port') || url.port
  const database = params.get('dbname') || decode(url.pathname.slice(1))
  const options = params.get('options')
  const name = params.get('application_name')
  const connection: pg.ClientConfig = {
    ...(host && { host }),
    ...(port && { port: portOf(port) }),
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(options && { options }),
    ...(name && { application_name: name }),
    ...(params.get('channel_binding') === 'require' && { enableChannelBinding: true }),
    ...(params.get('sslnegotiation') === 'direct' && { sslnegotiation: 'direct' as const }),
  }
  const isSocket = (host || env['PGHOST'] || '').startsWith('/')
  return { connection, tls: isSocket ? undefined : tlsWays(params, env) }
}

/** libpq accepts `postgres://user@/db?host=/folder`; the URL standard has no empty host after a user. */
export function isConnectionUrl(text: string): boolean {
  return URL.canParse(withHost(text)) && /^postgres(ql)?:$/.test(new URL(withHost(text)).protocol)
}

const noHost = 'no-host.invalid'

function withHost(text: string): string {
  return text.replace(/^([a-z]+:\/\/[^/?#]*@)(:\d+)?(?=\/|$)/, `$1${noHost}$2`)
}

function parse(text: string): URL {
  if (!isConnectionUrl(text))
    throw new StartRefused('DATABASE_URL: use postgres://usuario:senha@servidor:5432/banco')
  return new URL(withHost(text))
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new StartRefused('DATABASE_URL: um % solto; na senha, escreva % como %25, @ como %40 e / como %2F.')
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new StartRefused('DATABASE_URL: a porta é um número de 1 a 65535.')
}
