import ipaddr from 'ipaddr.js'

/**
 * By which address failures are counted; undefined where it cannot be known: a proxy that TRUST_PROXY does not name
 * stands before us, and all the world would share its address. Such a one is a neighbour. What claims to be forwarded
 * and comes straight from the internet is a guesser's own line, and moves nothing.
 * @param peer the address that is believed so far: the other end's, or what a trusted proxy said
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
