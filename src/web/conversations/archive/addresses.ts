/** The address of a conversation of the archive, at one of its messages, with what was looked for. */
export function addressOf(
  id: number,
  { messageId, search }: { messageId?: number | undefined; search?: string | undefined } = {},
): string {
  const query = new URLSearchParams()
  if (search) query.set('busca', search)
  if (messageId !== undefined) query.set('mensagem', String(messageId))
  const text = query.toString()
  return `/conversas-arquivadas/${id}${text && `?${text}`}`
}
