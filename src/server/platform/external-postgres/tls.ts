import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, getCACertificates, type ConnectionOptions } from 'node:tls'
import { StartRefused } from '#server/platform/start-refused.ts'

/** false: without TLS. */
export type TlsWay = false | ConnectionOptions

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

export interface TlsChoice {
  /** Tried in this order, as libpq does; the first that the server accepts is used from then on. */
  ways: TlsWay[]
  sslMode: string
  /** TLS was not requested and no authority named: use it only if the certificate can be verified. */
  isOpportunistic: boolean
}

/**
 * Chooses how to connect, with libpq's values: `verify-ca` verifies who signed the certificate, `verify-full`
 * its host name as well; `require` with a `sslrootcert` equals `verify-ca`; the default is `prefer`. Stricter
 * than libpq in one respect: no certificate is accepted without verification, so `require` alone equals
 * `verify-full` with the public authorities, and `prefer` uses TLS only when the certificate is valid.
 * @see https://www.postgresql.org/docs/current/libpq-ssl.html
 */
export function tlsWays(params: URLSearchParams, env: NodeJS.ProcessEnv): TlsChoice {
  const given = (name: string) => params.get(name) || env[`PG${name.toUpperCase()}`] || undefined
  const rootFile = given('sslrootcert')
  const sslMode = rootFile === 'system' ? 'verify-full' : modeOf(params, given('sslmode'))
  refuseMode(sslMode, params)
  if (sslMode === 'disable') return { ways: [false], sslMode, isOpportunistic: false }
  const isNameChecked = sslMode === 'verify-full' || (sslMode !== 'verify-ca' && !rootFile)
  const secure: ConnectionOptions = {
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED of the environment.
    rejectUnauthorized: true,
    ...authority(sslMode, rootFile),
    // The signature is verified all the same.
    ...(!isNameChecked && { checkServerIdentity: () => undefined }),
    ...ownCertificate(given('sslcert'), given('sslkey'), params.get('sslpassword') ?? undefined),
  }
  refuseUnusable(secure)
  const isOpportunistic = ['allow', 'prefer'].includes(sslMode) && !rootFile
  if (sslMode === 'prefer') return { ways: [secure, false], sslMode, isOpportunistic }
  return { ways: sslMode === 'allow' ? [false, secure] : [secure], sslMode, isOpportunistic }
}

function refuseMode(sslMode: string, params: URLSearchParams): void {
  if (sslMode === 'no-verify')
    throw new StartRefused(
      'DATABASE_URL: sslmode=no-verify não confere o certificado; use sslmode=require com ' +
        'sslrootcert=/caminho/da/autoridade.crt.',
    )
  if (!modes.includes(sslMode))
    throw new StartRefused(`DATABASE_URL: sslmode=${sslMode} não existe; use um de ${modes.join(', ')}.`)
  if (params.get('sslnegotiation') === 'direct' && ['disable', 'allow', 'prefer'].includes(sslMode))
    throw new StartRefused('DATABASE_URL: sslnegotiation=direct pede sslmode=require ou mais.')
}

/** `ssl=true` is the spelling of other drivers and some providers. */
function modeOf(params: URLSearchParams, given: string | undefined): string {
  if (given) return given
  const ssl = params.get('ssl')
  if (ssl === null) return 'prefer'
  return ssl === 'no-verify' ? ssl : ['true', '1'].includes(ssl) ? 'require' : 'disable'
}

/** The trusted authorities: a file, the system's list, or, except for `verify-ca`, the public authorities. */
function authority(sslMode: string, rootFile: string | undefined): { ca?: string | string[] } {
  if (rootFile === 'system') return { ca: getCACertificates('system') }
  if (rootFile) return { ca: read('sslrootcert', rootFile) }
  const usual = join(homedir(), '.postgresql', 'root.crt')
  if (sslMode.startsWith('verify-') && existsSync(usual)) return { ca: read('sslrootcert', usual) }
  if (sslMode !== 'verify-ca') return {}
  throw new StartRefused(
    `DATABASE_URL: sslmode=${sslMode} precisa de sslrootcert=/caminho/da/autoridade.crt, ou use ` +
      'sslmode=verify-full.',
  )
}

function ownCertificate(cert: string | undefined, key: string | undefined, passphrase: string | undefined) {
  if (!cert && !key) return {}
  if (!cert || !key) throw new StartRefused('DATABASE_URL: sslcert e sslkey vêm juntos; falta um dos dois.')
  return { cert: read('sslcert', cert), key: read('sslkey', key), ...(passphrase && { passphrase }) }
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new StartRefused(`DATABASE_URL: o arquivo de ${name} não pode ser lido: ${file}`)
  }
}

function refuseUnusable({ ca, cert, key, passphrase }: ConnectionOptions): void {
  try {
    // Node treats a file without certificates as an empty list.
    if (typeof ca === 'string' && !/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(ca))
      throw new Error('no certificate in sslrootcert')
    createSecureContext({ ca, cert, key, passphrase })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartRefused(
      `DATABASE_URL: sslrootcert, sslcert, sslkey ou sslpassword não serve para TLS (${reason}).`,
    )
  }
}
