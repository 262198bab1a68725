import { connect } from 'node:tls'
import { isIP } from 'node:net'
import type { Finding } from '#shared/doctor/doctor.ts'
import type { Config } from '#server/platform/config.ts'
import { found } from './causes.ts'

const connectsWithinMs = 5000
/** Certificates are renewed a month before their end: later means that something has failed. */
const renewedBeforeMs = 14 * 86_400_000

/** Looks at the certificate with which PUBLIC_URL answers. */
export async function examineTls(config: Config, nowMs: number): Promise<Finding> {
  if (config.isDemo) return found('tls_unneeded')
  const { publicUrl } = config
  if (!publicUrl?.startsWith('https:')) return found('tls_absent')
  const { hostname, host, port } = new URL(publicUrl)
  const answer = await certificateOf(hostname.replace(/^\[|\]$/g, ''), Number(port || 443))
  if ('code' in answer) {
    const isRefused = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME/.test(answer.code)
    return found(isRefused ? 'tls_refused' : 'tls_unseen', { host, code: answer.code })
  }
  const endMs = Date.parse(answer.validTo)
  const until = new Date(endMs).toLocaleDateString('pt-BR', { timeZone: 'UTC' })
  return found(endMs - nowMs < renewedBeforeMs ? 'tls_ending' : 'tls_right', { host, until })
}

type Shown = { validTo: string } | { code: string }

function certificateOf(host: string, port: number): Promise<Shown> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      timeout: connectsWithinMs,
    })
    const end = (shown: Shown) => {
      socket.destroy()
      resolve(shown)
    }
    socket.once('secureConnect', () => end({ validTo: socket.getPeerCertificate().valid_to }))
    socket.once('timeout', () => end({ code: 'ETIMEDOUT' }))
    socket.once('error', (error: Error & { code?: string }) => end({ code: error.code ?? error.name }))
  })
}
