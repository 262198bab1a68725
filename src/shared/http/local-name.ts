/**
 * Whether a Host header is an IP address or a name of this machine. Any other name may belong to a page of
 * somebody else, who points it at this machine to pass for us (DNS rebinding).
 */
export function isLocalName(host: string | undefined): boolean {
  const name = host?.replace(/:\d{1,5}$/, '').toLowerCase() ?? ''
  return /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\]|localhost|[\w-]+\.localhost)$/.test(name)
}
