/**
 * Whether a page of this scheme ('https:') may be ours. One of plain HTTP is not when the request came by
 * HTTPS, since anybody on the way could have written it; the other way round, a proxy that is not declared
 * may have taken the encryption off. Whoever invents the header only makes this stricter.
 */
export function mayBeOurScheme(
  protocol: string,
  headers: { [name: string]: string | string[] | undefined },
): boolean {
  const isByHttps = /\bhttps\b/i.test(String(headers['x-forwarded-proto'] ?? ''))
  return protocol === 'https:' || (protocol === 'http:' && !isByHttps)
}
