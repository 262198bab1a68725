import ipaddr from 'ipaddr.js'

/**
 * What failed logins and the refused bodies of strangers are counted by: an IPv4 address, or the network of
 * 64 bits of an IPv6 address, since whoever has one address of such a network has all of them.
 * @param peer the address of the connection, or the one given by a trusted proxy
 * @see security D-L
 */
export function guesserAddress(peer: string): string {
  if (!ipaddr.isValid(peer)) return peer
  const address = ipaddr.process(peer)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
