import { pageIn } from '#web/platform/page-number.ts'

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

/** What such an address shows: a page of the messages, or the one with a message, and what was looked for. */
export function placeIn(params: URLSearchParams): {
  page: number
  messageId: number | undefined
  search: string
} {
  const asked = params.get('mensagem') ?? ''
  const isMessage = !params.has('pagina') && /^[1-9]\d{0,9}$/.test(asked)
  return {
    page: pageIn(params.get('pagina')),
    messageId: isMessage ? Number(asked) : undefined,
    search: (params.get('busca') ?? '').trim().slice(0, 1000),
  }
}
