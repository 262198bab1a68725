import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** Where a request comes from. */
export interface RequestSource {
  /** IPv4 or IPv6, of the connection or given by a trusted proxy; null when the connection is gone. */
  address: string | null
  /** The User-Agent header, shortened. */
  device: string | null
}

const longestDevice = 300

/** @param ip the address of the connection, or the one given by a trusted proxy */
export function sourceOf({ ip, headers }: { ip: string; headers: IncomingHttpHeaders }): RequestSource {
  return {
    address: ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip || null,
    device: headers['user-agent']?.slice(0, longestDevice) ?? null,
  }
}

/**
 * The same for an upgrade, which Fastify does not see.
 * @param trusted the proxies whose X-Forwarded-For counts
 */
export function createUpgradeSource(
  trusted: readonly string[] | undefined,
): (request: IncomingMessage) => RequestSource {
  const isTrusted = trusted ? proxyAddress.compile([...trusted]) : () => false
  return (request) => {
    // proxy-addr asks a connection that is gone for its address.
    const ip = request.socket.remoteAddress === undefined ? '' : proxyAddress(request, isTrusted)
    return sourceOf({ ip, headers: request.headers })
  }
}
