import type pg from 'pg'
import { StartRefused } from '#server/platform/start-refused.ts'

/** The target of a connection, as the driver resolved it. */
type Target = Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>

/** Quotes an identifier for SQL. */
export function quoted(name: string | undefined): string {
  return `"${(name ?? '').replaceAll('"', '""')}"`
}

/** `servidor:5432`, or the socket's folder. Never the password. */
export function placeOf({ host, port }: Pick<Target, 'host' | 'port'>): string {
  if (host.startsWith('/')) return `${host}/.s.PGSQL.${port}`
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Explains in one line why a connection failed and what to do about it. */
export function refusedConnection(error: unknown, target: Target): StartRefused {
  const found = error instanceof Error ? error : new Error(String(error))
  const line = networkLine(found, target) ?? tlsLine(found, target) ?? serverLine(found, target)
  const message = found.message.split('\n')[0]
  return new StartRefused(
    line ?? `O PostgreSQL em ${placeOf(target)} recusou a conexão (${message}): confira DATABASE_URL.`,
    { cause: error },
  )
}

/** A SQLSTATE, or a code of Node or OpenSSL. */
export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function networkLine(error: Error, target: Target): string | undefined {
  const place = placeOf(target)
  const code = codeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `O servidor ${target.host} não foi encontrado (${code}): confira o nome em DATABASE_URL.`
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return `O PostgreSQL não responde em ${place} (${code}): inicie o servidor ou corrija DATABASE_URL.`
  if (code === 'EACCES' || code === 'EPERM')
    return (
      `O PostgreSQL em ${place} está fora de alcance (${code}): dê a este usuário acesso à pasta ` +
      'do socket.'
    )
  if (
    error.message.startsWith('timeout expired') ||
    ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)
  )
    return (
      `O PostgreSQL não responde em ${place} (${code || 'tempo esgotado'}): confira rede, ` +
      'firewall e DATABASE_URL.'
    )
  if (error.message.startsWith('Connection terminated') || code === 'ECONNRESET')
    return (
      `A conexão com ${place} foi cortada: confira se ali responde um PostgreSQL que aceita esta ` +
      'máquina.'
    )
  return undefined
}

const untrusted =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_UNTRUSTED|INVALID_CA|CERT_SIGNATURE_FAILURE)$/

export function hasNoTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections'
}

/** Whether the error concerns the server's certificate. */
export function isBadCertificate(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : ''
  return untrusted.test(code) || code.startsWith('CERT_') || code === 'ERR_TLS_CERT_ALTNAME_INVALID'
}

function tlsLine(error: Error, target: Target): string | undefined {
  const place = placeOf(target)
  const code = codeOf(error)
  if (hasNoTls(error))
    return (
      `O PostgreSQL em ${place} não oferece TLS e o sslmode de DATABASE_URL exige: ligue ssl no ` +
      'servidor.'
    )
  if (error.message === 'There was an error establishing an SSL connection')
    return (
      `Em ${place} não responde um PostgreSQL, ou ele recusou TLS: confira servidor e porta em ` +
      'DATABASE_URL.'
    )
  if (untrusted.test(code))
    return (
      `O certificado de ${place} não é de uma autoridade conhecida (${code}): indique a ` +
      'autoridade em sslrootcert.'
    )
  if (code === 'CERT_HAS_EXPIRED') return `O certificado de ${place} venceu: renove-o no servidor.`
  if (code === 'CERT_NOT_YET_VALID')
    return `O certificado de ${place} ainda não vale: confira o relógio desta máquina e o certificado.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `O certificado de ${place} é de outro nome: use em DATABASE_URL o nome que está no certificado.`
  if (/CERTIFICATE_REQUIRED|ALERT_UNKNOWN_CA|ALERT_BAD_CERTIFICATE|ALERT_CERTIFICATE/.test(code))
    return (
      `O PostgreSQL em ${place} recusou o certificado deste programa: confira sslcert e sslkey em ` +
      'DATABASE_URL.'
    )
  if (/^ERR_SSL_|^EPROTO$/.test(code))
    return `O TLS com ${place} falhou (${code}): confira as versões de TLS do servidor.`
  return undefined
}

function serverLine(error: Error, target: Target): string | undefined {
  const place = placeOf(target)
  const { user, database } = target
  const code = codeOf(error)
  // The words of PgBouncer and compatible poolers, and of Amazon's proxy.
  if (/unsupported startup parameter|support command-line options/.test(error.message))
    return (
      `Em ${place} responde um PgBouncer ou outro intermediário, que não aceita o que o Balcão ajusta ` +
      'em cada sessão: ' +
      'aponte DATABASE_URL direto para o PostgreSQL.'
    )
  if (code === '28P01')
    return `O PostgreSQL em ${place} recusou a senha de ${quoted(user)}: corrija DATABASE_URL.`
  if (/client password must be a (non-empty )?string/.test(error.message))
    return `O PostgreSQL em ${place} pede a senha de ${quoted(user)}: escreva-a em DATABASE_URL.`
  if (code === '3D000')
    return (
      `O banco ${quoted(database)} não existe em ${place}: como superusuário, ` +
      `CREATE DATABASE ${quoted(database)} OWNER ${quoted(user)} ENCODING 'UTF8' TEMPLATE template0;`
    )
  if (code === '28000')
    return (
      `O PostgreSQL em ${place} não deixa ${quoted(user)} entrar (${error.message}): ` +
      'confira usuário e TLS em DATABASE_URL e o pg_hba.conf do servidor.'
    )
  if (code === '42501')
    return (
      `${quoted(user)} não pode entrar no banco: como dono dele, ` +
      `GRANT CONNECT ON DATABASE ${quoted(database)} TO ${quoted(user)};`
    )
  if (code === '53300')
    return (
      `O PostgreSQL em ${place} está sem conexões livres: aumente max_connections ou feche as que ` +
      'sobram.'
    )
  if (code === '57P03')
    return `O PostgreSQL em ${place} ainda não aceita conexões (${error.message}): espere e tente de novo.`
  return undefined
}
