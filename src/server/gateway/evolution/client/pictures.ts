import type { OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import type { Instance } from './client.ts'
import { reasonOf } from './answers.ts'
import { field, text } from '#server/gateway/evolution/parse/values.ts'

const askTimeoutMs = 10_000
const fetchTimeoutMs = 20_000
const maxAnswerBytes = 65_536

/**
 * The picture that somebody shows on WhatsApp, given to `take` as it comes.
 * @param number digits or a whole jid
 * @returns undefined when he shows none
 * @throws when it cannot be asked or had, and for an address that is neither WhatsApp's nor the gateway's
 */
export async function fetchPicture<T>(
  http: OutgoingHttp,
  { baseUrl, instanceName, apiKey }: Instance,
  number: string,
  take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T | undefined> {
  const base = baseUrl.replace(/\/+$/, '')
  const told = await http.fetchJson({
    method: 'POST',
    url: `${base}/chat/fetchProfilePictureUrl/${encodeURIComponent(instanceName)}`,
    headers: { apikey: apiKey },
    body: { number },
    timeoutMs: askTimeoutMs,
    maxBytes: maxAnswerBytes,
  })
  if (told.status >= 400)
    throw new Error(`fetchProfilePictureUrl answered ${reasonOf(told.status, told.body)}`)
  const url = text(field(told.body, 'profilePictureUrl'))
  if (url === undefined) return undefined
  if (!isPictureAddress(url, base)) throw new Error('the picture lies at an address that is not asked')
  const { status, body } = await http.fetchStream({ method: 'GET', url, timeoutMs: fetchTimeoutMs })
  if (status !== 200) {
    // Whoever does not read an answer breaks it off.
    for await (const _piece of body) break
    throw new Error(`the picture's address answered ${status}`)
  }
  return take(body)
}

/** What the gateway says is not followed anywhere: WhatsApp's own machines have them, or the gateway itself. */
function isPictureAddress(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, origin } = new URL(url)
  const isWhatsApp =
    protocol === 'https:' && (hostname === 'whatsapp.net' || hostname.endsWith('.whatsapp.net'))
  return isWhatsApp || origin === new URL(baseUrl).origin
}
