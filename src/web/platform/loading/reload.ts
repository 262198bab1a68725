/**
 * Reloads the page if the server answers. Off line the browser would put its own error page in the place of
 * ours, which recovers by itself.
 * @returns false if the server is away
 */
export async function reloadIfReachable(): Promise<boolean> {
  const isReachable = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
  if (isReachable) location.reload()
  return isReachable
}
