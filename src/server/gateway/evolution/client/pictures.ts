import { field, text } from '#server/gateway/evolution/parse/values.ts'
import { reasonOf } from './answers.ts'
import { type Caller, type Instance, request } from './request.ts'

const fetchTimeoutMs = 20_000
const maxAnswerBytes = 65_536

/**
 * Passes the profile picture of a person on WhatsApp to `take` while it is downloaded.
 * @param number digits or a whole jid
 * @returns undefined when the person shows none
 * @throws when the picture cannot be fetched, and for an address that is neither WhatsApp's nor the gateway's
 */
export async function fetchPicture<T>(
  caller: Caller,
  instance: Instance,
  number: string,
  take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T | undefined> {
  const answer = await request(caller, instance, {
    endpoint: '/chat/fetchProfilePictureUrl',
    body: { number },
    maxBytes: maxAnswerBytes,
  })
  if (answer.status >= 400)
    throw new Error(`fetchProfilePictureUrl answered ${reasonOf(answer.status, answer.body)}`)
  const url = text(field(answer.body, 'profilePictureUrl'))
  if (url === undefined) return undefined
  if (!isPictureAddress(url, instance.baseUrl))
    throw new Error('the picture lies at an address that is not asked')
  const { status, body } = await caller.http.fetchStream({ method: 'GET', url, timeoutMs: fetchTimeoutMs })
  if (status !== 200) {
    // Leaving the loop closes the connection without reading the rest.
    for await (const _piece of body) break
    throw new Error(`the picture's address answered ${status}`)
  }
  return take(body)
}

/** Allows only WhatsApp's own hosts and the gateway: any other address in the answer is not followed. */
function isPictureAddress(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, origin } = new URL(url)
  const isWhatsApp =
    protocol === 'https:' && (hostname === 'whatsapp.net' || hostname.endsWith('.whatsapp.net'))
  return isWhatsApp || origin === new URL(baseUrl).origin
}
