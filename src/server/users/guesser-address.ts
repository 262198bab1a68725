import ipaddr from 'ipaddr.js'

/**
 * The address by which failed logins are counted; undefined when it cannot be known. An undeclared proxy in
 * front of us would make everybody share its address; such a proxy has a private address. A forwarding header
 * on a connection straight from the internet is forged and ignored.
 * @param peer the address established so far: that of the connection, or the one given by a trusted proxy
 * @see security S-33, D-L
 */
export function guesserAddress(request: {
  peer: string
  isForwarded: boolean
  hasTrustedProxy: boolean
}): string | undefined {
  const { peer, isForwarded, hasTrustedProxy } = request
  if (!isForwarded || hasTrustedProxy) return peer
  const isNeighbour = !ipaddr.isValid(peer) || ipaddr.process(peer).range() !== 'unicast'
  return isNeighbour ? undefined : peer
}
