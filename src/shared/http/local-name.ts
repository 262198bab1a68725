/**
 * Whether a Host header is an IP address or a name of this machine. Any other name may belong to a page of
 * somebody else, who points it at this machine to pass for us (DNS rebinding).
 */
export function isLocalName(host: string | undefined): boolean {
  const name = host?.replace(/:\d{1,5}$/, '').toLowerCase() ?? ''
  return /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\]|localhost|[\w-]+\.localhost)$/.test(name)
}

/** What is known of a request before anything of it is believed. */
interface Arrived {
  headers: Record<string, string | string[] | undefined>
  /** Of the connection, which no header changes. */
  remoteAddress: string | undefined
}

/**
 * Whether a request was made on this machine: its connection comes from here, no proxy has passed it on, and
 * it is not of a page of somebody else that passes for us.
 */
export function isFromThisMachine({ headers, remoteAddress = '' }: Arrived): boolean {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(remoteAddress)
  const isPassedOn = Object.keys(headers).some((name) =>
    /^(x-forwarded-|x-real-ip$|forwarded$|via$)/.test(name),
  )
  const { host } = headers
  return isLoopback && !isPassedOn && typeof host === 'string' && isLocalName(host)
}
